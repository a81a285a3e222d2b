"""The check page: the source at one side, the records that were read from it at the other."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chat.identity import identity_of
from futura.errors import BadInput, Conflict, FuturaError
from projects.portfolio.intake import check, queries
from projects.portfolio.intake.basic.headings import lines_of
from projects.portfolio.intake.drafts import KINDS, Draft, from_json
from projects.portfolio.intake.forms import UNKNOWN, DraftForm, kind_choices
from projects.portfolio.intake.queries import Shown
from projects.portfolio.models import Source
from projects.portfolio.queries import portfolio_for
from projects.views import answers


@dataclass(frozen=True)
class Card:
    """A draft as the page shows it. `lines`: where it can be split, with the words there."""

    draft: Draft
    form: DraftForm
    lines: Sequence[tuple[int, str]]
    places: Sequence[str]
    is_open: bool
    is_first: bool

    @property
    def name(self) -> Any:
        """What kind of record it is."""
        return KINDS[self.draft.kind].name if self.draft.kind in KINDS else UNKNOWN


@require_http_methods(["GET", "HEAD", "POST"])
def check_list(request: HttpRequest, portfolio_id: uuid.UUID) -> HttpResponse:
    """Every source whose records wait; a post confirms those that are ticked, as one gesture."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    error: FuturaError | None = None
    if request.method == "POST":
        try:
            batch = check.confirm(
                portfolio=portfolio,
                source_ids=_ids(request.POST.getlist("source")),
                actor=answers.actor_of(request, portfolio),
            )
            return answers.went(reverse("portfolio:sources", args=[portfolio.pk]), batch)
        except (BadInput, Conflict) as refusal:
            error = refusal
    waiting = queries.to_check(portfolio)
    if not waiting and error is None:
        return redirect("portfolio:sources", portfolio.pk)
    context = {
        "portfolio": portfolio,
        "part": "sources",
        "waiting": waiting,
        "unmarked": [one.source.pk for one in waiting if not one.marks],
        "error": error,
    }
    template = "projects/portfolio/intake/check_list.html"
    return render(request, template, context, status=_status(error))


def _ids(posted: Sequence[str]) -> list[uuid.UUID]:
    """Raises BadInput for what is no id, and for none."""
    try:
        ids = [uuid.UUID(text) for text in posted]
    except ValueError as error:
        raise BadInput from error
    if not ids:
        raise BadInput(_("Select at least one source."))
    return ids


def _status(error: FuturaError | None) -> int:
    if error is None:
        return 200
    return 409 if isinstance(error, Conflict) else 422


@require_http_methods(["GET", "HEAD", "POST"])
def check_page(request: HttpRequest, portfolio_id: uuid.UUID, source_id: uuid.UUID) -> HttpResponse:
    """The drafts beside their source; a post changes one of them, or confirms all."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    source = queries.source_for(portfolio, source_id)
    if request.method != "POST":
        if source.outcome != Source.Outcome.CHECK:
            return redirect("portfolio:source", portfolio.pk, source.pk)
        return _page(request, source)
    try:
        return _changed(request, source)
    except (BadInput, Conflict) as error:
        source.refresh_from_db()
        return _page(request, source, error=error)


def _changed(request: HttpRequest, source: Source) -> HttpResponse:
    posted = request.POST
    key, do = posted.get("key", ""), posted.get("do", "")
    page = reverse("portfolio:check", args=[source.portfolio_id, source.pk])
    if do == "confirm":
        batch = check.confirm(
            portfolio=source.portfolio,
            source_ids=[source.pk],
            actor=answers.actor_of(request, source.portfolio),
            leave_out=posted.get("incomplete") == "leave",
        )
        return answers.went(reverse("portfolio:sources", args=[source.portfolio_id]), batch)
    if do == "save":
        draft = next((draft for draft in from_json(source.drafts) if draft.key == key), Draft(""))
        form = DraftForm(draft, posted)
        try:
            values = form.checked() if form.is_valid() else None
        except BadInput as error:
            answers.refuse(form, error)
            values = None
        if values is None:
            return _page(request, source, form=form, key=key, status=422)
    with check.changing(source.pk) as drafts:
        if do == "save":
            drafts.correct(key, form.cleaned_data["kind"], values or {})
            key = _next(drafts.drafts, key)
        elif do == "add":
            key = drafts.add(posted.get("kind", ""), posted.get("quote", ""))
        elif do == "split":
            at = posted.get("at", "")
            drafts.split(key, int(at) if at.isascii() and at.isdigit() and len(at) < 9 else -1)
        elif do == "fuse":
            drafts.fuse(key)
        elif do == "remove":
            drafts.remove(key)
        else:
            raise BadInput
    return redirect(f"{page}?open={key}#{f'd-{key}' if key else 'check-title'}")


def _next(drafts: Sequence[Draft], key: str) -> str:
    """After one was saved: the one to look at now, itself while it lacks something; or none."""
    place = next(at for at, draft in enumerate(drafts) if draft.key == key)
    if drafts[place].missing:
        return key
    return next((draft.key for draft in drafts[place + 1 :] if draft.needs_look), "")


def _page(
    request: HttpRequest,
    source: Source,
    *,
    form: DraftForm | None = None,
    key: str = "",
    error: FuturaError | None = None,
    status: int = 0,
) -> HttpResponse:
    drafts = from_json(source.drafts)
    in_doubt = next((draft.key for draft in drafts if draft.needs_look), "")
    opened = key or request.GET.get("open", in_doubt)
    cards = [
        Card(
            draft=draft,
            form=form if form is not None and draft.key == key else DraftForm(draft),
            lines=[
                (line.start, line.text[:90])
                for line in lines_of(source.text)
                if line.text and draft.start < line.start < draft.end and draft.kind != "profile"
            ],
            places=_places(draft, drafts, source.text),
            is_open=draft.key == opened or len(drafts) == 1,
            is_first=place == 0,
        )
        for place, draft in enumerate(drafts)
    ]
    context = {
        "portfolio": source.portfolio,
        "part": "sources",
        "source": source,
        "shown": Shown(source),
        "cards": cards,
        "stretches": _stretches(source.text, drafts),
        "incomplete": [draft for draft in drafts if draft.missing],
        "kinds": kind_choices(),
        "error": error,
    }
    template = "projects/portfolio/intake/check.html"
    return render(request, template, context, status=status or _status(error))


def _stretches(text: str, drafts: Sequence[Draft]) -> list[tuple[str, str]]:
    """The source in pieces, each with the key of the draft that begins first there, or none."""
    pieces: list[tuple[str, str]] = []
    at = 0
    for draft in sorted(drafts, key=lambda draft: draft.start):
        if draft.end <= max(at, draft.start):
            continue
        start = max(at, draft.start)
        pieces += [(text[at:start], ""), (text[start : draft.end], draft.key)]
        at = draft.end
    return [*pieces, (text[at:], "")]


def _places(skill: Draft, drafts: Sequence[Draft], text: str) -> list[str]:
    """The positions whose own words show a skill."""
    if skill.kind != "skill":
        return []
    name = str(skill.values.get("name", "")).casefold()
    positions = (draft for draft in drafts if draft.kind in {"position", "volunteering"})
    return [one.title for one in positions if name in text[one.start : one.end].casefold()]
