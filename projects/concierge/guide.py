"""The guide of the concierge: greets, and answers with a model or as a command line."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from django.utils.translation import gettext as _

from chat import guides, presenters
from chat.assistant.delimiter import delimiter_of
from chat.assistant.provenance import careful, carried_texts
from chat.assistant.undo import Undone
from chat.assistant.working import agent_scope
from chat.commands import run
from chat.commands.base import Scope
from chat.guides import Guide, GuideEvent, StateChanged, Text, Turn, Utterance
from chat.models import Participant, Session
from futura import mail
from projects import hooks
from projects.concierge import greeting, presenter, snapshot
from projects.concierge.basic import turn as basic
from projects.concierge.presenter import ConciergePresenter
from projects.concierge.snapshot import Snapshot
from projects.concierge.state import KIND, ConciergeState
from projects.concierge.toolset import StartConversation, toolset
from projects.modes.talking import staged, talk, yes_or_no

STAGE: Final = "concierge"
VERSION: Final = "concierge-4"
INSTRUCTIONS: Final = (
    "You are Futura's concierge: a calm, friendly assistant who knows what one person has to "
    "do and gets it moved. The briefing in the records shows their tasks, projects, drafts, "
    "surveys and open reviews as they stand at this moment, and the entries of their portfolio "
    "follow; nothing else exists.\n"
    "Answer briefly, at most a few sentences or a short list, and name things by their "
    "titles, never by id. Asked what matters, look at what is late, critical and due today "
    "and give an order with a reason.\n"
    "When the person asks for something to be done, do it at once with the tools, several "
    "things of a kind in one call (create_tasks, change_tasks). When they only mention "
    "something that sounds like a task, do not create "
    "it: offer to. When it could be one of several things, ask one short question instead of "
    "guessing. Where an id is needed, take it from the briefing or from a result of "
    "list_tasks or find_projects; search first when the words do not settle it. Work out dates "
    "yourself from the day of the briefing.\n"
    "For planning, updating, auditing or forecasting a whole project, and for describing a "
    "job or a piece of work for the portfolio, start the conversation made for it and pass on what "
    "the person said in their own words.\n"
    "Then say what is different now, and only what the results of the tools show. What waits "
    "for review has not been done: say that it waits. When a tool refuses, say so plainly. "
    "Answer in the language of the person's last message."
)


class ConciergeGuide(Guide[ConciergeState]):
    """With a model nothing is routed by rules; without one, or when it fails, the command line."""

    kind = KIND
    state_model = ConciergeState

    def respond(self, turn: Turn[ConciergeState]) -> Iterator[GuideEvent]:
        """The greeting, or the answer to a message.

        Session.DoesNotExist when the conversation was deleted meanwhile.
        """
        session = Session.objects.select_related("participant").get(pk=turn.session_id)
        briefing = snapshot.build(session.participant)
        scope = partial(agent_scope, session.participant, briefing.owner_ids)
        message = turn.message
        if message is None:
            yield from _greeting(turn, briefing)
        else:
            turn.state.turns += 1
            turn = careful(turn)
            yield from _answer(turn, message, briefing, scope)
            state = turn.state
            has_pending = state.memory.pending is not None
            state.is_pending_of_others = state.has_untrusted_text and has_pending
        yield StateChanged(KIND)


def register_all() -> None:
    """Plugs the concierge into the engine; called once, when the app is ready."""
    presenters.register(ConciergePresenter())
    guides.register(ConciergeGuide())
    run.register(StartConversation)


def _answer(
    turn: Turn[ConciergeState], message: Utterance, briefing: Snapshot, scope: Callable[[], Scope]
) -> Iterator[GuideEvent]:
    assistant = None
    if basic.ticked_part(message) is None:
        records = [
            ("briefing", briefing.as_text()),
            ("reminders", _no_reminders(briefing.owner_ids)),
            ("entries of the portfolio", "\n".join(hooks.portfolio.entries(briefing.owner_ids))),
            ("suggestions on the screen", presenter.numbered(turn.state.memory.suggestions)),
            *carried_texts(message),
        ]
        assistant = yield from talk(
            turn, toolset(scope), stage=STAGE, label=_("Working on it"),
            instructions=INSTRUCTIONS, records=records, version=VERSION,
        )  # fmt: skip
    if assistant is None:
        yield from basic.answer(turn, message, briefing, scope)
        return
    acts = assistant.working.acts
    yield from presenter.opened(acts)
    if acts and isinstance(acts[-1], Undone) and acts[-1].question is not None:
        yield yes_or_no()
    turn.state.memory.pending = None


def _no_reminders(owner_ids: Sequence[uuid.UUID]) -> str:
    """Why no mail will remind this person; nothing where one will."""
    if not mail.is_sent():
        return "None are sent: this site has no mail server."
    people = Participant.objects.filter(pk__in=owner_ids).exclude(user__email="")
    is_reached = people.filter(user__isnull=False).exists()
    return "" if is_reached else "None are sent: this person has no account with a mail address."


def _greeting(turn: Turn[ConciergeState], briefing: Snapshot) -> Iterator[GuideEvent]:
    opening = yield from staged(
        turn.llm,
        greeting.STAGE,
        _("Looking at your day"),
        lambda: greeting.suggest_with_model(briefing, turn.llm, delimiter_of(turn)),
    )
    opening = opening or greeting.greet(briefing)
    yield Text(opening.intro)
    yield presenter.suggested(opening.suggestions, "greeting")
    turn.state.greeted_on = briefing.today
    turn.state.memory.suggestions = [
        suggestion.say or suggestion.text for suggestion in opening.suggestions
    ]
