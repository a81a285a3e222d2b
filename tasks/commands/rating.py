"""The commands that rate tasks: working time, AI use and tools, and shares that add up to 100."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Annotated, ClassVar, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from pydantic import BeforeValidator, Field

from futura.errors import BadInput, TooLong
from futura.limits import AI_TOOLS_CHARS
from tasks.commands.base import ListCommand, TaskCommand, TaskList
from tasks.models import WorkTask

_OF_AI: Final = frozenset({"ai_level", "ai_tools"})


def _written(value: object) -> object:
    """A number as text, a list of names with commas: read when the command is planned."""
    if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
        return ", ".join(value)
    return str(value) if isinstance(value, int | float | Decimal) else value


class RateTask(TaskCommand):
    """Sets time share, AI use and tools of a task; what is null stays, what is empty is cleared.

    The shares of a list need not add up to 100.
    """

    name: ClassVar[str] = "rate_task"

    time_share: Annotated[str | None, BeforeValidator(_written)] = Field(
        None, description="Percent of the working time, 0 to 100, at most two decimals."
    )
    ai_level: Literal["", "none", "some", "significant"] | None = None
    ai_tools: Annotated[str | None, BeforeValidator(_written)] = Field(
        None, description="Names with commas, semicolons or line ends between them."
    )

    def fill(self, tasks: TaskList) -> None:
        sent = {name: getattr(self, name) for name in WorkTask.RATINGS}
        values = {
            name: _PARSERS[name](value) if name in _PARSERS else value
            for name, value in sent.items()
            if value is not None
        }
        task = tasks.task(self.task, version=self.version)
        for name, value in values.items():
            if getattr(task, name) != value:
                setattr(task, name, value)
                tasks.update(task, name)

    @property
    def ledger_title(self) -> str:
        given = {name for name in WorkTask.RATINGS if getattr(self, name) is not None}
        if given == {"time_share"}:
            return _("Set the time of a task")
        return _("Set the AI use of a task") if given <= _OF_AI else _("Rated a task")


class BalanceTime(ListCommand):
    """Makes the time shares of a list whole percents that add up to 100."""

    name: ClassVar[str] = "balance_time"
    title: ClassVar[str | Promise] = gettext_lazy("Balanced the time")

    def fill(self, tasks: TaskList) -> None:
        living = tasks.living
        shares = balanced([task.time_share for task in living])
        for task, share in zip(living, shares, strict=True):
            if task.time_share != share:
                task.time_share = Decimal(share)
                tasks.update(task, "time_share")


def parse_percent(value: str | None) -> Decimal | None:
    """0 to 100 with at most two decimals; BadInput otherwise. Comma and % are understood."""
    text = (value or "").replace("%", "").replace(",", ".").strip()
    if not text:
        return None
    try:
        share = Decimal(text) if len(text) <= 12 else None
    except InvalidOperation:
        share = None
    if share is None or not share.is_finite() or not 0 <= share <= 100:
        raise BadInput(_("Enter a share from 0 to 100."), field="time_share")
    return share.quantize(Decimal("0.01"))


def parse_tools(text: str) -> list[str]:
    """Names between commas, semicolons or line ends, each once, in the order given."""
    text = text.replace("\x00", "")
    if len(text) > AI_TOOLS_CHARS:
        raise TooLong(limit=AI_TOOLS_CHARS, length=len(text), field="ai_tools")
    names = (name.strip() for name in re.split(r"[,;\n]", text))
    return list(dict.fromkeys(name for name in names if name))


_PARSERS: Final[Mapping[str, Callable[[str], object]]] = {
    "time_share": parse_percent,
    "ai_tools": parse_tools,
}
WHOLE = 100


def balanced(shares: Sequence[Decimal | None]) -> list[int]:
    """Whole percents in the same order, sum 100 (or nothing for no tasks).

    Proportions that were given are kept. Tasks without a figure divide what is left to 100
    evenly; when nothing is left they count like the average of the others.
    """
    return largest_remainder(_weights(shares))


def _weights(shares: Sequence[Decimal | None]) -> list[Decimal]:
    known = [share for share in shares if share is not None]
    missing = len(shares) - len(known)
    total = sum(known, Decimal(0))
    if not missing:
        return known
    remaining = Decimal(WHOLE) - total
    filler = remaining / missing if remaining > 0 else total / len(known)
    return [filler if share is None else share for share in shares]


def largest_remainder(weights: Sequence[Decimal], whole: int = WHOLE) -> list[int]:
    """Whole numbers in proportion to the weights that add up to `whole`.

    Everyone gets the whole part; what remains goes to the largest fractions, earlier ones first
    (Hamilton's method). Without any weight everyone counts the same.
    """
    if not weights:
        return []
    total = sum(weights, Decimal(0))
    exact = [w * whole / total if total else Decimal(whole) / len(weights) for w in weights]
    floors = [int(value) for value in exact]
    order = sorted(range(len(exact)), key=lambda i: floors[i] - exact[i])
    for index in order[: whole - sum(floors)]:
        floors[index] += 1
    return floors
