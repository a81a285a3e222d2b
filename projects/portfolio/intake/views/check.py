"""The check page: the source at one side, the records that were read from it at the other."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from chat.identity import identity_of
from futura.errors import BadInput, Conflict, FuturaError
from projects.portfolio.intake import check
from projects.portfolio.intake.basic.headings import lines_of
from projects.portfolio.intake.drafts import KINDS, Draft, from_json
from projects.portfolio.intake.forms import UNKNOWN, DraftForm, kind_choices
from projects.portfolio.intake.queries import Shown, source_for
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
def check_page(request: HttpRequest, portfolio_id: uuid.UUID, source_id: uuid.UUID) -> HttpResponse:
    """The drafts beside their source; a post changes one of them, or confirms all."""
    portfolio = portfolio_for(identity_of(request), portfolio_id)
    source = source_for(portfolio, source_id)
    if request.method != "POST":
        if source.outcome != Source.Outcome.CHECK:
            return redirect("portfolio:source", portfolio.pk, source.pk)
        return _page(request, source)
    try:
        return _changed(request, source)
    except (BadInput, Conflict) as error:
        source.refresh_from_db()
        return _page(
            request, source, error=error, status=409 if isinstance(error, Conflict) else 422
        )


def _changed(request: HttpRequest, source: Source) -> HttpResponse:
    posted = request.POST
    key, do = posted.get("key", ""), posted.get("do", "")
    page = reverse("portfolio:check", args=[source.portfolio_id, source.pk])
    if do == "confirm":
        actor = answers.actor_of(request, source.portfolio)
        leave_out = posted.get("incomplete") == "leave"
        batch = check.confirm(source_id=source.pk, actor=actor, leave_out=leave_out)
        return answers.went(reverse("portfolio:sources", args=[source.portfolio_id]), batch)
    if do == "save":
        draft = next((one for one in from_json(source.drafts) if one.key == key), Draft(""))
        form = DraftForm(draft, posted)
        if not form.is_valid():
            return _page(request, source, form=form, key=key, status=422)
        try:
            values = form.checked()
        except BadInput as error:
            answers.refuse(form, error)
            return _page(request, source, form=form, key=key, status=422)
        kind = form.cleaned_data["kind"]
        check.correct(source_id=source.pk, key=key, kind=kind, values=values)
    elif do == "add":
        key = check.add(
            source_id=source.pk, kind=posted.get("kind", ""), quote=posted.get("quote", "")
        )
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
    status: int = 200,
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
    return render(request, "projects/portfolio/intake/check.html", context, status=status)


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
