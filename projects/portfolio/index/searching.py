"""The index of one portfolio in memory: question in, ranked documents per source out.

Words are stems, and names of tools besides.
"""

from __future__ import annotations

import datetime as dt
import logging
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, Literal

import bm25s
import numpy as np

from futura.errors import FuturaError
from futura.text import STOP_WORDS, stems, words
from onet.embeddings import LEXICAL
from onet.lexical import Floats, character_grams, cosine_postings, count
from projects.portfolio import vocabulary
from projects.portfolio.documents import Doc

log = logging.getLogger(__name__)
logging.getLogger("bm25s").setLevel(logging.WARNING)  # the library sets it to DEBUG

_WIDE: Final = r"\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff"
_SCRIPT_EDGE: Final = re.compile(
    rf"(?<=[{_WIDE}])(?=[^\W_{_WIDE}])|(?<=[^\W_{_WIDE}])(?=[{_WIDE}])"
)

Encode = Callable[[Sequence[str]], Floats]
"""Texts in, `(n, d)` float32 of unit length out."""


@dataclass(frozen=True)
class Weights:
    """How one source is ranked: shares of words, meaning and recency, and how fast time fades.

    `half_life_months`: after so many months something counts half as recent.
    `undated`: how recent something without a date is held to be.
    """

    words: float
    meaning: float
    recency: float
    half_life_months: float
    undated: float = 0.4


# The one table of retrieval: weights, decay, shortlists, limits (spec 3, sections 5.1 and 5.2).
WEIGHTS: Final[dict[str, Weights]] = {
    "projects": Weights(words=0.50, meaning=0.40, recency=0.10, half_life_months=36),
    "resume": Weights(words=0.50, meaning=0.38, recency=0.12, half_life_months=60),
    "profile": Weights(words=0.60, meaning=0.40, recency=0.00, half_life_months=120),
}
LARGEST_TOP_K: Final = 10
"""The clamp per source of a sample."""
ALL_RELEVANT: Final = 50
"""Documents that the sources share when everything relevant is wanted."""
FACET_BOOST: Final = 1.25
"""For resume documents of a facet that the plan names."""
LINKED_BOOST: Final = 1.0
"""Added to projects that are linked to an employer the question names."""
MEANT_AT_LEAST: Final = {"lexical": 0.10, "neural": 0.25}
"""Likeness below which a document without a word of the question is no hit at all."""
# words of every question to a portfolio, which tell nothing of what is asked for
ASKING: Final = frozenset(
    """tell know show ever use used using work worked working experience experiences project
    projects portfolio please give list name anything everything example examples background
    familiar involved done made built""".split()
)
_TERM: Final = "="
"""Before the name of a tool, so that no word is taken for it."""


def shares(requested: Sequence[int], enumeration: Literal["sample", "all_relevant"]) -> list[int]:
    """How many documents each request may bring: at most 10, or together 50 when all are wanted."""
    if enumeration == "sample":
        return [max(0, min(item, LARGEST_TOP_K)) for item in requested]
    return [ALL_RELEVANT // max(1, len(requested))] * len(requested)


class _Part:
    """One source: its documents, their words, their likeness."""

    def __init__(self, docs: Sequence[Doc], vectors: Floats | None) -> None:
        self.docs = list(docs)
        self.vectors = vectors
        self.is_employment = np.array([doc.is_employment for doc in self.docs])
        self.employers = [{_normalized(link.get("company", "")) for link in doc.linked} - {""}
                          for doc in self.docs]  # fmt: skip
        texts = [f"{doc.title}\n{doc.title}\n{doc.text}\n{doc.keywords}" for doc in self.docs]
        tokens = [terms_of(text) for text in texts]
        self.bm25 = bm25s.BM25(method="lucene")
        self.has_words = any(tokens)
        if self.has_words:
            self.bm25.index(tokens, show_progress=False)
        meant = (terms_of(f"{doc.title} {doc.embedded or doc.text}") for doc in self.docs)
        grams = character_grams([" ".join(terms) for terms in meant])
        self.grams = cosine_postings(count(*grams, len(self.docs)))

    def words(self, query: str) -> Floats:
        terms = query_terms(query)
        if not terms or not self.has_words:
            return np.zeros(len(self.docs), dtype=np.float32)
        return np.asarray(self.bm25.get_scores(terms), dtype=np.float32)

    def meaning(self, query: str, vector: Floats | None) -> tuple[Floats, str]:
        """`(n,)` likeness, 0 to 1, and its space: of vectors where there are any, else letters."""
        if self.vectors is not None and vector is not None:
            return np.clip(self.vectors @ vector, 0, 1).astype(np.float32), "neural"
        _, features = character_grams([" ".join(query_terms(query))])
        return self.grams.cosines(features), "lexical"


class Index:
    """All sources of one portfolio. Read-only after it is made; safe between threads."""

    def __init__(
        self,
        docs: Sequence[Doc],
        vectors: Mapping[tuple[str, str], Floats] | None = None,
        encode: Encode | None = None,
        space: str = LEXICAL,
    ) -> None:
        """`vectors`: by source and id, `(d,)` of unit length; letters tell likeness without."""
        self.space = space
        self._encode = encode if vectors else None
        self._size = len(next(iter(vectors.values()))) if vectors else 0
        self.parts: dict[str, _Part] = {}
        self.by_id: dict[tuple[str, str], Doc] = {doc.key: doc for doc in docs}
        for corpus in WEIGHTS:
            chosen = [doc for doc in docs if doc.corpus == corpus]
            if chosen:
                self.parts[corpus] = _Part(chosen, _matrix(chosen, vectors))

    def vectors(self, queries: Sequence[str]) -> dict[str, Floats]:
        """`(d,)` of each query, asked for in one batch; none in the lexical space, while the model
        is away, or where another answers under its name, whose vectors have another size.
        """
        if self._encode is None or not queries:
            return {}
        try:
            rows = self._encode(queries)
        except FuturaError as error:
            log.warning("question not embedded: %s", error)
            return {}
        if rows.shape[1] != self._size:
            log.warning("question in vectors of %d numbers, not %d", rows.shape[1], self._size)
            return {}
        return dict(zip(queries, rows, strict=True))

    def search(
        self,
        corpus: str,
        query: str,
        *,
        today: dt.date,
        top_k: int = LARGEST_TOP_K,
        scope: Literal["employment_only", "any_experience"] = "any_experience",
        facets: Collection[str] = (),
        vector: Floats | None = None,
    ) -> list[Doc]:
        """The best documents of one source, best first; none where nothing says anything of it.

        `vector` is that of the query (see `vectors`); letters tell likeness without one. Projects
        of an employer whom the query names are always found.
        """
        part = self.parts.get(corpus)
        if part is None or top_k < 1:
            return []
        by_words = part.words(query)
        by_meaning, space = part.meaning(query, vector)
        text = f" {_normalized(query)} "
        linked = np.array(
            [any(f" {company} " in text for company in names) for names in part.employers]
        )
        is_near = by_meaning >= MEANT_AT_LEAST[space]
        is_hit = (by_words > 0) | is_near | linked
        if scope == "employment_only" and corpus == "resume":
            is_hit &= part.is_employment  # whatever their contract (DECISIONS 35)
        of = WEIGHTS[corpus]
        scores = of.words * _relative(by_words) + of.meaning * _relative(by_meaning)
        hits = []
        for place in np.flatnonzero(is_hit):
            doc = part.docs[int(place)]
            score = float(scores[place]) + of.recency * recency(doc, today, of)
            if doc.facet in facets:
                score *= FACET_BOOST
            if linked[place]:
                score += LINKED_BOOST
            hits.append((-round(score, 6), doc.doc_id, doc))
        return [doc for _score, _id, doc in sorted(hits, key=itemgetter(0, 1))[:top_k]]


def _matrix(docs: Sequence[Doc], vectors: Mapping[tuple[str, str], Floats] | None) -> Floats | None:
    """`(n, d)`, zeros for a document without a vector; None where no document has one."""
    keys = [doc.key for doc in docs]
    if not vectors or not any(key in vectors for key in keys):
        return None
    nothing = np.zeros(len(next(iter(vectors.values()))), dtype=np.float32)
    return np.stack([vectors.get(key, nothing) for key in keys])


def _normalized(text: str) -> str:
    return " ".join(re.findall(r"\w+", _parted(text.casefold())))


def _parted(text: str) -> str:
    """A blank where other letters meet wide ones, which have no blanks around words: Acmeで."""
    return _SCRIPT_EDGE.sub(" ", text)


def _relative(scores: Floats) -> Floats:
    return scores / (float(scores.max(initial=0)) or 1.0)


def recency(doc: Doc, today: dt.date, of: Weights) -> float:
    """1 for what goes on, halved with every half-life since its end."""
    if doc.is_current:
        return 1.0
    last = doc.ended or doc.started
    if not last:
        return of.undated
    month = int(last[5:7]) if len(last) > 4 else 12
    months = 12 * (today.year - int(last[:4])) + today.month - month
    return math.pow(0.5, max(0, months) / of.half_life_months)


def terms_of(text: str) -> list[str]:
    """Stems of a document's words, names of tools besides as `=name`; with repeats."""
    normalized = [word for word in words(_parted(text)) if word not in STOP_WORDS]
    return [*stems(normalized), *_names(text)]


def query_terms(query: str) -> list[str]:
    """The same of a question, without the words that every question has."""
    meaningful = [word for word in words(_parted(query)) if word not in STOP_WORDS | ASKING]
    return [*stems(meaningful), *_names(query)]


def _names(text: str) -> list[str]:
    return [
        f"{_TERM}{min(vocabulary.spellings_of(item.name))}" for item in vocabulary.terms_in(text)
    ]
