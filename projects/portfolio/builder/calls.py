"""What can be done in the conversation about an entry: one typed call for each tool.

The names are the specification's. The model is offered these as they stand; the rules make the
same calls. Pictures are named by their number on the page (1 is the first). Nothing here reads or
writes; `projects.portfolio.builder.perform` carries calls out.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

TEXT_CHARS: Final = 10_000
WORD_CHARS: Final = 400
LISTED: Final = 30

TextField = Literal[
    "title", "entry_type", "location", "summary", "impact", "size_or_scope", "role",
    "organization", "context", "started", "ended", "repository_url", "live_url", "seo_title",
    "seo_description",
]  # fmt: skip
ListField = Literal["tags", "materials", "techniques", "tech_stack", "languages"]
Story = Literal["what", "problem", "process", "outcome"]
Word = Annotated[str, Field(min_length=1, max_length=WORD_CHARS)]
Words = Annotated[list[Word], Field(max_length=LISTED)]
Number = Annotated[int, Field(ge=1, le=200)]


class Asked(BaseModel):
    """What all calls have in common."""

    model_config = ConfigDict(extra="forbid")


class Extract(Asked):
    """What the person's last message says about the work; only what they said, in their words.

    Null leaves something as it is. `what`, `problem`, `process` and `outcome` are paragraphs of the
    story: what it is, what was wrong before, how it was done, what came of it.
    """

    tool: SkipJsonSchema[Literal["extractProjectData"]] = "extractProjectData"
    title: Word | None = None
    entry_type: Word | None = Field(None, description="Such as: web service, chair, study.")
    location: Word | None = None
    organization: Word | None = Field(None, description="For whom, or at which company.")
    context: Literal["personal", "work", "oss", "academic", "other"] | None = None
    role: Word | None = Field(None, description="What the owner did themselves.")
    started: str | None = Field(None, description="YYYY-MM or YYYY", max_length=7)
    ended: str | None = Field(None, description="YYYY-MM or YYYY", max_length=7)
    impact: str | None = Field(None, max_length=2_000)
    repository_url: str | None = Field(None, max_length=500)
    live_url: str | None = Field(None, max_length=500)
    materials: Words | None = None
    techniques: Words | None = None
    tech_stack: Words | None = Field(None, description="Software and tools.")
    languages: Words | None = Field(None, description="Programming languages.")
    what: str | None = Field(None, max_length=TEXT_CHARS)
    problem: str | None = Field(None, max_length=TEXT_CHARS)
    process: str | None = Field(None, max_length=TEXT_CHARS)
    outcome: str | None = Field(None, max_length=TEXT_CHARS)


class Clarify(Asked):
    """One short question, with answers to tap where there are obvious ones."""

    tool: SkipJsonSchema[Literal["requestClarification"]] = "requestClarification"
    question: str = Field(min_length=1, max_length=400)
    alternatives: list[Annotated[str, Field(min_length=1, max_length=120)]] = Field(
        default_factory=list, max_length=5
    )


class AskForImages(Asked):
    """Shows the field for pictures in the conversation."""

    tool: SkipJsonSchema[Literal["promptForImages"]] = "promptForImages"
    why: str = Field("", max_length=300, description="Which pictures would help, in one sentence.")


class Preview(Asked):
    """Shows the preview as it stands now."""

    tool: SkipJsonSchema[Literal["showPortfolioPreview"]] = "showPortfolioPreview"


class QuickActions(Asked):
    """Which next steps to offer first; those that do not fit the entry are not shown."""

    tool: SkipJsonSchema[Literal["suggestQuickActions"]] = "suggestQuickActions"
    actions: list[
        Literal["pictures", "hero", "draft", "layout", "check", "publish", "skip", "more", "undo"]
    ] = Field(max_length=5)


class UpdateField(Asked):
    """Another value for one field: `value` for texts, `items` for lists.

    Lists: `replace`, `append` or `remove` items.
    """

    tool: SkipJsonSchema[Literal["updateField"]] = "updateField"
    field: TextField | ListField
    value: str | None = Field(None, max_length=2_000)
    items: Words | None = None
    mode: Literal["replace", "append", "remove"] = "replace"


class Regenerate(Asked):
    """A new wording of one short text; it is shown first, and kept when the person says so."""

    tool: SkipJsonSchema[Literal["regenerateSection"]] = "regenerateSection"
    section: Literal["title", "summary", "seo_title", "seo_description"]
    wish: str = Field("", max_length=300, description="How it shall be, in the person's words.")


class ReorderImages(Asked):
    """Which picture is the hero, and the order of the others, by their numbers."""

    tool: SkipJsonSchema[Literal["reorderImages"]] = "reorderImages"
    hero: Number | None = None
    order: list[Number] | None = Field(None, max_length=200)


class DescribeImage(Asked):
    """What is to be seen on a picture (for those who cannot see it), and its caption."""

    tool: SkipJsonSchema[Literal["describeImage"]] = "describeImage"
    image: Number
    alt: str | None = Field(None, max_length=300)
    caption: str | None = Field(None, max_length=300)


class Validate(Asked):
    """The server's check before publishing: each rule that fails."""

    tool: SkipJsonSchema[Literal["validateForPublish"]] = "validateForPublish"


class Generate(Asked):
    """Writes title, summary, description and search texts from what was told; shown first."""

    tool: SkipJsonSchema[Literal["generatePortfolioContent"]] = "generatePortfolioContent"
    wish: str = Field("", max_length=500, description="Tone or emphasis the person asked for.")


class CheckReady(Asked):
    """Reads the whole entry as a visitor would: what fails, and what would make it better."""

    tool: SkipJsonSchema[Literal["checkPublishReady"]] = "checkPublishReady"


class Compose(Asked):
    """Lays out blocks and pictures; a proposal that changes nothing."""

    tool: SkipJsonSchema[Literal["composePortfolioLayout"]] = "composePortfolioLayout"
    wish: str = Field("", max_length=500)


class BlockIn(Asked):
    """One block: only what its type needs is set. Pictures by their numbers."""

    type: Literal["heading", "text", "gallery", "before_after", "quote", "facts"]
    text: str | None = Field(None, max_length=TEXT_CHARS)
    said_by: str | None = Field(None, max_length=200)
    images: list[Number] | None = Field(None, max_length=40)
    caption: str | None = Field(None, max_length=300)
    facts: list[FactIn] | None = Field(None, max_length=20)


class FactIn(Asked):
    """A line of a small table."""

    label: str = Field(min_length=1, max_length=80)
    value: str = Field(min_length=1, max_length=300)


class UpdateBlocks(Asked):
    """Keeps the proposal that is shown, or one change of the description.

    `proposal`: what was laid before the person, after they said yes. `append`: new blocks at the
    end. `replace`: words that stand in a text (`old`) become others (`new`). `remove`: the
    block of a number, or all up to the block `to`. `move`: a block to the place `to`.
    """

    tool: SkipJsonSchema[Literal["updateDescriptionBlocks"]] = "updateDescriptionBlocks"
    do: Literal["proposal", "append", "replace", "remove", "move"]
    blocks: list[BlockIn] | None = Field(None, max_length=20)
    old: str | None = Field(None, max_length=TEXT_CHARS)
    new: str | None = Field(None, max_length=TEXT_CHARS)
    block: Number | None = None
    to: Number | None = None


class Publish(Asked):
    """Asks to publish the entry or to take it offline; the person has to approve it."""

    tool: SkipJsonSchema[Literal["publishEntry"]] = "publishEntry"
    public: bool = True


class Undo(Asked):
    """Takes back the last change of this conversation."""

    tool: SkipJsonSchema[Literal["undoLast"]] = "undoLast"


FAST: Final = (
    Extract, Clarify, AskForImages, Preview, QuickActions, UpdateField, Regenerate, ReorderImages,
    DescribeImage, Validate, UpdateBlocks, Publish, Undo,
)  # fmt: skip
DEEP: Final = (Generate, CheckReady, Compose)
Call = Annotated[
    Extract
    | Clarify
    | AskForImages
    | Preview
    | QuickActions
    | UpdateField
    | Regenerate
    | ReorderImages
    | DescribeImage
    | Validate
    | Generate
    | CheckReady
    | Compose
    | UpdateBlocks
    | Publish
    | Undo,
    Field(discriminator="tool"),
]
KINDS: Final[tuple[type[Asked], ...]] = get_args(get_args(Call)[0])
WRITES: Final = frozenset(
    {
        *("extractProjectData", "updateField", "reorderImages", "describeImage"),
        *("updateDescriptionBlocks", "publishEntry", "undoLast"),
    }
)
TEXTS: Final[tuple[str, ...]] = get_args(TextField)
LISTS: Final[tuple[str, ...]] = get_args(ListField)
STORY: Final[tuple[Story, ...]] = get_args(Story)

BlockIn.model_rebuild()
UpdateBlocks.model_rebuild()


def json_of(call: Asked) -> dict[str, object]:
    """A call as JSON, without what was not said."""
    return call.model_dump(mode="json", exclude_none=True, exclude_defaults=False)
