"""Which people of a campaign are looked at: by occupation, tag and time."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Self

from django.db.models import Q


@dataclass(frozen=True)
class Selection:
    """Empty fields narrow nothing; days are those on which people agreed, both included."""

    occupation: str = ""
    tag: str = ""
    since: date | None = None
    until: date | None = None

    @property
    def is_everybody(self) -> bool:
        """Whether nobody is left out."""
        return self == Selection()

    @property
    def key(self) -> str:
        """The same for the same people: what a stored sum is found by."""
        told = {name: str(value) for name, value in asdict(self).items() if value}
        return json.dumps(told, sort_keys=True, ensure_ascii=False) if told else ""

    @classmethod
    def from_key(cls, key: str) -> Self:
        """The selection that a stored sum is of."""
        told: dict[str, Any] = json.loads(key) if key else {}
        for name in ("since", "until"):
            if name in told:
                told[name] = date.fromisoformat(told[name])
        return cls(**told)

    def condition(self) -> Q:
        """The same as a condition on participations."""
        wanted = Q()
        if self.occupation:
            wanted &= Q(response__occupation_code=self.occupation)
        if self.tag:
            wanted &= Q(response__session__review__tags__contains=[self.tag])
        if self.since:
            wanted &= Q(created_at__date__gte=self.since)
        if self.until:
            wanted &= Q(created_at__date__lte=self.until)
        return wanted
