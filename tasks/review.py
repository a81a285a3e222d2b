"""What the pages that check and show a list need: rows, totals, coverage, the state of the work."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import get_language, gettext as _, ngettext

from futura.errors import NotFound
from onet import queries as onet
from onet.candidates import ActivityGroup, is_starter
from onet.translations import translations_of
from tasks import queries
from tasks.campaigns.journey import fixed_words
from tasks.interview.state import language_of
from tasks.models import SurveyResponse, TaskMatch, WorkTask

CHART_CLASS: Final[Mapping[str, str]] = {
    ActivityGroup.INFORMATION_INPUT: "fill-information",
    ActivityGroup.MENTAL_PROCESSES: "fill-mental",
    ActivityGroup.WORK_OUTPUT: "fill-output",
    ActivityGroup.INTERACTING: "fill-interacting",
}
HALF: Final = 50
"""Percent of the time above which a part of it is most of it."""


def summary_of(review: Review) -> str:
    """How many tasks, where most time goes, how far AI helps."""
    if not review.living:
        return _("The task list is empty.")
    return " ".join(part for part in (_count(review), _time(review), _ai(review)) if part)


def _count(review: Review) -> str:
    count = len(review.living)
    return ngettext("%(count)s task.", "%(count)s tasks.", count) % {"count": count}


def _time(review: Review) -> str:
    """Where the largest part goes; it is most of the time only when it is more than half."""
    is_german = (get_language() or "").startswith("de")  # whose nouns keep their capitals
    shares = {
        label if is_german else label.lower(): review.totals.by_group[value]
        for value, label in zip(ActivityGroup.values, map(str, ActivityGroup.labels), strict=True)
    }
    shares[_("other work")] = review.totals.by_group[""]
    largest = max(shares.values())
    if not largest:
        return ""
    names = [name for name, share in shares.items() if share == largest]
    values = {"share": percent(largest), "group": get_text_list(names, _("and"))}
    if len(names) > 1:
        return _("The largest shares of the time, %(share)s %% each, go into %(group)s.") % values
    if largest > HALF:
        return _("Most of the time, %(share)s %%, goes into %(group)s.") % values
    return _("The largest share of the time, %(share)s %%, goes into %(group)s.") % values


def _ai(review: Review) -> str:
    """With how many of all tasks AI helps; of how many nobody has said so."""
    ai, level = review.totals.ai, WorkTask.AiLevel
    helped = ai[level.SOME] + ai[level.SIGNIFICANT]
    count, unsaid = review.totals.count, review.totals.without_ai
    counts = {"n": helped, "all": count, "unsaid": unsaid}
    if unsaid == count:
        return ""
    if unsaid:
        text = ngettext(
            "AI helps with %(n)d of %(all)d tasks; AI use is not set for %(unsaid)d.",
            "AI helps with %(n)d of %(all)d tasks; AI use is not set for %(unsaid)d.",
            unsaid,
        )
        return text % counts
    if not helped:
        return _("AI is not used for any task.")
    if helped < count:
        return _("AI helps with %(n)d of %(all)d tasks.") % counts
    return ngettext("AI helps with it.", "AI helps with all %(n)d tasks.", helped) % counts


TICKS = {
    TaskMatch.Confidence.HIGH: 4,
    TaskMatch.Confidence.MEDIUM: 3,
    TaskMatch.Confidence.LOW: 2,
    TaskMatch.Confidence.NONE: 0,
}
"""Ticks of five that stand for a confidence; a high score adds the fifth."""
PENDING = TaskMatch.Status.PENDING
FULL_SCORE = 0.85
SUMS = ("tasks/_dock.html", "tasks/_overview.html", "tasks/_last.html", "tasks/_lede.html")
"""What of the page follows every change of the list; each takes `review`, `response` and `oob`."""


@dataclass(frozen=True)
class Badge:
    word: str
    kind: str
    ticks: tuple[bool, ...]


def badge_of(match: TaskMatch | None) -> Badge:
    """How sure a match is; pending and missing ones have empty ticks."""
    if match is None or match.status == PENDING:
        return _badge(_("Matching"), "pending", 0)
    if match.status == TaskMatch.Status.FAILED:
        return _badge(_("Match failed"), "low", 0)
    if match.status == TaskMatch.Status.NONE:
        return _badge(_("No good match"), "none", 0)
    if match.method == TaskMatch.Method.PERSON:
        return _badge(_("Your choice"), "high", 5)
    if match.method == TaskMatch.Method.STAFF:
        return _badge(_("Selected in review"), "high", 5)
    level = TaskMatch.Confidence(match.confidence)
    full = level == TaskMatch.Confidence.HIGH and (match.score or 0) >= FULL_SCORE
    return _badge(str(level.label), level.value, TICKS[level] + full)


def _badge(word: str, kind: str, on: int) -> Badge:
    return Badge(word, kind, tuple(place < on for place in range(5)))


@dataclass(frozen=True)
class MatchCandidate:
    """A statement of the catalogue that could match; `key` is its place, counted from 1."""

    id: str
    text: str
    occupation_code: str
    occupation_title: str
    score: float | None
    is_chosen: bool
    key: int
    translation: str = ""
    """By the model, where the person's language is another one."""

    @property
    def is_starter(self) -> bool:
        return is_starter(self.id)


def candidates_of(
    rows: Iterable[Mapping[str, Any]],
    match: TaskMatch | None = None,
    translations: Mapping[str, str] = MappingProxyType({}),
) -> list[MatchCandidate]:
    """The stored candidates, those that come closest first; the chosen one of `match` is marked."""
    is_matched = match is not None and match.status == TaskMatch.Status.MATCHED
    chosen = match.onet_task_id if match is not None and is_matched else None
    return [
        MatchCandidate(
            id=str(row["task_id"]),
            text=str(row["text"]),
            occupation_code=str(row.get("occupation_code") or ""),
            occupation_title=str(row.get("occupation_title") or ""),
            score=row.get("score"),
            is_chosen=row["task_id"] == chosen,
            key=place,
            translation=translations.get(str(row["text"]), ""),
        )
        for place, row in enumerate(
            sorted(rows, key=lambda row: -(row.get("score") or 0.0)), start=1
        )
    ]


@dataclass
class Row:
    """One task with everything its row says; `open` names the form that stands open in it."""

    task: WorkTask
    response: SurveyResponse
    answer_number: int | None = None
    open: str = ""
    text: str = ""
    error: str = ""
    saved: bool = False
    sent: Mapping[str, str] = field(default_factory=dict)
    """What was typed into its ratings, where one was refused."""
    theirs: str = ""
    """What stands there now, where a save met a newer version."""
    others: Sequence[WorkTask] = field(default_factory=list)
    picked: Sequence[str] = field(default_factory=list)
    focus: bool = False
    unfolded: bool = False
    following: WorkTask | None = None
    """The next task of the list."""
    translations: Mapping[str, str] = field(default_factory=dict)
    """Of statements of the catalogue, by the English words."""
    language: str = ""
    """Of these, as a tag."""

    @property
    def is_open(self) -> bool:
        return bool(self.unfolded or self.focus or self.open or self.error or self.theirs)

    @cached_property
    def match(self) -> TaskMatch | None:
        return queries.match_or_none(self.task)

    @cached_property
    def badge(self) -> Badge:
        return badge_of(self.match)

    @cached_property
    def candidates(self) -> list[MatchCandidate]:
        rows = self.match.candidates if self.match else ()
        return candidates_of(rows, self.match, self.translations)

    @property
    def translation(self) -> str:
        return self.translations.get(self.match.text, "") if self.match else ""

    @property
    def share(self) -> str:
        return percent(self.task.time_share)

    @property
    def tools(self) -> str:
        return ", ".join(self.task.ai_tools)

    @property
    def merged(self) -> list[str]:
        return [str(item.get("statement", "")) for item in self.task.merged_from]


@dataclass(frozen=True)
class Share:
    label: str
    fill: str
    percent: str
    x: str
    width: str


@dataclass
class Review:
    """A response with its rows. Seven queries at most, however many tasks there are."""

    response: SurveyResponse
    tasks: Sequence[WorkTask]
    numbers: dict[uuid.UUID, int]
    rows: list[Row]

    @cached_property
    def living(self) -> list[WorkTask]:
        return [task for task in self.tasks if task.deleted_at is None]

    @cached_property
    def totals(self) -> queries.Totals:
        return queries.totals_of(self.tasks)

    @cached_property
    def matched(self) -> int:
        matches = (queries.match_or_none(task) for task in self.living)
        return sum(match is None or match.status != PENDING for match in matches)

    @cached_property
    def coverage(self) -> Coverage:
        return coverage_of(self.living)

    @cached_property
    def last(self) -> queries.Last:
        return queries.last_of(self.response)

    @property
    def version(self) -> int:
        """Grows with every change to the list."""
        return sum(task.version for task in self.tasks)

    @property
    def is_running(self) -> bool:
        return self.response.step in SurveyResponse.RUNNING

    @property
    def has_failed(self) -> bool:
        return self.response.step == SurveyResponse.Step.FAILED

    @property
    def is_submitted(self) -> bool:
        return self.response.submitted_at is not None

    @cached_property
    def closed(self) -> str:
        """That the survey ended before the list was sent, in words; else empty."""
        return "" if self.is_submitted else fixed_words(self.response)

    @property
    def is_fixed(self) -> bool:
        """To be read, not changed: sent, or the survey has closed."""
        return self.is_submitted or bool(self.closed)

    @property
    def steps(self) -> list[tuple[str, bool, bool]]:
        """(label, done, current) of the three steps of writing the list."""
        order = [
            SurveyResponse.Step.EXTRACTING,
            SurveyResponse.Step.NORMALISING,
            SurveyResponse.Step.DEDUPLICATING,
        ]
        now = next((place for place, step in enumerate(order) if step == self.response.step), -1)
        return [(str(step.label), place < now, place == now) for place, step in enumerate(order)]

    @property
    def shown_total(self) -> str:
        return percent(self.totals.time)

    @property
    def bar(self) -> str:
        return f"{min(Decimal(100), self.totals.time):f}"

    @cached_property
    def shares(self) -> list[Share]:
        """Time by kind of work, and the rest that is not shared out; drawn to fit 100."""
        named = [
            (str(g.label), CHART_CLASS[g], self.totals.by_group[g.value]) for g in ActivityGroup
        ]
        named.append((_("Other work"), "fill-empty", self.totals.by_group[""]))
        named.append((_("Not set yet"), "fill-rest", self.totals.remaining))
        scale = Decimal(100) / max(Decimal(100), self.totals.time)
        shares, x = [], Decimal(0)
        for place, (label, fill, part) in enumerate(named):
            if part or place < len(CHART_CLASS):
                width = part * scale
                shares.append(Share(label, fill, percent(part), f"{x:.2f}", f"{width:.2f}"))
                x += width
        return shares

    def row(self, task_id: uuid.UUID) -> Row:
        """The row of a task. Raises NotFound for one that is not on the list."""
        row = next((row for row in self.rows if row.task.pk == task_id), None)
        if row is None:
            raise NotFound
        return row


def percent(value: Decimal | None) -> str:
    """As the reader's language writes it, without needless zeros: 26, 12.5; empty for none."""
    return "" if value is None else number_format(value.normalize())


def review_of(response: SurveyResponse) -> Review:
    tasks = queries.tasks_of(response, with_deleted=True)
    numbers = queries.answer_numbers(response.pk)
    rows = [
        Row(task, response, numbers.get(task.message_id) if task.message_id else None)
        for task in tasks
        if task.deleted_at is None
    ]
    for row, after in pairwise(rows):
        row.following = after.task
    texts = [text for row in rows if row.match for text in row.match.catalogue_texts]
    language = language_of(response.session.state) if texts else ""
    translations = translations_of(texts, language)
    for row in rows:
        row.translations, row.language = translations, language
    return Review(response, tasks, numbers, rows)


@dataclass(frozen=True)
class GroupCoverage:
    """One group: every activity of it by name, with the class of its stroke."""

    group: ActivityGroup
    strokes: Sequence[tuple[str, str]]

    @property
    def names(self) -> list[str]:
        """Names of the activities that occur."""
        return [name for name, fill in self.strokes if fill == CHART_CLASS[self.group]]


@dataclass(frozen=True)
class Coverage:
    """How many of all work activities occur in a list, and which, by group."""

    groups: Sequence[GroupCoverage]
    touched: int
    total: int


def coverage_of(tasks: Iterable[WorkTask]) -> Coverage:
    """What living tasks touch. One query, for the names of the activities."""
    on = {element for task in tasks if task.deleted_at is None for element in task.activity_ids}
    strokes: dict[str, list[tuple[str, str]]] = {group: [] for group in ActivityGroup}
    for activity in onet.activities():
        fill = CHART_CLASS[activity.group] if activity.element_id in on else "fill-empty"
        strokes[activity.group].append((activity.name, fill))
    groups = [GroupCoverage(group, strokes[group]) for group in ActivityGroup]
    total = sum(len(group.strokes) for group in groups)
    return Coverage(groups, sum(len(group.names) for group in groups), total)
