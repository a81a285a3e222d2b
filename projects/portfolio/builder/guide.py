"""The guide of conversations about an entry: one desk for both modes."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from django.utils.translation import gettext as _

from chat.assistant.provenance import has_others_words
from chat.guides import GuideEvent, StageDone, StageStarted, StateChanged, Text, Turn
from futura.errors import ModelUnavailable
from projects.portfolio.builder import modelled, replies, ruled, telling
from projects.portfolio.builder.desk import Desk, Gone
from projects.portfolio.builder.from_project import telling_of
from projects.portfolio.builder.state import KIND, BuilderState, Phase
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry


class BuilderGuide:
    """With a model it leads the talk; without one, or when it fails, the rules do."""

    kind = KIND
    state_model = BuilderState

    def respond(self, turn: Turn[BuilderState]) -> Iterator[GuideEvent]:
        """The opening, or the answer to a message."""
        desk = Desk.of(turn)
        if turn.message is None:
            yield from _opening(turn, desk)
        else:
            if has_others_words(turn.message):
                turn.state.has_untrusted_text = True
            yield from _answer(turn, desk)
        turn.state.phase = phase_of(desk)
        yield StateChanged(KIND)

    def ended(self, session_id: uuid.UUID) -> None:
        """These conversations stay open."""


def _opening(turn: Turn[BuilderState], desk: Desk) -> Iterator[GuideEvent]:
    stage = "portfolio_builder_opening"
    yield StageStarted(stage, _("Reading the entry"))
    try:
        entry = desk.entry()
    except Gone:
        yield Text(_("The entry of this conversation was deleted. Undo brings it back."))
        yield StageDone(stage, "rules", {"kind": "gone"})
        return
    if turn.state.project_id and turn.state.proposal is None and not entry.blocks:
        yield from telling_of(turn, desk, entry)
    else:
        yield Text(replies.opening(entry, turn.state))
    yield StageDone(stage, "rules", {})


def _answer(turn: Turn[BuilderState], desk: Desk) -> Iterator[GuideEvent]:
    message = turn.message
    assert message is not None  # noqa: S101 - the caller has seen it
    if not turn.llm.is_configured:
        yield from ruled.answer(turn, message, desk)
        return
    has_said = False
    try:
        for event in modelled.answer(turn, message, desk):
            has_said = has_said or isinstance(event, Text)
            yield event
    except ModelUnavailable as error:
        yield StageDone(modelled.STAGE, "rules", {"fallback": True, "because": error.reason})
        if not desk.outcomes and not has_said:
            yield from ruled.answer(turn, message, desk)
            return
        # what was done stands and is told; the rules do not do it again
        told = telling.sentences(desk.outcomes)
        rest = "\n\n".join(filter(None, (told, _("The model broke off here."))))
        yield Text(f"\n\n{rest}" if has_said else rest)


def phase_of(desk: Desk) -> Phase:
    """Where the work stands, by the entry itself."""
    try:
        entry = desk.entry()
    except Gone:
        return Phase.INTERVIEW
    if entry.status == Entry.Status.PUBLISHED:
        return Phase.PUBLISHED
    if not check(entry):
        return Phase.READY
    is_asking = bool(desk.state.open) and not desk.state.is_quiet
    return Phase.INTERVIEW if is_asking or not entry.blocks else Phase.DRAFT
