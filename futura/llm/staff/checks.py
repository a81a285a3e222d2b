"""What staff read of the checks of answers: used and refused items by stage, with the rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Sum
from django.utils import timezone

from futura.llm.checks import Reason
from futura.llm.models import AnswerCheck
from futura.llm.staff.queries import Filters


@dataclass(frozen=True)
class StageChecks:
    """Items of one stage's answers: how many were used, how many refused for which reason."""

    stage: str
    used: int
    refused: Mapping[str, int]

    @property
    def refused_items(self) -> int:
        """All that were refused."""
        return sum(self.refused.values())

    @property
    def items(self) -> int:
        """All items that were checked."""
        return self.used + self.refused_items

    @property
    def rate(self) -> float | None:
        """Refused of all, 0 to 1; None without any."""
        return self.refused_items / self.items if self.items else None

    @property
    def reasons(self) -> list[tuple[str, str, int]]:
        """Code, label and count of each reason, most frequent first."""
        labels = dict(Reason.choices)
        counts = sorted(self.refused.items(), key=lambda pair: (-pair[1], pair[0]))
        return [(code, str(labels.get(code, code)), number) for code, number in counts]


def by_stage(filters: Filters) -> list[StageChecks]:
    """The sums of a period and stage, highest rate first; other filters do not apply."""
    checks = AnswerCheck.objects.all()
    if filters.stage:
        checks = checks.filter(stage=filters.stage)
    if since := filters.period.since:
        checks = checks.filter(day__gte=timezone.localdate(since))
    if until := filters.period.until:
        checks = checks.filter(day__lt=timezone.localdate(until))
    stages: dict[str, dict[str, int]] = {}
    rows = checks.order_by().values_list("stage", "reason").annotate(Sum("items"))
    for stage, reason, items in rows:
        stages.setdefault(stage, {})[reason] = items
    lines = [
        StageChecks(stage, counts.pop(AnswerCheck.USED, 0), counts)
        for stage, counts in stages.items()
    ]
    return sorted(lines, key=lambda line: (-(line.rate or 0), line.stage))
