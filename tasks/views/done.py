"""The last page: what the list comes to, copies to keep, sending and deleting."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.actions import erase
from chat.identity import identity_of
from futura.attachments import attachment
from futura.errors import BadInput, Conflict, NotAllowed
from tasks import actions, export, hooks, queries
from tasks.copies import text_of
from tasks.models import SurveyResponse
from tasks.review import review_of, summary_of
from tasks.views.fragments import steps


@require_safe
@never_cache  # whoever comes back to it after sending sees that it was sent
def complete(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    return _page(request, response)


def _page(
    request: HttpRequest, response: SurveyResponse, *, problem: str = "", status: int = 200
) -> HttpResponse:
    review = review_of(response)
    identity = identity_of(request)
    campaign = response.campaign
    context = {
        "campaign": campaign,
        "may_download": campaign is None or campaign.may_download,
        "review": review,
        "response": response,
        "summary": summary_of(review),
        "problem": problem,
        "seen": actions.contents_of(response),
        "offers": hooks.offers(response),
        "is_anonymous": identity.user_id is None,
        "steps": steps(3, response),
    }
    return render(request, "tasks/complete.html", context, status=status)


@require_POST
def submit(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    """Sends the list; needs the confirming tick."""
    if request.POST.get("sure") != "yes" and response.submitted_at is None:
        problem = _("Select the box first: after submitting, the list can no longer be changed.")
        return _page(request, response, problem=problem, status=422)
    try:
        actions.submit(response=response, seen=request.POST.get("seen"))
    except (BadInput, Conflict) as error:
        return _page(request, response, problem=str(error), status=error.status)
    if response.campaign is not None and hasattr(response, "participation"):
        # which knows the next page
        return redirect("s:welcome", campaign_slug=response.campaign.slug)
    return redirect("survey:complete", session_id=response.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_answers(request: HttpRequest, response: SurveyResponse) -> HttpResponse:
    """Asks once, then deletes everything."""
    if request.method != "POST":
        context = {"response": response, "count": len(queries.tasks_of(response))}
        return render(request, "tasks/delete.html", context)
    erase(response.session)
    messages.success(request, _("Your answers were deleted."))
    return redirect("home")


@require_safe
def download(_request: HttpRequest, response: SurveyResponse, form: str) -> HttpResponse:
    """The list as `csv` or `json`. Raises NotAllowed where the campaign lets nobody take copies."""
    if response.campaign is not None and not response.campaign.may_download:
        raise NotAllowed(
            _(
                "This survey does not offer task lists for download. Everything stored "
                "about you is under “Your data”."
            )
        )
    tasks, name = queries.tasks_of(response), export.file_name(response)
    if form == "csv":
        text = export.as_csv(response, tasks)
        return attachment(text, "text/csv; charset=utf-8", f"{name}.csv")
    text = text_of(export.response_as_json(response, tasks))
    return attachment(text, "application/json; charset=utf-8", f"{name}.json")
