"""The pages of who takes part: `/s/<slug>`, from the welcome to the last words; “Your data”."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial, wraps
from typing import Any, Final

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat import languages, rates
from chat.identity import identity_of
from chat.resends import once
from chat.staff.audit import exports_of, readings_of
from chat.staff.models import Access
from futura import limits
from futura.attachments import attachment
from futura.errors import BadInput, Conflict, NotFound, TooMany
from futura.llm.stages import is_configured
from futura.parameters import whole
from onet.candidates import OccupationHit
from tasks import copies, queries as survey
from tasks.campaigns import queries
from tasks.campaigns.actions import joining
from tasks.campaigns.forms import AnswersForm
from tasks.campaigns.journey import next_url, page, talk_url
from tasks.campaigns.models import Campaign, ExtraQuestion, Participation
from tasks.campaigns.privacy_notice import promises_of
from tasks.forms import StartForm
from tasks.views.start import marked, offered

SENDING: Final = ["GET", "HEAD", "POST"]
CODE_CHARS: Final = 60
View = Callable[..., HttpResponse]


def of_campaign(view: View) -> View:
    """Hands the view its campaign, and speaks the campaign's language."""

    @wraps(view)
    def view_of_campaign(request: HttpRequest, campaign_slug: str, **more: Any) -> HttpResponse:
        campaign = queries.campaign_at(campaign_slug)
        identity_of(request)  # asked first: it brings the person's own language along
        return languages.answered_in(campaign.language, partial(view, request, campaign, **more))

    return view_of_campaign


def own_participation(request: HttpRequest, campaign: Campaign) -> Participation:
    """The caller's own participation. Raises NotFound for who does not take part."""
    result = queries.participation_in(campaign, identity_of(request))
    if result is None:
        raise NotFound
    return result


def campaign_page(
    request: HttpRequest, name: str, campaign: Campaign, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        "campaign": campaign,
        "is_taking_part": name in {"questions", "job", "end"},
        **more,
    }
    return render(request, f"tasks/campaigns/{name}.html", context, status=status)


@require_http_methods(SENDING)
@of_campaign
def welcome(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The first page; who took part before goes on where they were."""
    taken = queries.participation_in(campaign, identity_of(request))
    if taken is not None:
        return redirect(next_url(taken))
    if campaign.phase != Campaign.Phase.OPEN:
        return campaign_page(request, "shut", campaign)
    code = (request.POST if request.method == "POST" else request.GET).get("code", "")
    code = code[:CODE_CHARS]
    if request.method != "POST":
        return campaign_page(request, "welcome", campaign, code=code)
    try:
        if campaign.access == Campaign.Access.CODES:
            rates.check(limits.CODE, identity_of(request))  # the attempt is counted first
            joining.check_code(campaign, code)
    except (BadInput, TooMany) as error:
        return _again(request, "welcome", campaign, error, code=code)
    way_on = page("consent", campaign)
    # not in the address: a code is nobody else's business
    answer = redirect(way_on)
    if campaign.access == Campaign.Access.CODES:
        answer.set_signed_cookie(
            _code_cookie(campaign), code, max_age=3600, httponly=True, samesite="Lax",
            secure=request.is_secure(), path=way_on,
        )  # fmt: skip
    return answer


def _code_cookie(campaign: Campaign) -> str:
    return f"futura_code_{campaign.pk.hex[:12]}"


def _again(
    request: HttpRequest, name: str, campaign: Campaign, error: Any, **more: Any
) -> HttpResponse:
    status = 422 if isinstance(error, BadInput) else error.status
    answer = campaign_page(request, name, campaign, status=status, problem=str(error), **more)
    if isinstance(error, TooMany):
        answer["Retry-After"] = str(error.retry_after_s)
    return answer


@require_http_methods(SENDING)
@of_campaign
@once
def consent(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What is agreed to; agreeing begins the participation."""
    identity = identity_of(request)
    if (taken := queries.participation_in(campaign, identity)) is not None:
        return redirect(next_url(taken))
    if campaign.phase != Campaign.Phase.OPEN:
        return campaign_page(request, "shut", campaign)
    code = request.get_signed_cookie(_code_cookie(campaign), "", max_age=3600) or ""
    if campaign.access == Campaign.Access.CODES and not code:
        return redirect(page("welcome", campaign))
    promises = promises_of(campaign)
    if request.method != "POST":
        return campaign_page(request, "consent", campaign, promises=promises)
    try:
        if request.POST.get("agree") != "yes":
            raise BadInput(_("Select the box to agree. Without consent you cannot take part."))
        with transaction.atomic():  # what is refused leaves no participant behind
            created = joining.agree(
                campaign=campaign,
                participant=identity.participant(),
                version=whole(request.POST.get("version")) or 0,
                code=code,
            )
            rates.check(limits.START, identity)
    except (BadInput, Conflict, TooMany) as error:
        campaign.refresh_from_db()
        return _again(request, "consent", campaign, error, promises=promises_of(campaign))
    answer = redirect(next_url(created))
    answer.delete_cookie(_code_cookie(campaign), path=request.path, samesite="Lax")
    return answer


@require_http_methods(SENDING)
@of_campaign
def questions(request: HttpRequest, campaign: Campaign, place: str) -> HttpResponse:
    """The campaign's own questions of one place."""
    if place not in ExtraQuestion.Place.values:
        raise NotFound
    taken = own_participation(request, campaign)
    if place == ExtraQuestion.Place.AFTER and (
        taken.response is None or taken.response.submitted_at is None
    ):
        return redirect(next_url(taken))
    question = queries.questions_of(campaign, place)
    more: dict[str, Any] = {"place": place}
    if request.method != "POST":
        form = AnswersForm(
            question, answers=dict(taken.extra_answers.values_list("question_id", "value"))
        )
        return campaign_page(request, "questions", campaign, form=form, **more)
    version = whole(request.POST.get("version"))
    form = AnswersForm(question, _asked_anew(request.POST, campaign, question))
    if not form.is_valid():
        if version not in {None, campaign.version}:
            more["problem"] = joining.CHANGED
        return campaign_page(request, "questions", campaign, form=form, status=422, **more)
    try:
        joining.answer_questions(
            participation=taken, place=place, values=form.values(), version=version
        )
    except Conflict as error:
        return _again(request, "questions", campaign, error, form=form, **more)
    return redirect(next_url(own_participation(request, campaign)))


def _asked_anew(
    sent: QueryDict, campaign: Campaign, questions: Sequence[ExtraQuestion]
) -> QueryDict:
    """What was sent, with answers to a wording that was replaced under the one that replaced it."""
    moved = sent.copy()
    of_column = {question.column.rstrip("b"): question for question in questions}
    for former in campaign.questions.filter(removed_at__isnull=False):
        latter = of_column.get(former.column.rstrip("b"))
        if latter is not None and f"q-{former.pk}" in sent:
            moved.setlist(f"q-{latter.pk}", sent.getlist(f"q-{former.pk}"))
    return moved


@require_http_methods(SENDING)
@of_campaign
def job(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The job title and the occupation that is closest; begins the talk."""
    taken = own_participation(request, campaign)
    if taken.response is not None and not request.POST.get("initial_tasks", "").strip():
        return redirect(next_url(taken))
    if request.method != "POST":
        return _job_page(request, campaign, StartForm(), [])
    form, title = StartForm(request.POST), request.POST.get("title", "")
    if "occupation" not in request.POST and form.is_valid():
        with suppress(BadInput):  # which is said when it begins
            joining.allowed_title(campaign, title)
            if picker := offered(title, request):
                return _job_page(request, campaign, form, picker)
    return _begin_job(request, campaign)


@once
def _begin_job(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    taken = own_participation(request, campaign)
    form, title = StartForm(request.POST), request.POST.get("title", "")
    try:
        values = form.values()
        response = joining.start_talk(participation=taken, **values)
    except BadInput as error:
        form.refuse(error)
        return _job_page(request, campaign, form, offered(title), status=422)
    except Conflict as error:
        form.refuse(error)
        taken.refresh_from_db()
        talk = talk_url(taken.response) if taken.response is not None else ""
        return _job_page(request, campaign, form, [], status=error.status, talk=talk)
    return redirect(talk_url(response))


def _job_page(
    request: HttpRequest,
    campaign: Campaign,
    form: StartForm,
    picker: list[OccupationHit],
    *,
    status: int = 200,
    talk: str = "",
) -> HttpResponse:
    more = {
        "form": form,
        "talk": talk,
        "picker": picker,
        "chosen": marked(picker, form["occupation"].value()),
        "can_transcribe": is_configured(),
    }
    return campaign_page(request, "job", campaign, status=status, **more)


@require_safe
@of_campaign
def end(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The last words, for who has sent their list."""
    taken = own_participation(request, campaign)
    if taken.response is None or taken.response.submitted_at is None:
        return redirect(next_url(taken))
    joining.finish(participation=taken)
    return campaign_page(request, "end", campaign, response=taken.response)


# “Your data” -------------------------------------------------------------------------------------
@require_safe
@never_cache  # nor does it come back once everything was deleted
@of_campaign
def your_data(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What is stored about the caller here, and what can be done with it."""
    taken = own_participation(request, campaign)
    response, readings = taken.response, list[Access]()
    if response is not None and taken.participant_id is not None:  # who of staff opened this talk
        read = readings_of([taken.participant_id])
        readings = [item for item in read if item.session_id == response.pk]
    return campaign_page(
        request,
        "mine",
        campaign,
        taken=taken,
        response=response,
        talk=talk_url(response) if response else "",
        is_in_bin=bool(response and response.session.deleted_at),
        consents=list(taken.consents.all()),
        answers=queries.answers_in_words(taken),
        tasks=survey.tasks_of(response) if response else [],
        readings=readings,
        exports=exports_of(campaign.pk, since=taken.created_at),
        promises=promises_of(campaign),
    )


@require_safe
@of_campaign
def your_data_as_json(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """All of it as JSON: consents, answers, every message, the list."""
    text = copies.text_of(copies.stored_about(own_participation(request, campaign)))
    return attachment(text, "application/json; charset=utf-8", f"{campaign.slug}-my-data.json")


@require_http_methods(["GET", "HEAD", "POST"])
@of_campaign
def delete(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Asks once, then deletes all that was told."""
    taken = own_participation(request, campaign)
    if request.method != "POST":
        return campaign_page(request, "delete", campaign, taken=taken)
    joining.erase_participation(participation=taken)
    messages.success(request, _("Your data in this survey was deleted."))
    return redirect(page("welcome", campaign))
