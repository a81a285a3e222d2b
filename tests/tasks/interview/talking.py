"""Plays conversations with the guide itself, without an engine: what it yields and remembers."""

from __future__ import annotations

import uuid
from typing import Any

from chat.guides import Ended, GuideEvent, Part, StageDone, Text, Turn, Utterance
from futura.llm.client import Llm
from tasks.interview.guide import SurveyGuide
from tasks.interview.state import AskedQuestion, Card, Mention, SurveyState, Tool


class Talk:
    """One conversation; `say()` without words is the opening."""

    def __init__(self, title: str = "Data Analyst", *, seed: int = 1, **state: Any) -> None:
        self.state = SurveyState(job_title=title, **state)
        self.history: list[Utterance] = []
        self.replies: list[str] = []
        self.events: list[GuideEvent] = []
        self.session_id = uuid.UUID(int=seed)

    def say(self, text: str | None = None) -> str:
        """One turn through the guide, with the state stored and read back as the engine does."""
        message = None if text is None else Utterance("user", text, uuid.uuid4())
        stored = self.state.model_dump(mode="json", by_alias=True)
        turn = Turn(
            session_id=self.session_id,
            run_id=uuid.uuid4(),
            message=message,
            history=list(self.history),
            state=SurveyState.model_validate(stored),
            llm=Llm(),
        )
        self.events = list(SurveyGuide().respond(turn))
        self.state = turn.state
        reply = "".join(event.delta for event in self.events if isinstance(event, Text))
        self.replies.append(reply)
        self.history += [message] if message else []
        self.history.append(Utterance("assistant", reply, uuid.uuid4()))
        return reply

    def pick(self, *numbers: int) -> None:
        """Taps cards of the last display by their place, from 1."""
        shown = [c.id for c in self.state.cards if c.display == self.state.suggestions_shown]
        self.state.selected_suggestion_ids += [shown[number - 1] for number in numbers]

    @property
    def tools(self) -> list[str]:
        return [tool.value for tool in self.state.actions_taken]

    @property
    def tool(self) -> str:
        return self.tools[-1]

    @property
    def has_ended(self) -> bool:
        return any(isinstance(event, Ended) for event in self.events)

    def shown(self, kind: str) -> dict[str, Any]:
        found = [e.data for e in self.events if isinstance(e, Part) and e.data["type"] == kind]
        return dict(found[0])

    def stage(self, name: str) -> StageDone:
        return next(e for e in self.events if isinstance(e, StageDone) and e.name == name)


GROUPS = ("informationInput", "mentalProcesses", "workOutput", "interactingWithOthers")
WORK = (
    "inspect bridges for rust", "test water samples", "compare supplier offers",
    "plan the weekly rota", "write incident logs", "repair pumps", "train apprentices",
    "negotiate with landlords", "drive the snow plough", "paint road markings",
    "count traffic at junctions", "draft tender papers", "brief the night crew",
    "order grit and salt", "calibrate scales", "read blueprints", "answer residents' letters",
    "check contractors' invoices",
)  # fmt: skip


def with_tasks(count: int, *, groups: int = 4) -> list[Mention]:
    """So many distinct activities, spread over so many groups."""
    return [
        Mention(text=WORK[at], message_id="m", groups=[GROUPS[at % groups]]) for at in range(count)
    ]


def shown_cards(count: int = 5, display: int = 1) -> list[Card]:
    """Cards as an earlier turn showed them."""
    return [
        Card(
            id=f"card-{display}-{n}",
            statement=f"Handle matter number {'alpha beta gamma delta epsilon'.split()[n - 1]}",
            group=GROUPS[n % 4],
            display=display,
        )
        for n in range(1, count + 1)
    ]


def midway(*, tasks: int, turns: int, clarified: bool = True, **more: Any) -> Talk:
    """A conversation that has come to the given point."""
    talk = Talk(
        turn_count=turns,
        mentioned_activities=with_tasks(tasks, groups=more.pop("groups", 4)),
        has_asked_clarifying_question=clarified,
        **{"actions_taken": [Tool.OPEN, Tool.CUSTOM], **more},
    )
    talk.state.asked = [AskedQuestion(question="What fills your week?", area="opening")]
    talk.state.raise_coverage()
    talk.history = [Utterance("assistant", "What kinds of problems end up with you?", uuid.uuid4())]
    return talk
