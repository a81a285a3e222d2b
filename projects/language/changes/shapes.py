"""What the grammar of changes reads and gives: a clause, a definite change, an open question."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from django.utils import formats
from django.utils.translation import gettext as _

from projects.language.clauses import Clause
from projects.language.targets import Known

Kind = Literal["project", "task", "new_task", "delete_task", "delete_project", "note", "dimension"]


@dataclass(frozen=True)
class ProposedChange:
    """One definite change. `id` is a task's; `values` are field values, dates as `date`.

    A `dimension` has `field` and `text` among its values, a `note` title and text. `said` are the
    words it comes from, `label` tells it to people.
    """

    kind: Kind
    values: Mapping[str, Any] = field(default_factory=dict)
    id: uuid.UUID | None = None
    said: str = ""
    label: str = ""


@dataclass(frozen=True)
class Ambiguity:
    """A wish that can be meant in several ways, or lacks something: the question, the ways.

    `moves` is what lacks a day: with the day or length of time it makes a whole wish.
    """

    question: str
    options: Sequence[ProposedChange] = ()
    said: str = ""
    moves: str = ""


Found = ProposedChange | Ambiguity


@dataclass(frozen=True)
class Reading:
    """One clause, the project it is about, and the day on which it is said."""

    clause: Clause
    known: Known
    today: dt.date

    @property
    def text(self) -> str:
        """The clause without courtesy."""
        return self.clause.text


def chosen(what: str, options: Sequence[ProposedChange]) -> list[Found]:
    """The one way there is, or the question which of several is meant."""
    if len(options) <= 1:
        return list(options)
    names = _(" or ").join(f"“{option.label}”" for option in options[:4])
    question = _("“%(what)s” could be several things: %(names)s. Which one do you mean?")
    return [Ambiguity(question % {"what": what.strip(), "names": names}, options[:4])]


def day_words(date: dt.date) -> str:
    """A day as people read it."""
    return formats.date_format(date, "j F Y")
