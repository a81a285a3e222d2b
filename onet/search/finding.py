"""Finds statements for pieces of work: the occupation's own first, then everybody's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.utils.translation import gettext as _

from onet.candidates import Candidate
from onet.embeddings.encoders import LEXICAL
from onet.embeddings.matrices import Meanings, active_meanings
from onet.lexical.postings import Floats
from onet.models import Release
from onet.search.evidence import Evidence, evidence_of
from onet.search.index import LONGEST, Places, StatementIndex, content
from onet.search.judging import chances
from onet.search.source import statement_index
from onet.search.weighing import activity_chances, calibrated_by_meaning, weighed

OWN_FIRST: Final = 3
"""Statements of the person's occupation that go before better ones of others."""
OWN_LOOKED_AT: Final = 6
"""Statements of the person's occupation that are judged, by each of two orders."""
WORTH_A_LOOK: Final = 0.30
"""Calibrated score from which an own statement goes first: the lowest band of confidence."""
SUPPORTED: Final = 0.5
"""Another activity is named when it is so likely, measured by the likeliest."""
MOST_ACTIVITIES: Final = 3
"""Activities named for a piece of work without a match; statements have 1.2 on average."""


@dataclass(frozen=True, slots=True)
class Query:
    """A piece of work in anybody's words, and the occupation whose statements go first."""

    text: str
    occupation_code: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """Candidates with the space that they were found in; `note` says what did not work.

    `activities` are element ids, best first, as the nearest statements speak for them.
    """

    candidates: tuple[Candidate, ...]
    space: str = LEXICAL
    note: str = ""
    activities: tuple[str, ...] = ()


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
    ) -> Results:
        """Statements for one piece of work; `only_occupation` leaves the others out."""
        code = only_occupation or occupation_code
        asked = [Query(query, code)]
        return self.search_many(asked, limit=limit, is_own_only=bool(only_occupation))[0]

    def search_many(
        self, queries: Sequence[Query], *, limit: int = 5, is_own_only: bool = False
    ) -> list[Results]:
        """Statements for each piece of work, best first and no text twice, in one pass.

        Up to three good ones of the query's occupation come before the others.
        """
        results = [Results((), self.space) for _query in queries]
        asked = [place for place, query in enumerate(queries) if content(query.text)]
        if not asked or not self.index.size:
            return results
        texts = [queries[place].text for place in asked]
        cosines = self._cosines(texts)
        own = [self.index.within(queries[place].occupation_code) for place in asked]
        space, note = self.space, ""
        if self.meanings is not None and cosines is None:
            space = LEXICAL
            note = _("The embedding model could not be reached, so words alone were compared.")
        for place, evidence in zip(
            asked, evidence_of(self.index, texts, own, cosines), strict=True
        ):
            has_own = bool(queries[place].occupation_code)
            chance = self._chances(evidence)
            order = self._order(evidence, chance, limit, has_own=has_own, is_own_only=is_own_only)
            likely = activity_chances(evidence)
            results[place] = Results(
                tuple(
                    self.index.candidate(
                        int(evidence.places[at]), round(float(chance[at]), 4), likely
                    )
                    for at in order
                ),
                space,
                note,
                self._activities(evidence, likely),
            )
        return results

    def activities(self, query: str, *, share: float = SUPPORTED) -> tuple[str, ...]:
        """Element ids that the nearest statements speak for, best first; words alone count.

        Others than the likeliest are named when they have this share of its chance.
        """
        if not content(query) or not self.index.size:
            return ()
        evidence = next(evidence_of(self.index, [query], [np.empty(0, np.int64)]))
        return self._activities(evidence, activity_chances(evidence), share)

    def _activities(
        self, evidence: Evidence, likely: Floats, share: float = SUPPORTED
    ) -> tuple[str, ...]:
        if not evidence.shares_a_word or not len(likely):
            return ()
        order = np.argsort(-likely, kind="stable")[:MOST_ACTIVITIES].tolist()
        floor = share * float(likely[order[0]])
        return tuple(self.index.activities[at] for at in order if likely[at] >= floor)

    def _cosines(self, texts: Sequence[str]) -> Floats | None:
        """`(texts, statements)` by the neural space; None without one, or when it fails."""
        if self.meanings is None:
            return None
        vectors = self.meanings.asked_many([text[:LONGEST] for text in texts])
        if vectors is None:
            return None
        cosines = self.meanings.statements(vectors.T).T[:, self.rows]
        cosines[:, self.rows < 0] = 0
        return np.asarray(cosines, dtype=np.float32)

    def _chances(self, evidence: Evidence) -> Floats:
        """`(places,)` how likely each statement says what the query says."""
        chance = chances(evidence.traits)
        if evidence.meant is not None and self.meanings is not None:
            by_meaning = calibrated_by_meaning(evidence.meant, self.meanings.calibration)
            chance = np.maximum(chance, by_meaning)
        return chance

    def _order(
        self, evidence: Evidence, chance: Floats, limit: int, *, has_own: bool, is_own_only: bool
    ) -> list[int]:
        """Which of the places are shown, best first, no text twice."""
        order = weighed(evidence)
        own = np.flatnonzero(evidence.own)
        if is_own_only:
            return self._texts_once(evidence, best_of(order, own, 4 * limit))[:limit]
        among = best_of(order, None, 4 * limit + OWN_FIRST)
        if not has_own or not len(own):
            return self._texts_once(evidence, among)[:limit]
        alike = evidence.table[:, 0]
        near = [*best_of(order, own, OWN_LOOKED_AT), *best_of(alike, own, OWN_LOOKED_AT)]
        ranked = sorted(dict.fromkeys([*near, *among]), key=lambda at: -chance[at])
        good = [at for at in ranked if evidence.own[at] and chance[at] >= WORTH_A_LOOK]
        first = good[:OWN_FIRST]
        others = [at for at in ranked if at not in first]
        return self._texts_once(evidence, [*first, *others])[:limit]

    def _texts_once(self, evidence: Evidence, order: Sequence[int]) -> list[int]:
        """The order without those whose text came before."""
        first: dict[int, int] = {}
        keys = self.index.text_keys[evidence.places[list(order)]].tolist()
        for key, at in zip(keys, order, strict=True):
            first.setdefault(key, at)
        return list(first.values())


def best_of(scores: Floats, among: Places | None, number: int) -> list[int]:
    """Where the best scores are, best first, among all or some."""
    values = scores if among is None else scores[among]
    number = min(number, len(values))
    if number < 1:
        return []
    top = np.argpartition(-values, number - 1)[:number]
    top = top[np.lexsort((top, -values[top]))]
    return [int(at) for at in (top if among is None else among[top])]


_rows: dict[tuple[int, int], Any] = {}


def searcher(release: Release, *, by_words_only: bool = False) -> Searcher:
    """Searches a release in its active space; the index is built on first use. One query."""
    index = statement_index(release)
    meanings = None if by_words_only else active_meanings(release)
    if meanings is None:
        return Searcher(index)
    key = (id(index), id(meanings))
    rows = _rows.get(key)
    if rows is None:
        rows = meanings.rows("statements", index.all_texts())
        _rows.clear()
        _rows[key] = rows
    return Searcher(index, meanings, rows)


def search(query: str, *, occupation_code: str = "", limit: int = 5) -> Results:
    """Statements of the active release, with the space they were found in; empty without one."""
    release = Release.objects.filter(is_active=True).first()
    if release is None:
        return Results(())
    return searcher(release).search(query, occupation_code=occupation_code, limit=limit)
