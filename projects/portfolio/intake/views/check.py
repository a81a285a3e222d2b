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
class Stretch:
    """A piece of the source; `key` is the draft's that was read from it, empty for none."""

    text: str
    key: str = ""


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
        raise BadInput(_("Tick what shall be confirmed."))
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
        draft = next((one for one in from_json(source.drafts) if one.key == key), Draft(""))
        form = DraftForm(draft, posted)
        try:
            values = form.checked() if form.is_valid() else None
        except BadInput as error:
            answers.refuse(form, error)
            values = None
        if values is None:
            return _page(request, source, form=form, key=key, status=422)
        kind = form.cleaned_data["kind"]
        check.correct(source_id=source.pk, key=key, kind=kind, values=values)
    elif do == "add":
        kind, quote = posted.get("kind", ""), posted.get("quote", "")
        key = check.add(source_id=source.pk, kind=kind, quote=quote)
    elif do == "split":
        at = posted.get("at", "")
        at_place = int(at) if at.isascii() and at.isdigit() and len(at) < 9 else -1
        check.split(source_id=source.pk, key=key, at=at_place)
    elif do == "fuse":
        check.fuse(source_id=source.pk, key=key)
    elif do == "remove":
        check.remove(source_id=source.pk, key=key)
    else:
        raise BadInput
    return redirect(f"{page}?open={key}#d-{key}")


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
    opened = key or request.GET.get("open", "")
    cards = [
        Card(
            draft=one,
            form=form if form is not None and one.key == key else DraftForm(one),
            lines=[
                (line.start, line.text[:90])
                for line in lines_of(source.text)
                if line.text and one.start < line.start < one.end and one.kind != "profile"
            ],
            places=_places(one, drafts, source.text),
            is_open=one.key == opened or bool(one.missing) or len(drafts) == 1,
            is_first=place == 0,
        )
        for place, one in enumerate(drafts)
    ]
    context = {
        "portfolio": source.portfolio,
        "part": "sources",
        "source": source,
        "shown": Shown(source),
        "cards": cards,
        "stretches": stretches(source.text, drafts),
        "incomplete": [one.draft for one in cards if one.draft.missing],
        "kinds": kind_choices(),
        "error": error,
    }
    template = "projects/portfolio/intake/check.html"
    return render(request, template, context, status=status or _status(error))


def stretches(text: str, drafts: Sequence[Draft]) -> list[Stretch]:
    """The source in pieces, each linked to the draft that begins first there."""
    pieces: list[Stretch] = []
    at = 0
    for one in sorted(drafts, key=lambda draft: draft.start):
        if one.end <= max(at, one.start):
            continue
        start = max(at, one.start)
        if start > at:
            pieces.append(Stretch(text[at:start]))
        pieces.append(Stretch(text[start : one.end], one.key))
        at = one.end
    return [*pieces, Stretch(text[at:])]


def _places(skill: Draft, drafts: Sequence[Draft], text: str) -> list[str]:
    """The positions whose own words show a skill."""
    if skill.kind != "skill":
        return []
    name = str(skill.values.get("name", "")).casefold()
    return [
        one.title
        for one in drafts
        if one.kind in {"position", "volunteering"} and name in text[one.start : one.end].casefold()
    ]
