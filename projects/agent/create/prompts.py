"""What the creating conversation asks of the model: typed input in, messages out, typed answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from pydantic import BaseModel, Field

from futura.llm.client import ChatMessage
from projects.agent.fencing import Fence
from projects.dimensions import DIMENSIONS, DimensionName

RESPONSE_VERSION: Final = "create-response-1"
TOOLS_VERSION: Final = "create-tools-1"
RECENT: Final = 8
DUMP_CHARS: Final = 50_000

_NINE: Final = "\n".join(f"- {one.field}: {one.about}" for one in DIMENSIONS)


class Relevance(BaseModel):
    """How much each dimension matters for this project, 0 to 10."""

    VERSION: ClassVar[str] = "detection-1"

    core_integrity_ideals: int = Field(ge=0, le=10)
    core_people_bonds: int = Field(ge=0, le=10)
    core_goals_momentum: int = Field(ge=0, le=10)
    core_meaning_identity: int = Field(ge=0, le=10)
    core_reality_understanding: int = Field(ge=0, le=10)
    core_trust_safeguards: int = Field(ge=0, le=10)
    core_opportunity_freedom: int = Field(ge=0, le=10)
    core_power_resources: int = Field(ge=0, le=10)
    core_harmony_integration: int = Field(ge=0, le=10)


class Told(BaseModel):
    """What the message says on one dimension, in Markdown, in the person's own words."""

    dimension: DimensionName
    content: str


class ToldTask(BaseModel):
    """A task that the person named; `due_date` as YYYY-MM-DD where they named a day."""

    title: str
    due_date: str | None


class Corrected(BaseModel):
    """An earlier statement that the message takes back."""

    dimension: DimensionName
    old: str
    new: str


class Reading(BaseModel):
    """Everything that one message tells."""

    VERSION: ClassVar[str] = "reading-2"

    dimensions: list[Told]
    tasks: list[ToldTask]
    corrections: list[Corrected]
    name: str | None
    description: str | None
    summary: str | None
    is_vague: bool
    does_not_know: bool
    wants_draft: bool = False
    ask_about: DimensionName | None = None


class FirstTask(BaseModel):
    """A task to begin with."""

    title: str
    details: str | None


class FirstTasks(BaseModel):
    """A handful of first tasks, in a sensible order."""

    VERSION: ClassVar[str] = "first-tasks-1"

    tasks: list[FirstTask] = Field(max_length=12)


@dataclass(frozen=True)
class ReadingInput:
    """One message, the question it answers, and the draft so far."""

    message: str
    question: str
    asked_about: str
    draft: str
    today: str
    files: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class ReplyInput:
    """What the reply has to do: acknowledge, then put exactly this question."""

    message: str
    question: str
    purpose: str
    noted: Sequence[str] = ()
    hint: str = ""


def detection_messages(text: str, fence: Fence) -> list[ChatMessage]:
    """Which dimensions matter for a project that is told like this."""
    instructions = (
        "Somebody tells of a project. Judge for each of nine dimensions how much a conversation "
        "about it would help this project, from 0 to 10: 10 when the project cannot do without, 7 "
        "to 9 when it is important, 4 to 6 when it is good to have, 0 to 3 when it does not "
        "matter here. Weigh what they named themselves, what projects of this kind depend on, and "
        f"what would be gained by asking.\n{_NINE}\n\n{fence.rule}"
    )
    return [
        {"role": "system", "content": instructions},
        {"role": "user", "content": fence.around("told", text[:DUMP_CHARS])},
    ]


def reading_messages(given: ReadingInput, fence: Fence) -> list[ChatMessage]:
    """What one message says on which dimension, and which tasks it names."""
    instructions = (
        "You keep the notes of a conversation in which a project takes shape. Take from the "
        "person's message what it says, and put each part under the dimension it belongs to. Keep "
        "their words and facts; shorten, never add, never guess. A sentence may be left out when "
        "it says nothing about the project. The answer to the question belongs to the dimension "
        "that was asked about, even when it is short.\n"
        f"{_NINE}\n\n"
        "Tasks are only what the person says they have to do. A name, a description of one or two "
        "sentences and a summary are given when the message allows it, else null. A correction "
        "takes back something in the draft: copy the old words exactly as they stand there. "
        "`is_vague` when the answer could be anybody's; `does_not_know` when they cannot say; "
        "`wants_draft` when they want no more questions, or to see the draft or have it created; "
        "`ask_about` the dimension they ask to be asked about.\n"
        f"Today is {given.today}. {fence.rule}"
    )
    material = fence.blocks(
        [
            ("draft", given.draft),
            ("question", f"{given.question}\n({given.asked_about})" if given.question else ""),
            *given.files,
            ("message", given.message[:DUMP_CHARS]),
        ]
    )
    return [
        {"role": "system", "content": instructions},
        {"role": "user", "content": material},
    ]


def reply_messages(
    given: ReplyInput, past: Sequence[ChatMessage], fence: Fence
) -> list[ChatMessage]:
    """The reply to the person: one short acknowledgement, then the question."""
    instructions = (
        "You help somebody put a project into words: curious, patient, never a form. Answer in at "
        "most three short sentences. First say in one sentence what you took from their message, "
        "without praise. Then put the question you are given, in your own words, and no other "
        "question. Do not list what you noted, and never say that you created, changed, sent or "
        f"published anything.\n{fence.rule}"
    )
    material = fence.blocks(
        [
            ("message", given.message[:4_000]),
            ("noted", "\n".join(given.noted)),
            ("question", given.question),
            ("purpose", given.purpose),
            ("hint", given.hint),
        ]
    )
    return [
        {"role": "system", "content": instructions},
        *past[-RECENT:],
        {"role": "user", "content": material},
    ]


def first_task_messages(draft: str, said: Sequence[str], fence: Fence) -> list[ChatMessage]:
    """First tasks for a project as it stands in its draft."""
    instructions = (
        "Name the first tasks of this project: concrete, each doable in one sitting or a few days, "
        "each beginning with a verb, in the order in which they would be done. Do not repeat the "
        "tasks that are there already. As many as bring the list to five, at most seven. Rely on "
        f"the draft alone.\n{fence.rule}"
    )
    return [
        {"role": "system", "content": instructions},
        {
            "role": "user",
            "content": fence.blocks([("draft", draft), ("tasks", "\n".join(said))]),
        },
    ]


def adjusting_instructions(today: str, fence: Fence) -> str:
    """For the last look at the draft, with tools."""
    return (
        "A draft of a project has been shown to the person for confirmation. Carry out what they "
        "ask for with the tools: its name and dates, dimensions, tasks, loose information as a "
        "note; `ask_about` where they want a question on something. Use their words "
        "and facts only. Call `finalize_draft` only when their message says yes to the draft as it "
        "stands: not when they put it off, and not when they want something changed first. "
        "When nothing needs changing, ask what they would like to adjust. Two sentences at most, "
        f"and say only what the tools have reported. Today is {today}. {fence.rule}"
    )
