"""Finds statements for pieces of work: the occupation's own first, then everybody's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from django.utils.translation import gettext as _

from onet.candidates import Candidate
from onet.embeddings import CALIBRATION, LEXICAL, Meanings, active_meanings
from onet.lexical import Floats
from onet.models import Release
from onet.search.evidence import (
    Evidence,
    activity_chances,
    calibrated_by_meaning,
    chances,
    evidence_of,
    weighed,
)
from onet.search.index import LONGEST, StatementIndex, content, statement_index

OWN: Final = 5.0
"""What being of the person's occupation is worth beside the weighed evidence; a statement of
another goes before only when it is nearer by far. Chosen on half of the development sets."""
ALIKE: Final = 2.0
"""What a statement loses that is linked to the same as one before it: five that say the same
leave no choice. Chosen likewise."""
LOOKED_AT: Final = 30
"""Statements, the best by weight, among which those that are shown are chosen."""
SUPPORTED: Final = 0.5
"""Another activity is named when it is so likely, measured by the likeliest."""
MOST_ACTIVITIES: Final = 3
"""Activities named for a piece of work without a match; statements have 1.2 on average."""


@dataclass(frozen=True, slots=True)
class Query:
    """A piece of work in anybody's words, and the occupation whose statements go first.

    `language` is the tag of the language in which the person is told why; empty for the one that
    is active. `job` is what they work as, in any words: for a model that chooses.
    """

    text: str
    occupation_code: str = ""
    language: str = ""
    job: str = ""


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

    @property
    def space(self) -> str:
        return self.meanings.name if self.meanings else LEXICAL

    def search(self, query: str, *, occupation_code: str = "", limit: int = 5) -> Results:
        return self.search_many([Query(query, occupation_code)], limit=limit)[0]

    def search_many(self, queries: Sequence[Query], *, limit: int = 5) -> list[Results]:
        """Statements for each piece of work, best first and no text twice, in one pass.

        Those of the query's occupation come before others that are about as near, and such as
        are linked to something new before more of the same.
        """
        results = [Results((), self.space) for _query in queries]
        requested = [place for place, query in enumerate(queries) if content(query.text)]
        if not requested or not self.index.size:
            return results
        texts = [queries[place].text for place in requested]
        own = [self.index.within(queries[place].occupation_code) for place in requested]
        cosines, space, note = None, self.space, ""
        if self.meanings is not None:
            cut = [text[:LONGEST] for text in texts]
            cosines = self.meanings.cosines("statements", self.index.texts, cut)
            if cosines is None:
                space = LEXICAL
                note = _(
                    "The embedding model was not available, so the search compared words only."
                )
        for place, evidence in zip(
            requested, evidence_of(self.index, texts, own, cosines), strict=True
        ):
            chance = chances(evidence.traits)
            if evidence.meant is not None:
                chance = np.maximum(chance, calibrated_by_meaning(evidence.meant, CALIBRATION))
            order = self._diverse(evidence, weighed(evidence) + OWN * evidence.own, limit)
            likely = activity_chances(evidence)
            results[place] = Results(
                self.index.candidates(
                    evidence.places[order],
                    [round(item, 4) for item in chance[order].tolist()],
                    likely,
                ),
                space,
                note,
                self._activities(evidence, likely),
            )
        return results

    def _activities(self, evidence: Evidence, likely: Floats) -> tuple[str, ...]:
        if not evidence.shares_a_word or not len(likely):
            return ()
        order = np.argsort(-likely, kind="stable")[:MOST_ACTIVITIES].tolist()
        floor = SUPPORTED * float(likely[order[0]])
        return tuple(self.index.activities[at] for at in order if likely[at] >= floor)

    def _diverse(self, evidence: Evidence, scores: Floats, limit: int) -> list[int]:
        """The best by score, each time less what is linked to the same as one before."""
        looked_at = best_of(scores, LOOKED_AT)
        places = evidence.places[looked_at]
        score = scores[looked_at].tolist()
        text = self.index.text_keys[places].tolist()
        links = self.index.names_of_each("detailed", places)
        order: list[int] = []
        texts: set[int] = set()
        linked: set[int] = set()
        while len(order) < limit:
            scored = [
                (value - ALIKE * (not linked.isdisjoint(links[at])), -at)
                for at, value in enumerate(score)
                if text[at] not in texts
            ]
            if not scored:
                break
            best = -max(scored)[1]
            order.append(looked_at[best])
            texts.add(text[best])
            linked.update(links[best])
        return order


def best_of(scores: Floats, number: int) -> list[int]:
    number = min(number, len(scores))
    if number < 1:
        return []
    top = np.argpartition(-scores, number - 1)[:number]
    return [int(at) for at in top[np.lexsort((top, -scores[top]))]]


def searcher(release: Release, *, by_words_only: bool = False) -> Searcher:
    """Searches a release in its active space; the index is built on first use. One query."""
    return Searcher(statement_index(release), None if by_words_only else active_meanings(release))


def search(query: str, *, occupation_code: str = "", limit: int = 5) -> Results:
    """Statements of the active release, with the space they were found in; empty without one."""
    release = Release.objects.filter(is_active=True).first()
    if release is None:
        return Results(())
    return searcher(release).search(query, occupation_code=occupation_code, limit=limit)
