"""Pages of the sources: give something to be read, see how it stands, check what was read."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import rates
from chat.identity import identity_of
from chat.operations.models import OperationBatch
from chat.resends import once
from futura import limits, parameters
from futura.errors import BadInput, Conflict, FuturaError, NotFound
from futura.text import shortened
from projects.portfolio import queries
from projects.portfolio.intake import actions
from projects.portfolio.intake.basic.sections import lines_of
from projects.portfolio.intake.drafts import KINDS, Draft, from_json
from projects.portfolio.intake.forms import (
    FORMS,
    UNKNOWN,
    DraftForm,
    kind_choices,
)
from projects.portfolio.intake.plan import planned, rows_from
from projects.portfolio.intake.reading import wait
from projects.portfolio.models import Portfolio, Source
from projects.portfolio.schema.kinds import BY_ENTITY
from projects.views import answers


def _url(portfolio_id: uuid.UUID, at: str = "given") -> str:
    return f"{reverse('portfolio:sources', args=[portfolio_id])}#{at}"


def _checked(portfolio_id: uuid.UUID, batch: OperationBatch | None) -> HttpResponse:
    """On to the next source that waits to be checked, else to the list."""
    waiting = Source.objects.filter(portfolio=portfolio_id, outcome=Source.Outcome.CHECK)
    following = waiting.order_by("given_at").first()
    if following is None:
        return answers.went(reverse("portfolio:sources", args=[portfolio_id]), batch)
    return answers.went(reverse("portfolio:check", args=[portfolio_id, following.pk]), batch)


_KIND_OF: Final = {
    "resume": Source.Kind.RESUME, "profile": Source.Kind.PROFILE, "repository": Source.Kind.README,
}  # fmt: skip
_FORM_OF: Final = {kind: name for name, kind in _KIND_OF.items()}


# Sources -----------------------------------------------------------------------------------------
def _list_page(
    request: HttpRequest, portfolio: Portfolio, sent: Any = None, name: str = "", status: int = 200
) -> HttpResponse:
    given = queries.sources_of(portfolio)
    forms = {kind: form(auto_id=f"{kind}_%s") for kind, form in FORMS.items()}
    context = {
        "portfolio": portfolio,
        "part": "sources",
        "given": given,
        "left": sum(row.is_open for row in given),
        "forms": forms | ({name: sent} if name else {}),
        "opened": name,
        "done": answers.just_done(request),
    }
    return render(request, "projects/portfolio/sources/sources.html", context, status=status)


sources = require_safe(_list_page)


@require_http_methods(["GET", "HEAD", "POST"])
@once
def give(request: HttpRequest, portfolio: Portfolio, source_kind: str) -> HttpResponse:
    """Takes what is to be read; what cannot be taken comes back with what was typed."""
    if source_kind not in FORMS:
        raise NotFound
    if request.method != "POST":
        return redirect(_url(portfolio.pk, source_kind))
    form = FORMS[source_kind](request.POST, request.FILES, auto_id=f"{source_kind}_%s")
    kind = _KIND_OF[source_kind]

    def write() -> Any:
        rates.check(limits.READ, identity_of(request))
        return actions.give(portfolio=portfolio, kind=kind, **form.cleaned_data)

    status = answers.save(form, write).status
    if status != 200:
        return _list_page(request, portfolio, form, source_kind, status)
    return redirect(_url(portfolio.pk))


@require_safe
def source(request: HttpRequest, portfolio: Portfolio, source_id: uuid.UUID) -> HttpResponse:
    """One source: its text, and what was read from it."""
    given = queries.source_for(portfolio, source_id)
    rows = [
        {"row": row, "kind": BY_ENTITY.get(entity), "entity": entity}
        for entity, row in rows_from(given)
    ]
    context = {
        "portfolio": given.portfolio,
        "part": "sources",
        "source": given,
        "rows": rows,
    }
    name = _FORM_OF.get(Source.Kind(given.kind))
    if name and given.outcome == Source.Outcome.FAILED:
        context |= {"again": FORMS[name].again(given), "form_name": name}
    return render(request, "projects/portfolio/sources/source.html", context)


@require_POST
def read(request: HttpRequest, portfolio: Portfolio, source_id: uuid.UUID) -> HttpResponse:
    """Reads it again; by rules where the model did not manage and that is wanted."""
    given = queries.source_for(portfolio, source_id)
    rates.check(limits.READ, identity_of(request))
    wait(given, is_by_rules=request.POST.get("how") == "rules")
    return redirect(_url(portfolio.pk))


@require_POST
def delete(_request: HttpRequest, portfolio: Portfolio, source_id: uuid.UUID) -> HttpResponse:
    """Forgets it and its text; the records that were read from it stay."""
    queries.source_for(portfolio, source_id).delete()
    return redirect(_url(portfolio.pk))


# Checking ----------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
def check_page(request: HttpRequest, portfolio: Portfolio, source_id: uuid.UUID) -> HttpResponse:
    """The drafts beside their source; a post changes one of them, or confirms all."""
    given = queries.source_for(portfolio, source_id)
    if request.method != "POST":
        if given.outcome != Source.Outcome.CHECK:
            return redirect("portfolio:source", portfolio.pk, given.pk)
        return _check_page(request, given)
    try:
        return _changed(request, given)
    except (BadInput, Conflict) as error:
        given.refresh_from_db()
        return _check_page(request, given, error=error)


def _changed(request: HttpRequest, given: Source) -> HttpResponse:
    posted = request.POST
    key, do = posted.get("key", ""), posted.get("do", "")
    if do == "confirm":
        batch = actions.confirm(
            source_id=given.pk,
            actor=answers.actor_of(request, given.portfolio),
            leave_out=posted.get("incomplete") == "leave",
            keeps="keep" in posted,
        )
        return _checked(given.portfolio_id, batch)
    if do == "save":
        draft = next((draft for draft in from_json(given.drafts) if draft.key == key), Draft(""))
        form = DraftForm(draft, posted)
        values = form.checked()
        if values is None:
            return _check_page(request, given, form=form, key=key)
    with actions.changing(given.pk) as drafts:
        if do == "save":
            drafts.correct(key, form.cleaned_data["kind"], values or {})
            key = _next(drafts.drafts, key)
        elif do == "add":
            key = drafts.add(posted.get("kind", ""), posted.get("quote", ""))
        elif do == "split":
            drafts.split(key, parameters.whole(posted.get("at")) or -1)
        elif do == "fuse":
            drafts.fuse(key)
        elif do == "remove":
            drafts.remove(key)
        else:
            raise BadInput
    page = reverse("portfolio:check", args=[given.portfolio_id, given.pk])
    return redirect(f"{page}?open={key}#{f'd-{key}' if key else 'check-title'}")


def _next(drafts: Sequence[Draft], key: str) -> str:
    """After one was saved: the one to look at now, itself while it lacks something; or none."""
    place = next(at for at, draft in enumerate(drafts) if draft.key == key)
    if drafts[place].missing:
        return key
    return next((draft.key for draft in drafts[place + 1 :] if draft.needs_look), "")


def _check_page(
    request: HttpRequest,
    given: Source,
    *,
    form: DraftForm | None = None,
    key: str = "",
    error: FuturaError | None = None,
) -> HttpResponse:
    """`form` is one that comes back, for the draft with this key."""
    drafts = from_json(given.drafts)
    in_doubt = next((draft.key for draft in drafts if draft.needs_look), "")
    opened = key or request.GET.get("open", in_doubt)
    cards: list[dict[str, Any]] = [
        {
            "draft": draft,
            "name": KINDS[draft.kind].name if draft.kind in KINDS else UNKNOWN,
            "title": draft.title or shortened(given.text[draft.start : draft.end], 60),
            "form": form if form is not None and draft.key == key else DraftForm(draft),
            "lines": [  # where it can be split, with the words there
                (line.start, line.text[:90])
                for line in lines_of(given.text)
                if line.text and draft.start < line.start < draft.end and draft.kind != "profile"
            ],
            "places": _places(draft, drafts, given.text),
            "is_open": draft.key == opened or len(drafts) == 1,
            "is_first": place == 0,
        }
        for place, draft in enumerate(drafts)
    ]
    context = {
        "portfolio": given.portfolio,
        "part": "sources",
        "source": given,
        "cards": cards,
        "stretches": _stretches(given.text, drafts),
        "incomplete": [card for card in cards if card["draft"].missing],
        "gone": planned(given, [draft for draft in drafts if not draft.missing]).gone,
        "kinds": kind_choices(),
        "done": answers.just_done(request),
        "error": error,
    }
    status = 200 if form is None and error is None else 422
    if isinstance(error, Conflict):
        status = 409
    return render(request, "projects/portfolio/intake/check.html", context, status=status)


def _stretches(text: str, drafts: Sequence[Draft]) -> list[tuple[str, str]]:
    """The source in pieces, each with the key of the draft that begins first there, or none."""
    pieces: list[tuple[str, str]] = []
    at = 0
    for draft in sorted(drafts, key=lambda draft: draft.start):
        start = max(at, draft.start)
        if draft.end > start:
            pieces += [(text[at:start], ""), (text[start : draft.end], draft.key)]
            at = draft.end
    return [*pieces, (text[at:], "")]


def _places(skill: Draft, drafts: Sequence[Draft], text: str) -> list[str]:
    """The positions whose own words show a skill."""
    if skill.kind != "skill":
        return []
    name = str(skill.values.get("name", "")).casefold()
    positions = (draft for draft in drafts if draft.kind in {"position", "volunteering"})
    return [
        position.title
        for position in positions
        if name in text[position.start : position.end].casefold()
    ]
