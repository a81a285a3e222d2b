"""The survey guide's memory: one typed record per conversation, in the API's camelCase names."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, Literal

from pydantic import AliasGenerator, BaseModel, ConfigDict, Field, computed_field
from pydantic.alias_generators import to_camel

from onet.candidates import ActivityGroup

Level = Literal["none", "low", "medium", "high"]
Engagement = Literal["low", "medium", "high"]
ENGAGEMENTS: Final[tuple[Engagement, ...]] = ("low", "medium", "high")
LEVELS: Final[tuple[Level, ...]] = ("none", "low", "medium", "high")


class Tool(StrEnum):
    """What the guide may do in a turn; exactly one is chosen."""

    OPEN = "open_ended_prompt"
    FOLLOW_UP = "follow_up"
    CUSTOM = "custom_question"
    SUGGEST = "show_suggestions"
    ENCOURAGE = "encourage_more"
    OFFER = "offer_to_proceed"
    PROCEED = "proceed"


CLARIFYING: Final = frozenset({Tool.FOLLOW_UP, Tool.CUSTOM})
"""Tools whose question counts as the clarifying one (DECISIONS 2)."""

GOOD_GROUPS: Final = 3
"""So many groups at medium or above are good coverage (spec 1, exit conditions)."""


GROUPS_COUNTED: Final = 2
"""An activity that is work of several groups ("data analysis with SQL") counts in so many."""


class Record(BaseModel):
    """Reads snake_case and camelCase, writes camelCase with `by_alias`."""

    model_config = ConfigDict(
        alias_generator=AliasGenerator(alias=to_camel),
        populate_by_name=True,
        serialize_by_alias=True,
    )


class Mention(Record):
    """One thing the person said they do, with where it was said.

    `groups` come best first, `task_id` is the statement of the catalogue that says the same, if
    one does. `start` and `end` are positions in the message; both None when it came from a
    confirmed question or has no place of its own. `terse` means that one would want to know more,
    `by_hand` that the person marked the words themselves.
    """

    text: str
    message_id: str = ""
    groups: list[ActivityGroup] = Field(default_factory=list)
    activity_ids: list[str] = Field(default_factory=list)
    task_id: str = ""
    start: int | None = None
    end: int | None = None
    terse: bool = False
    by_hand: bool = False


class LeftOut(Record):
    """A stretch of a message that the person took out of the tasks, with what was noted there."""

    message_id: str
    start: int
    end: int
    mentions: list[Mention] = Field(default_factory=list)


class Card(Record):
    """A suggestion card as it was shown; `task_id` is the catalogue's, empty for other cards."""

    id: str
    statement: str
    group: ActivityGroup
    display: int = 1
    task_id: str = ""


class AskedQuestion(Record):
    """A question that was put, its gap area, and the work activity that it was about, if one."""

    question: str
    area: str = ""
    element: str = ""


class SurveyState(Record):
    """Everything the guide remembers between turns.

    `language` is the tag of the language the person writes in, as the model names it;
    `expected_language` is the campaign's or the browser's, for talks without a model.
    `activity_counts` are activities by group where only the model knows their groups.
    `covered_statements` are ids of statements of the catalogue which, as the model says, the
    person's words stand for; `week_percent` is `gaps.week_percent` of the last turn.
    """

    job_title: str = ""
    occupation_code: str = ""
    language: str = ""
    expected_language: str = ""
    turn_count: int = 0

    mentioned_activities: list[Mention] = Field(default_factory=list)
    left_out: list[LeftOut] = Field(default_factory=list)
    activity_counts: dict[ActivityGroup, int] = Field(default_factory=dict)
    gwa_coverage: dict[ActivityGroup, Level] = Field(
        default_factory=lambda: dict.fromkeys(ActivityGroup, LEVELS[0])
    )
    user_engagement: Engagement = "medium"
    user_wants_to_stop: bool = False
    has_asked_clarifying_question: bool = False
    is_complete: bool = False

    actions_taken: list[Tool] = Field(default_factory=list)
    suggestions_shown: int = 0
    follow_ups_asked: int = 0
    cards: list[Card] = Field(default_factory=list)
    selected_suggestion_ids: list[str] = Field(default_factory=list)
    acknowledged_ids: list[str] = Field(default_factory=list)
    pending_suggestions: list[str] = Field(default_factory=list)
    asked: list[AskedQuestion] = Field(default_factory=list)
    covered_statements: list[str] = Field(default_factory=list)
    week_percent: int | None = None
    used_phrases: list[str] = Field(default_factory=list)

    brief_streak: int = 0
    no_streak: int = 0
    offered_on_turn: int | None = None

    @computed_field(alias="estimatedTaskCount")  # type: ignore[prop-decorator]
    @property
    def estimated_task_count(self) -> int:
        """Distinct activities plus selected cards: what every threshold counts (DECISIONS 6)."""
        return len(self.mentioned_activities) + len(self.selected_suggestion_ids)

    @computed_field(alias="underexploredActivities")  # type: ignore[prop-decorator]
    @property
    def underexplored_activities(self) -> list[str]:
        return [mention.text for mention in self.mentioned_activities if mention.terse]

    @computed_field(alias="previouslyAcknowledgedSelections")  # type: ignore[prop-decorator]
    @property
    def previously_acknowledged_selections(self) -> int:
        """How many of the selected cards were acknowledged."""
        return len(self.selected_suggestion_ids) - len(self.new_card_ids)

    @computed_field(alias="shownSuggestionStatements")  # type: ignore[prop-decorator]
    @property
    def shown_suggestion_statements(self) -> list[str]:
        return [card.statement for card in self.cards]

    @property
    def basic_language(self) -> str:
        """The tag of the language that basic mode reads messages in."""
        return self.language or self.expected_language or "en"

    @property
    def new_card_ids(self) -> list[str]:
        """Selected and not yet acknowledged, by id (DECISIONS 6)."""
        return [i for i in self.selected_suggestion_ids if i not in set(self.acknowledged_ids)]

    @property
    def selected_cards(self) -> list[Card]:
        chosen = set(self.selected_suggestion_ids)
        return [card for card in self.cards if card.id in chosen]

    @property
    def last_tool(self) -> Tool | None:
        return self.actions_taken[-1] if self.actions_taken else None

    @property
    def is_dump(self) -> bool:
        """The first message came with the start form, before any opening question."""
        return self.turn_count == 1 and Tool.OPEN not in self.actions_taken

    @property
    def groups_covered(self) -> int:
        return sum(level in ("medium", "high") for level in self.gwa_coverage.values())

    @property
    def has_good_coverage(self) -> bool:
        return self.groups_covered >= GOOD_GROUPS

    @property
    def activity_texts(self) -> list[str]:
        return [m.text for m in self.mentioned_activities] + [
            card.statement for card in self.selected_cards
        ]

    def raise_coverage(self) -> None:
        """Counts activities per group again; a level never falls (DECISIONS 16)."""
        for group in ActivityGroup:
            count = self.activity_counts.get(group, 0)
            count += sum(group in m.groups[:GROUPS_COUNTED] for m in self.mentioned_activities)
            count += sum(card.group == group for card in self.selected_cards)
            level = level_for(count)
            if LEVELS.index(level) > LEVELS.index(self.gwa_coverage.get(group, "none")):
                self.gwa_coverage[group] = level


def language_of(stored: Mapping[str, Any]) -> str:
    """`SurveyState.basic_language` of a stored state, without reading all of it."""
    return str(stored.get("language") or stored.get("expectedLanguage") or "en")


def level_for(count: int) -> Level:
    """1 low, 2 and 3 medium, 4 and more high (DECISIONS 16)."""
    if count >= 4:
        return "high"
    return "none" if count == 0 else "low" if count == 1 else "medium"
