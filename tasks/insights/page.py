"""A report as a page shows it, in sections of rows, and the same as a table for spreadsheets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from futura.percent import whole_percent
from onet.candidates import ActivityGroup
from tasks import export
from tasks.insights.report import Line, Report, suppressed
from tasks.models import WorkTask

ROWS: Final = 25  # of a section, until all are asked for
LEVELS: Final[Mapping[str, tuple[str, str | Promise]]] = {
    WorkTask.AiLevel.NONE.value: ("fill-rest", gettext_lazy("No AI use")),
    WorkTask.AiLevel.SOME.value: ("fill-mental", gettext_lazy("Some AI use")),
    WorkTask.AiLevel.SIGNIFICANT.value: ("fill-action", gettext_lazy("Significant AI use")),
    "": ("fill-empty", gettext_lazy("Not set")),
}
"""How AI is used → the class of its stretches, and its name."""
GROUPS: Final = {item.value: item.label for item in ActivityGroup}
STEP_NAMES: Final[Mapping[str, str | Promise]] = {
    "agreed": gettext_lazy("Gave consent"),
    "began": gettext_lazy("Started"),
    "talked": gettext_lazy("Answered"),
    "listed": gettext_lazy("Opened the task list"),
    "sent": gettext_lazy("Submitted"),
}


@dataclass(frozen=True)
class Piece:
    x: float
    width: float
    fill: str


@dataclass(frozen=True)
class Row:
    """A line with its time by use of AI (percent, in the order of `LEVELS`) and its strip."""

    line: Line
    times: tuple[float, ...]
    strip: tuple[Piece, ...]
    scores: tuple[float | None, ...]


@dataclass(frozen=True)
class Section:
    key: str
    title: str
    about: str
    head: str
    rows: tuple[Row, ...]
    beyond: int
    hidden: int
    hidden_tasks: int
    scores: tuple[str, ...] = ()

    @property
    def has_starter(self) -> bool:
        return any(row.line.catalogue == "starter" for row in self.rows)

    @property
    def is_mixed(self) -> bool:
        """Whether statements of both catalogues are: then each row says whose it is."""
        return len({row.line.catalogue for row in self.rows} - {None}) > 1


_SECTIONS: Final = {
    "groups": (
        gettext_lazy("Kinds of work"),
        gettext_lazy("The four groups of O*NET’s work activities."),
        gettext_lazy("Group"),
        gettext_lazy("No group"),
    ),
    "activities": (
        gettext_lazy("Activities"),
        gettext_lazy("A task with several activities counts for each in part."),
        gettext_lazy("Activity"),
        gettext_lazy("No activity"),
    ),
    "statements": (
        gettext_lazy("Matched statements"),
        gettext_lazy("Tasks matched to the same statement are counted together."),
        gettext_lazy("Statement"),
        gettext_lazy("No match"),
    ),
    "occupations": (
        gettext_lazy("Occupations"),
        gettext_lazy("As selected by participants."),
        gettext_lazy("Occupation"),
        gettext_lazy("No occupation"),
    ),
}


def sections(report: Report, least: int, *, whole: str | None = "") -> list[Section]:
    """The four sections; of the one named `whole` every row, for None of all."""
    listed = []
    for key, texts in _SECTIONS.items():
        scores = (
            tuple(exposure.name for exposure in report.exposures) if key == "statements" else ()
        )
        seen = suppressed(getattr(report, key), least)
        most = max((line.share for line in seen.lines), default=0.0)
        title, about, head, unsorted = map(str, texts)
        rows = tuple(_row(line, most, scores, unsorted) for line in seen.lines)
        displayed = rows if whole in {None, key} else rows[:ROWS]
        listed.append(
            Section(
                key=key,
                title=title,
                about=about,
                head=head,
                rows=displayed,
                beyond=len(rows) - len(displayed),
                hidden=seen.hidden,
                hidden_tasks=seen.hidden_tasks,
                scores=scores,
            )
        )
    return listed


def _row(line: Line, most: float, scores: tuple[str, ...], unsorted: str) -> Row:
    name = GROUPS.get(line.key, line.name) if line.key else unsorted
    line = line.model_copy(update={"name": str(name)})
    times = tuple(line.by_ai.get(level, 0.0) for level in LEVELS)
    return Row(line, times, strip(line, most), tuple(line.scores.get(score) for score in scores))


def strip(line: Line, most: float) -> tuple[Piece, ...]:
    """The line's time by use of AI as stretches; the heaviest line of a section fills it."""
    pieces, x = [], 0.0
    for level, (fill, _name) in LEVELS.items():
        width = 100 * line.by_ai.get(level, 0.0) / most if most else 0.0
        if width:
            pieces.append(Piece(round(x, 2), round(width, 2), fill))
        x += width
    return tuple(pieces)


@dataclass(frozen=True)
class Reached:
    """A step of the way with the share of people who got there, 0 to 1."""

    name: str
    people: int
    share: float
    lost: int

    @property
    def width(self) -> int:
        return whole_percent(self.share)


def way(report: Report) -> list[Reached]:
    result, before = [], report.people
    for step in report.funnel:
        part = step.people / report.people if report.people else 0.0
        name = str(STEP_NAMES.get(step.name, step.name))
        result.append(Reached(name, step.people, part, before - step.people))
        before = step.people
    return result


def curve(report: Report) -> str:
    """How many still talk at each turn, as points of a line in a field of 100 by 40."""
    turns = report.turns
    if len(turns) < 2:
        return ""
    most, last = turns[0].still, len(turns) - 1
    return " ".join(
        f"{100 * place / last:.2f},{40 - 40 * entry.still / most:.2f}"
        for place, entry in enumerate(turns)
    )


def table(report: Report, least: int) -> str:
    """CSV; times in percent of working time, empty while too few said how they divide it."""
    has_times = report.rated >= least
    head = [
        *(_("Table"), _("Key"), _("Catalogue"), _("Name"), _("Occupation of the statement")),
        *(_("Participants"), _("Tasks"), _("Percent of time")),
        *(str(name) for _fill, name in LEVELS.values()),
        *(exposure.name for exposure in report.exposures),
    ]
    rows = (
        [
            *(section.title, line.key, line.catalogue or "", line.name, line.about),
            *(line.people, line.tasks),
            f"{line.share:.2f}" if has_times else "",
            *(f"{time:.2f}" if has_times else "" for time in row.times),
            *(line.scores.get(exposure.name, "") for exposure in report.exposures),
        ]
        for section in sections(report, least, whole=None)
        for row in section.rows
        for line in (row.line,)
    )
    return export.table(head, rows)
