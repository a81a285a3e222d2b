"""The guide of the concierge: greets, and answers with a model or as a command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from django.utils.translation import gettext as _

from chat import guides, presenters
from chat.assistant.delimiter import delimiter_of
from chat.assistant.provenance import careful, carried_texts
from chat.assistant.turn import AssistantTurn, Prompt
from chat.assistant.undo import Undone
from chat.commands import run
from chat.guides import (
    Guide,
    GuideEvent,
    StageDone,
    StageStarted,
    StateChanged,
    Text,
    Turn,
    Utterance,
)
from chat.models import Session
from futura.errors import ModelUnavailable
from projects.concierge import greeting, presenter, prompts, snapshot
from projects.concierge.basic import turn as basic
from projects.concierge.presenter import ConciergePresenter
from projects.concierge.preview import command_preview
from projects.concierge.state import KIND, ConciergeState
from projects.concierge.toolset import Person, StartConversation, toolset
from projects.todos import quick_add

STAGE = "concierge"


class ConciergeGuide(Guide[ConciergeState]):
    """With a model nothing is routed by rules; without one, or when it fails, the command line."""

    kind = KIND
    state_model = ConciergeState

    def respond(self, turn: Turn[ConciergeState]) -> Iterator[GuideEvent]:
        """The greeting, or the answer to a message.

        Session.DoesNotExist when the conversation was deleted meanwhile.
        """
        session = Session.objects.select_related("participant").get(pk=turn.session_id)
        person = Person(session.participant, snapshot.build(session.participant))
        if turn.message is None:
            yield from _greeting(turn, person)
        else:
            turn.state.turns += 1
            turn = careful(turn)
            yield from _answer(turn, turn.message, person)
            state = turn.state
            has_pending = state.memory.pending is not None
            state.is_pending_of_others = state.has_untrusted_text and has_pending
        yield StateChanged(KIND)


def register_all() -> None:
    """Plugs the concierge into the engine; called once, when the app is ready."""
    presenters.register(ConciergePresenter())
    guides.register(ConciergeGuide())
    quick_add.register_commands(command_preview)
    run.register(StartConversation)


def _answer(
    turn: Turn[ConciergeState], message: Utterance | None, person: Person
) -> Iterator[GuideEvent]:
    assert message is not None  # noqa: S101 - the caller has seen it
    if not turn.llm.is_configured or basic.ticked_part(message) is not None:
        yield from basic.answer(turn, message, person)
        return
    delimiter = delimiter_of(turn)
    suggested, files = turn.state.memory.suggestions, carried_texts(message)
    prompt = Prompt(
        stage=STAGE,
        label=_("Working on it"),
        instructions=prompts.instructions(delimiter),
        records=prompts.records(person.snapshot.as_text(), suggested, files, delimiter),
        version=prompts.VERSION,
    )
    assistant = AssistantTurn(turn, toolset(person), prompt)
    try:
        yield from assistant.events()
    except ModelUnavailable:
        if assistant.has_begun:
            raise
        yield from basic.answer(turn, message, person)
        return
    acts = assistant.working.acts
    yield from presenter.opened(acts)
    if acts and isinstance(acts[-1], Undone) and acts[-1].question is not None:
        yield presenter.yes_or_no()
    turn.state.memory.pending = None


def _greeting(turn: Turn[ConciergeState], person: Person) -> Iterator[GuideEvent]:
    yield StageStarted(greeting.STAGE, _("Looking at your day"))
    detail: dict[str, object] = {}
    opening = greeting.greet(person.snapshot)
    by: Literal["model", "rules"] = "rules"
    if turn.llm.is_configured:
        try:
            opening = greeting.suggest_with_model(person.snapshot, turn.llm, delimiter_of(turn))
            by = "model"
        except ModelUnavailable as error:
            detail = {"fallback": True, "because": error.reason}
    yield StageDone(greeting.STAGE, by, detail)
    yield Text(opening.intro)
    yield presenter.suggested(opening.suggestions, "greeting")
    turn.state.greeted_on = person.snapshot.today
    turn.state.memory.suggestions = [
        suggestion.say or suggestion.text for suggestion in opening.suggestions
    ]
