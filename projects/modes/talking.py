"""What audit and forecast share: a conversation that begins with its result and only reads."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

from django.utils.translation import gettext as _

from chat.assistant import provenance
from chat.assistant.delimiter import delimiter_of
from chat.assistant.toolset import Acting, Toolset
from chat.assistant.turn import AssistantTurn, Prompt
from chat.commands.scope import OwnScope
from chat.guides import Guide, GuideEvent, StateChanged, Text, Turn
from futura.errors import ModelUnavailable
from futura.llm.tools import ToolRejected
from projects.modes.rows import ProjectRows, plan_of
from projects.modes.state import AgentState
from projects.modes.tools import reading_tools

STAGE: Final = "agent_tools"
StateT = TypeVar("StateT", bound=AgentState)
Events = Iterator[GuideEvent]


class ReadingAnswer(Generic[StateT]):
    """One message being answered from the project as it stands. Raises ToolRejected without one."""

    def __init__(self, turn: Turn[StateT]) -> None:
        self.turn = turn
        self.state = turn.state
        self.text = turn.message.text.strip() if turn.message else ""
        self.rows = ProjectRows.of(turn)
        self.delimiter = delimiter_of(turn)
        self.plan = plan_of(self.rows)
        if turn.message is not None:
            self.state.turns += 1

    def events(self) -> Events:
        """Everything that is said to it."""
        raise NotImplementedError

    def talk(
        self, *, instructions: str, records: str, version: str, acts: Sequence[Acting] = ()
    ) -> Generator[GuideEvent, None, bool]:
        """The model's answer, letter by letter; False where none came before a word was said.

        It may read with the tools of `projects.modes.tools` and call `acts`, which change
        no row of the project. Raises ModelUnavailable when an answer breaks off after its first
        words.
        """
        toolset = Toolset(
            tools=(*reading_tools(self.rows), *acts),
            scope=lambda: OwnScope.of_actor(self.rows.actor),
        )
        prompt = Prompt(STAGE, _("Thinking"), instructions, records, version)
        assistant = AssistantTurn(provenance.careful(self.turn), toolset, prompt)
        try:
            yield from assistant.events()
        except ModelUnavailable:
            if assistant.has_begun:
                raise
            return False
        return bool(assistant.text.strip())


class ReadingGuide(Guide[StateT]):
    """Answers by `answer`; such conversations do not end: the next question may come any day."""

    answer: ClassVar[type[ReadingAnswer[Any]]]

    def respond(self, turn: Turn[StateT]) -> Events:
        """The result, or the answer to a message."""
        try:
            yield from self.answer(turn).events()
            yield StateChanged("agent")
        except ToolRejected:
            yield Text(_("The project of this conversation no longer exists."))
