"""A catalogue as plain rows, ready to be written as a release; and what stops a load.

The fields of a row are the columns of its table, in the order in which they are written.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from futura.errors import BadInput


class CannotLoad(BadInput):
    """The source cannot become a release; nothing was changed."""

    code = "cannot_load"


class OccupationRow(NamedTuple):
    code: str
    title: str
    description: str
    job_zone: int | None = None


class TitleRow(NamedTuple):
    """Another name of an occupation; `kind` as in AlternateTitle.Kind."""

    code: str
    title: str
    kind: str
    short_title: str = ""


class ActivityRow(NamedTuple):
    element_id: str
    name: str
    description: str


class DetailedRow(NamedTuple):
    dwa_id: str
    title: str
    element_id: str


class StatementRow(NamedTuple):
    """A statement; `element_ids` in order, `kind` as in TaskStatement.Kind."""

    task_id: str
    code: str
    text: str
    kind: str
    importance: float | None
    element_ids: tuple[str, ...]
    dwa_ids: tuple[str, ...] = ()


@dataclass(slots=True)
class Catalogue:
    """All rows of one release and what was odd about the source (text → how often)."""

    name: str
    label: str
    fingerprint: str
    is_starter: bool = False
    occupations: list[OccupationRow] = field(default_factory=list)
    titles: list[TitleRow] = field(default_factory=list)
    activities: list[ActivityRow] = field(default_factory=list)
    detailed: list[DetailedRow] = field(default_factory=list)
    statements: list[StatementRow] = field(default_factory=list)
    warnings: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, int] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """How many rows of each kind, for the summary and the release's record."""
        return {
            "occupations": len(self.occupations),
            "occupations with statements": len({row.code for row in self.statements}),
            "titles": len(self.titles),
            "activities": len(self.activities),
            "detailed activities": len(self.detailed),
            "statements": len(self.statements),
            "statements with importance": sum(s.importance is not None for s in self.statements),
            "statements without activity": sum(not s.element_ids for s in self.statements),
            **self.left_out,
        }
