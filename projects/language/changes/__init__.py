"""What somebody wants changed in a project, read by a small grammar of clauses.

`find_changes` gives for each wish either one definite change or an `Ambiguity` that must be asked
about. It reads only: nothing here knows the database.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from projects.language.changes.adding import added, decided, noted, renamed, stated
from projects.language.changes.moving import moved
from projects.language.changes.shapes import Ambiguity, Found, ProposedChange, Reading
from projects.language.changes.states import (
    deleted,
    estimated,
    paused,
    prioritised,
    status_given,
    waiting,
)
from projects.language.changes.unfound import unfound
from projects.language.clauses import clauses
from projects.language.targets import Known, Thing

__all__ = ["Ambiguity", "Known", "ProposedChange", "Thing", "find_changes"]

Rule = Callable[[Reading], list[Found]]
_RULES: Final[tuple[Rule, ...]] = (
    noted, renamed, paused, deleted, waiting, prioritised, status_given, estimated, moved, added,
    decided, stated, unfound,
)  # fmt: skip


def find_changes(text: str, project: Known, today: dt.date) -> list[Found]:
    """Every change that a message asks for, in its order; what asks for nothing gives nothing."""
    found: list[Found] = []
    for clause in clauses(text):
        reading = Reading(clause, project, today)
        for rule in _RULES:
            result = rule(reading)
            if result:
                found += [replace(one, said=clause.said) for one in result]
                break
    return found
