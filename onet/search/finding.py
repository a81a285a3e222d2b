"""Finds statements for a piece of work: the occupation's own first, then everybody's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext as _

from onet.candidates import Candidate
from onet.embeddings.encoders import LEXICAL
from onet.embeddings.matrices import Meanings, active_meanings
from onet.groups import ActivityGroup, group_of
from onet.lexical.postings import Floats
from onet.models import Release
from onet.search.index import EVIDENCE, LONGEST, Evidence, StatementIndex, content
from onet.search.judging import chances, traits
from onet.search.source import statement_index
from onet.search.weighing import activity_chances, calibrated_by_meaning, weighed

OWN_FIRST: Final = 3
"""Statements of the person's occupation that go before better ones of others."""
OWN_LOOKED_AT: Final = 6
"""Statements of the person's occupation that are judged, by each of two orders."""
WORTH_A_LOOK: Final = 0.30
"""Calibrated score from which an own statement goes first: the lowest band of confidence."""


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates with the space that they were found in; `note` tells what did not work."""

    candidates: tuple[Candidate, ...]
    space: str = LEXICAL
    note: str = ""


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches one release. Read-only, safe between threads."""

    index: StatementIndex
    meanings: Meanings | None = None
    rows: Any = None
    """`(statements,)` row of each statement in the matrix of meanings, -1 where it has none."""

    @property
    def space(self) -> str:
        """Name of the space that is searched."""
        return self.meanings.name if self.meanings else LEXICAL

    def search(
        self, query: str, *, occupation_code: str = "", only_occupation: str = "", limit: int = 5
    ) -> Found:
        """Statements for a piece of work, best first and no text twice.

        Up to three good ones of `occupation_code` come before the others; `only_occupation`
        leaves the others out.
        """
        if not content(query) or not self.index.size:
            return Found((), self.space)
        found = self.index.evidence(query)
        meant = self._meant(query)
        order = weighed(found, meant)
        own, places = self._places(order, found, occupation_code, only_occupation, limit)
        if not own or only_occupation:  # the order is settled: judge only what is shown
            places = self._texts_once(places)[:limit]
        chance = self._judged(query, found, meant, own, places)
        if occupation_code and not only_occupation:
            places = self._texts_once(_own_first(places, own, chance))[:limit]
        candidates = tuple(self.index.candidate(p, round(chance[p], 4)) for p in places)
        if self.meanings is not None and meant is None:
            note = _("The embedding model could not be reached, so words alone were compared.")
            return Found(candidates, LEXICAL, note)
        return Found(candidates, self.space)

    def _meant(self, query: str) -> Floats | None:
        """What the neural space says of each statement; None without one, or when it fails."""
        vector = self.meanings.asked(query[:LONGEST]) if self.meanings else None
        if vector is None or self.meanings is None:
            return None
        cosines = self.meanings.statements(vector)[self.rows]
        cosines[self.rows < 0] = 0
        return self.index.meant(cosines)

    def groups(self, query: str) -> list[ActivityGroup]:
        """Groups by the summed chances of their activities, likeliest first."""
        if not content(query):
            return []
        totals: dict[ActivityGroup, float] = defaultdict(float)
        chances = activity_chances(self.index.evidence(query)).tolist()
        for element, chance in zip(self.index.activities, chances, strict=True):
            totals[group_of(element)] += chance
        return sorted(totals, key=lambda group: -totals[group])

    def _places(
        self, order: Floats, found: Evidence, first: str, only: str, limit: int
    ) -> tuple[set[int], list[int]]:
        """Those of the person's occupation, and all worth a look, best first; texts repeat."""
        many = 4 * limit + OWN_FIRST
        if only:
            places = best_of(order, self.index.within(only), many)
            return set(places), places
        own: list[int] = []
        if first:
            among = self.index.within(first)
            alike = found.statements[:, EVIDENCE.index("words")]
            own = [*best_of(order, among, OWN_LOOKED_AT), *best_of(alike, among, OWN_LOOKED_AT)]
        return set(own), list(dict.fromkeys([*own, *best_of(order, None, many)]))

    def _judged(
        self,
        query: str,
        found: Evidence,
        meant: Floats | None,
        own: set[int],
        places: Sequence[int],
    ) -> dict[int, float]:
        """Place → how likely its statement says what the query says."""
        is_own = np.array([place in own for place in places], dtype=bool)
        told = chances(traits(self.index, query, found, places, is_own))
        if meant is not None and self.meanings is not None:
            by_meaning = calibrated_by_meaning(meant[list(places)], self.meanings.calibration)
            told = np.maximum(told, by_meaning)
        return dict(zip(places, told.tolist(), strict=True))

    def _texts_once(self, places: Sequence[int]) -> list[int]:
        """The places without those whose text came before."""
        first: dict[str, int] = {}
        for place in places:
            first.setdefault(self.index.text(place).casefold(), place)
        return list(first.values())


def _own_first(places: Sequence[int], own: set[int], chance: Mapping[int, float]) -> list[int]:
    """By chance; a few good ones of the person's occupation before all others."""
    ranked = sorted(places, key=lambda place: -chance[place])
    good = [place for place in ranked if place in own and chance[place] >= WORTH_A_LOOK]
    first = good[:OWN_FIRST]
    return [*first, *(place for place in ranked if place not in first)]


def best_of(scores: Floats, among: npt.NDArray[np.int64] | None, number: int) -> list[int]:
    """Places of the best scores, best first, among all or some."""
    values = scores if among is None else scores[among]
    number = min(number, len(values))
    if number < 1:
        return []
    top = np.argpartition(-values, number - 1)[:number]
    top = top[np.lexsort((top, -values[top]))]
    return [int(place) for place in (top if among is None else among[top])]


_rows: dict[tuple[int, int], Any] = {}


def searcher(release: Release) -> Searcher:
    """Searches a release in its active space; the index is built on first use. One query."""
    index = statement_index(release)
    meanings = active_meanings(release)
    if meanings is None:
        return Searcher(index)
    key = (id(index), id(meanings))
    rows = _rows.get(key)
    if rows is None:
        rows = meanings.rows("statements", index.all_texts())
        _rows.clear()
        _rows[key] = rows
    return Searcher(index, meanings, rows)


def search(query: str, *, occupation_code: str = "", limit: int = 5) -> Found:
    """Statements of the active release, with the space they were found in; empty without one."""
    release = Release.objects.filter(is_active=True).first()
    if release is None:
        return Found(())
    return searcher(release).search(query, occupation_code=occupation_code, limit=limit)


def search_statements(query: str, *, occupation_code: str = "", limit: int = 5) -> list[Candidate]:
    """Statements of the active release for a piece of work, no text twice.

    Up to three good ones of the occupation come first, then the best of all. Empty without a
    release or without a word to search for.
    """
    return list(search(query, occupation_code=occupation_code, limit=limit).candidates)


def groups_for(query: str) -> list[ActivityGroup]:
    """Activity groups of a piece of work, likeliest first, judged by the whole catalogue."""
    release = Release.objects.filter(is_active=True).first()
    return searcher(release).groups(query) if release else []
