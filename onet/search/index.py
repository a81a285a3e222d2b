"""Index of task statements: what is stored of them, in arrays that processes share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from django.db.models import Manager

from futura.text import STOP_WORDS, stems, words
from onet.candidates import Candidate, groups_of
from onet.lexical import (
    Arrays,
    Counts,
    Floats,
    Hashes,
    Postings,
    Rows,
    Table,
    Texts,
    Unigrams,
    character_grams,
    cosine_postings,
    count,
    entries_of,
    open_index,
    rarity_postings,
    shared_index,
    unigram_arrays,
    word_hashes,
)
from onet.models import Release, TaskStatement

LONGEST: Final = 500
"""Characters of a query that are looked at."""
MASSES: Final = {"detailed": 30.0, "activity": 200.0, "verb": 5.0}
"""Smoothing of the unigram models of what statements are linked to."""
LETTERS: Final = (3, 5)
"""Lengths of the letter sequences that statements are compared by."""
FREQUENT: Final = 0.04
"""Share of the statements from which a letter sequence is too common to compare by."""
KINDS: Final = ("Core", "Supplemental", "")

Places = npt.NDArray[np.int64]


def content(text: str) -> list[str]:
    """Stems of the words that carry meaning, in order; all words when none does."""
    spoken = words(text[:LONGEST])
    return stems([word for word in spoken if word not in STOP_WORDS] or spoken)


def letters_of(texts: Sequence[str]) -> tuple[Rows, Hashes]:
    """The letter sequences of the words of each text."""
    return character_grams([" ".join(words(text[:LONGEST])) for text in texts], LETTERS)


@dataclass(frozen=True, slots=True)
class StatementIndex:
    """Everything to rank statements for a query. Read-only, safe between threads."""

    arrays: Arrays
    words: Postings
    letters: Postings
    rarity: Postings
    """Which statements have a word, weighted by how rare it is."""
    verbs: Postings
    models: dict[str, Unigrams]
    texts: Texts
    codes: tuple[str, ...]
    activities: tuple[str, ...]
    detailed: tuple[str, ...]
    text_keys: npt.NDArray[np.int64]
    """The first statement with the same text, whatever its case."""

    @classmethod
    def load(cls, arrays: Arrays) -> StatementIndex:
        return cls(
            arrays,
            Postings.from_arrays(arrays, "words"),
            Postings.from_arrays(arrays, "letters"),
            Postings.from_arrays(arrays, "rarity"),
            Postings.from_arrays(arrays, "verbs"),
            {name: Unigrams.from_arrays(arrays, name) for name in MASSES},
            arrays["texts"],
            tuple(arrays["codes"].tolist()),
            tuple(arrays["activities"].tolist()),
            tuple(arrays["detailed"].tolist()),
            arrays["text_keys"],
        )

    @property
    def size(self) -> int:
        return len(self.texts)

    @property
    def rarest(self) -> float:
        """Inverse document frequency of a word that no statement has."""
        return float(np.log1p((self.size + 0.5) / 0.5))

    def within(self, code: str) -> Places:
        """Places of an occupation's statements; statements are kept in order of occupation."""
        try:
            number = self.codes.index(code)
        except ValueError:
            return np.empty(0, np.int64)
        low, high = np.searchsorted(self.arrays["occupations"], [number, number + 1])
        return np.arange(low, high)

    def links(self, kind: str, places: Places) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """What statements are linked to, one after the other, and how many each has.

        `kind` is `detailed` or `activity`.
        """
        entries, lengths = entries_of(self.arrays[f"{kind}_starts"], places)
        return self.arrays[f"{kind}_links"][entries], lengths

    def names_of_each(self, kind: str, places: Places) -> list[list[int]]:
        """Numbers of what each statement is linked to, in the order of the names."""
        linked, lengths = self.links(kind, places)
        numbers = linked.tolist()
        ends = np.cumsum(lengths).tolist()
        return [
            numbers[end - length : end] for end, length in zip(ends, lengths.tolist(), strict=True)
        ]

    def candidates(
        self, places: Places, scores: Sequence[float], chances: Floats
    ) -> tuple[Candidate, ...]:
        """Statements as plain values, their activities by their chances `(activities,)`."""
        doing = self.names_of_each("activity", places)
        detailed = self.names_of_each("detailed", places)
        return tuple(
            self._candidate(
                place, score, sorted(doing[at], key=lambda activity: -chances[activity]), dwas
            )
            for at, (place, score, dwas) in enumerate(
                zip(places.tolist(), scores, detailed, strict=True)
            )
        )

    def _candidate(
        self, place: int, score: float, doing: Sequence[int], detailed: Sequence[int]
    ) -> Candidate:
        number = int(self.arrays["occupations"][place])
        importance = float(self.arrays["importance"][place])
        elements = tuple(self.activities[item] for item in doing)
        return Candidate(
            task_id=str(self.arrays["tasks"][place]),
            text=str(self.texts[place]),
            occupation_code=self.codes[number],
            occupation_title=str(self.arrays["names"][number]),
            kind=KINDS[int(self.arrays["kinds"][place])],
            score=score,
            groups=groups_of(elements),
            activity_ids=elements,
            importance=None if np.isnan(importance) else importance,
            detailed_ids=tuple(self.detailed[item] for item in detailed),
        )


def build(source: Sequence[Candidate]) -> Arrays:
    """Arrays of an index over the statements; `source` in order of occupation."""
    codes = list(dict.fromkeys(item.occupation_code for item in source))
    names = {item.occupation_code: item.occupation_title for item in source}
    number = {code: place for place, code in enumerate(codes)}
    elements = sorted({element for item in source for element in item.activity_ids})
    detailed = sorted({dwa for item in source for dwa in item.detailed_ids})
    stemmed = [content(item.text) for item in source]
    counted = count(*word_hashes(stemmed), len(source))
    verbs = count(*word_hashes([item[:1] for item in stemmed]), len(source))
    letters = count(*letters_of([item.text for item in source]), len(source))
    links = _links([item.detailed_ids for item in source], detailed)
    doing = _links([item.activity_ids for item in source], elements)
    arrays: Arrays = {
        **cosine_postings(counted).arrays("words"),
        **rarity_postings(counted).arrays("rarity"),
        **cosine_postings(letters.rarer_than(FREQUENT)).arrays("letters"),
        **cosine_postings(verbs).arrays("verbs"),
        "occupations": np.array([number[item.occupation_code] for item in source], dtype=np.int32),
        "kinds": np.array([KINDS.index(item.kind) for item in source], dtype=np.int8),
        "importance": np.array(
            [np.nan if item.importance is None else item.importance for item in source], np.float32
        ),
        "detailed_starts": links.indptr.astype(np.int64),
        "detailed_links": links.indices.astype(np.int32),
        "activity_starts": doing.indptr.astype(np.int64),
        "activity_links": doing.indices.astype(np.int32),
        "text_keys": _first_alike([item.text for item in source]),
        "rarities": _rarities(counted),
    }
    grouped = {
        "detailed": counted.grouped(links),
        "activity": counted.grouped(doing),
        "verb": verbs.grouped(doing),
    }
    for name, counts in grouped.items():
        arrays |= unigram_arrays(counts, name, mass=MASSES[name])
    texts = {
        "tasks": [item.task_id for item in source],
        "texts": [item.text for item in source],
        "codes": codes,
        "names": [names[code] for code in codes],
        "activities": elements,
        "detailed": detailed,
    }
    return arrays | {name: np.array(some, dtype=np.str_) for name, some in texts.items()}


def _first_alike(texts: Sequence[str]) -> Places:
    """Place of the first text that is the same, whatever its case."""
    first: dict[str, int] = {}
    return np.array(
        [first.setdefault(text.casefold(), place) for place, text in enumerate(texts)], np.int64
    )


def _rarities(counted: Counts) -> Floats:
    """`(rows,)` summed rarity of the distinct words of each row."""
    table: Table = counted.table
    row_of = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    weights = counted.idf[table.indices]
    return np.bincount(row_of, weights, minlength=table.shape[0]).astype(np.float32)


def _links(listed: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> Any:
    place = {name: number for number, name in enumerate(vocabulary)}
    rows = [row for row, names in enumerate(listed) for _ in set(names)]
    columns = [place[name] for names in listed for name in sorted(set(names))]
    ones = np.ones(len(rows), dtype=np.float32)
    return sp.csr_array((ones, (rows, columns)), shape=(len(listed), len(vocabulary)))


VERSION: Final = 5
"""Raise when the same catalogue gives another index."""


def read_source(release: Release) -> list[Candidate]:
    """All statements in order of occupation, with their links. Three queries."""
    rows = (
        TaskStatement.objects.filter(release=release)
        .order_by("occupation__code", "task_id")
        .values_list(
            "pk", "task_id", "text", "occupation__code", "occupation__title", "kind", "importance"
        )
    )
    detailed = _linked(release, TaskStatement.detailed.through.objects, "detailedactivity__dwa_id")
    doing = _linked(release, TaskStatement.activities.through.objects, "workactivity__element_id")
    return [
        Candidate(
            task_id=task_id,
            text=text,
            occupation_code=code,
            occupation_title=title,
            kind=kind,
            activity_ids=tuple(doing.get(pk, ())),
            importance=importance,
            detailed_ids=tuple(detailed.get(pk, ())),
        )
        for pk, task_id, text, code, title, kind, importance in rows
    ]


def _linked(release: Release, through: Manager[Any], name: str) -> dict[int, list[str]]:
    groups: dict[int, list[str]] = defaultdict(list)
    links = through.filter(taskstatement__release=release).order_by(name)
    for pk, value in links.values_list("taskstatement_id", name):
        groups[pk].append(value)
    return groups


def statement_index(release: Release) -> StatementIndex:
    """The index of a release: from memory, from disk, or built now (a few seconds)."""
    name = f"statements-{VERSION}-{release.fingerprint[:24]}"
    return shared_index(
        "statements",
        name,
        lambda: StatementIndex.load(open_index(name, lambda: build(read_source(release)))),
    )
