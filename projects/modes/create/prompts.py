"""What the creating conversation asks of the model: typed input in, messages out, typed answers."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from pydantic import BaseModel, Field

from projects.dimensions import DIMENSIONS, DimensionName, with_dimensions
from projects.fields import Priority

REPLY_VERSION: Final = "create-response-5"
TOOLS_VERSION: Final = "create-tools-5"
DUMP_CHARS: Final = 50_000
Step = Literal["listen", "ask", "probe", "again", "preview"]

_NINE: Final = "\n".join(f"- {dimension.field}: {dimension.about}" for dimension in DIMENSIONS)
_STEPS: Final[dict[Step, str]] = {
    "listen": "Ask no question yet: invite them to go on telling.",
    "ask": (
        "Then put one question: the one whose answer would change the plan most, about one of the "
        "open dimensions, following from what they have told. `question` is a plain one on the "
        "first of them: put a better one. Never repeat a question."
    ),
    "probe": "Their answer could be anybody's: ask once for an example, a number or a name.",
    "again": "They corrected something. Confirm it, then put the question that is still open.",
    "preview": (
        "The draft is displayed below your answer, with a button that makes the project. Say so in "
        "one sentence and ask whether it shall be created like this."
    ),
}


@with_dimensions(lambda _one: (int, Field(ge=0, le=10)))
class Relevance(BaseModel):
    """How much each dimension matters for this project, 0 to 10."""

    VERSION: ClassVar[str] = "detection-1"


class ReadDimension(BaseModel):
    """What the message says on one dimension, in Markdown; `quote` is where it says so."""

    dimension: DimensionName
    content: str
    quote: str = ""


class ReadPerson(BaseModel):
    """Somebody who is involved, and as what."""

    name: str
    role: str = ""
    quote: str = ""


class ReadDate(BaseModel):
    """A day on which the project starts or ends, as YYYY-MM-DD."""

    of: Literal["start", "end"]
    date: str
    quote: str = ""


class ReadTask(BaseModel):
    """A task that the person named. Days as YYYY-MM-DD, estimates in working days.

    `depends_on` are titles of tasks that must be done first.
    """

    title: str
    due_date: str | None = None
    start_date: str | None = None
    estimate_low_days: float | None = None
    estimate_high_days: float | None = None
    owner: str | None = None
    priority: Priority | None = None
    depends_on: list[str] = Field(default_factory=list)
    quote: str = ""


class Corrected(BaseModel):
    """An earlier statement that the message takes back; `old` stands in the draft like that."""

    dimension: DimensionName
    old: str
    new: str


class Wishes(BaseModel):
    """What a message says about the conversation itself."""

    question_about: DimensionName | None = None
    is_vague: bool = False
    does_not_know: bool = False
    wants_draft: bool = False
    asks_for_change: bool = False
    ask_about: DimensionName | None = None


class Reading(Wishes):
    """Everything that one message tells."""

    VERSION: ClassVar[str] = "reading-5"

    dimensions: list[ReadDimension]
    people: list[ReadPerson] = Field(default_factory=list)
    dates: list[ReadDate] = Field(default_factory=list)
    tasks: list[ReadTask]
    tags: list[str] = Field(default_factory=list)
    corrections: list[Corrected]
    name: str | None
    description: str | None
    summary: str | None


class FirstTask(BaseModel):
    """A task to begin with."""

    title: str


class FirstTasks(BaseModel):
    """A handful of first tasks, in a sensible order."""

    VERSION: ClassVar[str] = "first-tasks-3"

    tasks: list[FirstTask] = Field(max_length=12)


DETECTION: Final = (
    "Somebody tells of a project. Judge for each of nine dimensions how much a conversation "
    "about it would help this project, from 0 to 10: 10 when the project cannot do without, 7 "
    "to 9 when it is important, 4 to 6 when it is good to have, 0 to 3 when it does not "
    "matter here. Weigh what they named themselves, what projects of this kind depend on, and "
    f"what would be gained by asking.\n{_NINE}"
)
READING: Final = (
    "You keep the notes of a conversation in which a project takes shape, in whatever language "
    "it is held. Take everything from the person's message and put each part under the "
    "dimension it belongs to. Keep their words, language and facts; shorten, never add, never "
    "guess. `quote` is the stretch of the message (or file) that says so, copied letter by "
    "letter.\n"
    f"{_NINE}\n\n"
    "`people`: everybody named, with what they do. `dates`: when the project starts or ends. "
    "`tasks`: only what the person says has to be done, with days, owner, estimate, priority and "
    "the tasks it waits for where they say so. `tags`: only words they give as tags. `name`, where "
    "the draft has none or they give another; `description` in one or two sentences and "
    "`summary` when the message allows it, else null. `corrections` take back something in "
    "the draft: copy the old words exactly as they stand there. The message answers `last "
    "reply`; `question_about` is the dimension that its question was about. `is_vague` when the "
    "answer could be anybody's; `does_not_know` when they cannot say; `wants_draft` when they want "
    "no more questions, or to see the draft or have it created; `asks_for_change` when they want "
    "something of the draft changed that these fields cannot say, such as a task changed or "
    "removed or a date taken away; `ask_about` the dimension they ask to be asked about.\n"
    "Today is {today}."
)
FIRST_TASKS: Final = (
    "Name the first tasks of this project, in the language of the draft: concrete, each doable "
    "in one sitting or a few days, each beginning with a verb, in the order in which they "
    "would be done. Do not repeat the tasks that are there already. As many as bring the list "
    "to five, at most seven. Rely on the draft alone."
)


def replying(step: Step, *, today: str, may_stop: bool) -> str:
    """How to reply to the person: what was taken from their message, then the step's question."""
    return (
        "You are a consultant who helps somebody think a project through: curious, patient, never "
        "a form. Answer in the language of their last message, in at most three short sentences. "
        "First say in one sentence what you took from their message, without praise. "
        f"{_STEPS[step]} Do not list what you noted, and never say that you created, "
        "changed, sent or published anything."
        + (" Add that they may also stop here and look the draft over." if may_stop else "")
        + f" Today is {today}."
    )


def adjusting(today: str, *, is_preview: bool) -> str:
    """For changes of the draft, with tools."""
    confirming = (
        "The draft has been shown to the person for confirmation. Call `finalise_draft` only when "
        "their message agrees to the draft as it stands: not when they put it off or refuse, and "
        "not when they want something changed first; then change it, and it is shown again. "
        if is_preview
        else "The project is still being talked into shape; it cannot be created yet. In the end "
        "put the question again that is still open. "
    )
    return (
        f"{confirming}Carry out what they ask for with the tools: name, dates, tags, dimensions, "
        "tasks (also changed or removed), loose information into the context; `ask_about` where "
        "they want a question on something. Change long texts by `parts`; to replace one, give "
        "the draft's version. Use their words and facts only. When nothing is to be changed, "
        "ask what they would like to adjust. Answer in their language, in at most two sentences. "
        f"Today is {today}."
    )
