"""What the conversations about a project share: one message being answered, the model's answers
with tools, and what it may read."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

from django.utils.translation import gettext as _

from chat.assistant import provenance
from chat.assistant.cards import ledger_part
from chat.assistant.delimiter import delimiter_of
from chat.assistant.toolset import Reading, Toolset, reading
from chat.assistant.turn import AssistantTurn, Prompt
from chat.assistant.undo import Undo, take_back
from chat.guides import Guide, GuideEvent, Part, StageDone, StageStarted, StateChanged, Text, Turn
from futura.errors import ModelUnavailable
from futura.llm.client import Llm
from futura.llm.tools import ToolRejected
from projects.commands.reads import ListTodos
from projects.dimensions import completeness
from projects.forecasting.inputs import Inputs
from projects.forecasting.results import Declined, Result
from projects.forecasting.wording import declined, forecast_text
from projects.modes import basic
from projects.modes.audit.auditing import computed
from projects.modes.basic import Tap
from projects.modes.rows import ProjectRows, Snapshot
from projects.modes.state import AgentState
from projects.outcomes import undone_words
from projects.toolset import read_note, read_project, read_todo

STAGE: Final = "agent_tools"
REPLY_CHARS: Final = 2_000
StateT = TypeVar("StateT", bound=AgentState)
AnswerT = TypeVar("AnswerT")
Events = Iterator[GuideEvent]


def talk(
    turn: Turn[Any],
    toolset: Toolset,
    *,
    label: str,
    instructions: str,
    records: Sequence[tuple[str, str]],
    version: str,
    stage: str = STAGE,
    snapshot: Snapshot | None = None,
) -> Generator[GuideEvent, None, AssistantTurn[Any] | None]:
    """The model's answer with tools, letter by letter; None without a model, and where it was away
    before a word or a deed.

    `snapshot` is what the records show. Raises ModelUnavailable when an answer breaks off after its
    first words or changes.
    """
    if not turn.llm.is_configured:
        return None
    delimiter = delimiter_of(turn)
    whole = snapshot.untruncated() if snapshot is not None else ()
    prompt = Prompt(
        stage, label, f"{instructions}\n{delimiter.rule}", delimiter.blocks(records), version, whole
    )
    assistant = AssistantTurn(turn, toolset, prompt)
    try:
        yield from assistant.events()
    except ModelUnavailable:
        if assistant.has_begun:
            raise
        return None
    return assistant


def staged(
    llm: Llm,
    stage: str,
    label: str,
    ask: Callable[[], AnswerT],
    detail: Callable[[AnswerT], Mapping[str, Any]] = lambda _answer: {},
) -> Generator[GuideEvent, None, AnswerT | None]:
    """What the model answers at a stage; None without one, and where it is away."""
    yield StageStarted(stage, label)
    if not llm.is_configured:
        yield StageDone(stage, "rules")
        return None
    try:
        answer = ask()
    except ModelUnavailable as error:
        yield fallen_back(stage, error)
        return None
    yield StageDone(stage, "model", detail(answer))
    return answer


def fallen_back(stage: str, error: ModelUnavailable) -> StageDone:
    """A stage that was done without the model, since it was away."""
    return StageDone(stage, "rules", {"fallback": True, "because": error.reason})


# Answering --------------------------------------------------------------------------------------
class Answer(Generic[StateT]):
    """One message being answered, from the rows as they stand; without a message the opening."""

    def __init__(self, turn: Turn[StateT]) -> None:
        self.turn, self.state, self.llm = turn, turn.state, turn.llm
        self.text = turn.message.text.strip() if turn.message else ""
        replies = (item.text for item in reversed(turn.history) if item.role == "assistant")
        self.last_reply = next(replies, "")[-REPLY_CHARS:]  # a question stands at the end
        self.files = provenance.carried_texts(turn.message) if turn.message else []
        self.rows = ProjectRows.of(turn)
        self.delimiter = delimiter_of(turn)

    def events(self) -> Events:
        """The answer to the message."""
        raise NotImplementedError

    def opening(self) -> Events:
        """The first word of the conversation; its result, where it begins with that."""
        return self.events()

    def undone(self) -> Generator[GuideEvent, None, bool]:
        """Basic mode's undo: whether the message asks to take changes back, or says whether what
        was created shall go, too.
        """
        wish, taps = basic.undo_in(self.text), basic.taps_in(self.text)
        if wish is None and self.state.undo_question is not None:
            if Tap.YES in taps:
                wish = Undo(confirmed=True)
            else:
                self.state.undo_question = None
        if wish is None:
            return False
        try:
            undone = take_back(wish, self.rows.working(), "undo")
        except ToolRejected as error:
            yield Text(str(error))
        else:
            yield Text(undone_words(undone))
            if undone.question is not None:
                yield yes_or_no()
        yield StateChanged("agent")
        yield Part(ledger_part(self.turn.run_id))
        return True


def reply_buttons(kind: str, sent: Mapping[str, str]) -> Part:
    """Buttons by their labels, with the message that each sends."""
    offers = [{"text": label, "say": text, "href": ""} for label, text in sent.items()]
    return Part({"type": "offers", "quiet": True, "kind": kind, "offers": offers})


def yes_or_no() -> Part:
    return reply_buttons("reply", {_("Yes"): _("Yes."), _("No"): _("No, leave it as it is.")})


class ProjectGuide(Guide[StateT]):
    """Answers by `answer`; such conversations do not end: the next message may come any day."""

    answer: ClassVar[type[Answer[Any]]]

    def respond(self, turn: Turn[StateT]) -> Events:
        try:
            if turn.message is None:
                yield from self.answer(turn).opening()
            else:
                turn.state.turns += 1
                yield from self.answer(provenance.careful(turn)).events()
            yield StateChanged("agent")
        except ToolRejected:
            yield Text(_("The project of this conversation no longer exists."))


# Reading tools ----------------------------------------------------------------------------------
def reading_tools(
    rows: ProjectRows, inputs: Inputs | None = None, result: Result | None = None
) -> list[Reading]:
    """Rows whole, standing, audit and forecast of the project; audit and forecast get no more.

    The forecast is that of `inputs`, where a conversation has assumptions of its own.
    """

    def tool(name: str, description: str, read: Callable[[], dict[str, Any]]) -> Reading:
        return Reading(name, description, provenance.Nothing, lambda _given, _working: read())

    return [
        read_project(),
        read_todo(),
        read_note(),
        reading(ListTodos),
        tool(
            "analyze_project_completeness",
            "Says which of the nine dimensions are covered and which need attention.",
            lambda: {
                item.dimension.field: str(item.word) for item in completeness(rows.plan().row)
            },
        ),
        tool(
            "generate_project_audit",
            "Audits the project over all nine dimensions: findings with severity and evidence.",
            lambda: _audit(rows),
        ),
        tool(
            "forecast_project",
            "Forecasts by simulation when the project may be finished, and what drives that.",
            lambda: (
                {"figures": forecast_text(inputs, result)} if inputs and result else _forecast(rows)
            ),
        ),
    ]


def _forecast(rows: ProjectRows) -> dict[str, Any]:
    plan = rows.plan()
    if isinstance(plan.result, Declined):
        return {"declined": declined(plan.result, plan.row.name)}
    return {"figures": forecast_text(plan.inputs, plan.result)}


def _audit(rows: ProjectRows) -> dict[str, Any]:
    audit = computed(rows.plan())
    texts = ("area", "observation", "question", "recommendation")
    return {
        "strengths": [text for text, _quote in audit.strengths],
        "findings": [
            {
                **{name: getattr(finding, name) for name in texts},
                "severity": finding.get_severity_display(),
                "evidence": finding.quotes,
            }
            for finding in audit.findings
        ],
    }
