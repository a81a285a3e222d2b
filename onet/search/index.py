"""Index of task statements: what is stored, and the evidence each gives for a piece of work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from futura.text import STOP_WORDS, stems, words
from onet.candidates import Candidate
from onet.groups import group_of
from onet.lexical.grams import character_grams, word_hashes
from onet.lexical.postings import (
    Arrays,
    Floats,
    Postings,
    bm25_postings,
    cosine_postings,
    count,
    smoothed_postings,
)
from onet.lexical.store import pack_texts, unpack_all, unpack_text

LONGEST: Final = 500
"""Characters of a query that are looked at."""
MASSES: Final = {"detailed": 30.0, "activity": 200.0, "verb": 5.0}
"""Smoothing of the unigram models of what statements are linked to."""
MEANT: Final = ("meaning", "linked_meaning", "linked_meaning_best")
"""What a neural space adds, in order."""
FREQUENT: Final = 0.08
"""Share of the statements from which a letter sequence is too common to compare by."""
EVIDENCE: Final = (
    "words", "letters", "bm25", "verb", "linked_near", "linked_wide", "linked_best", "detailed",
    "activity",
)  # fmt: skip
"""What `StatementIndex.evidence` says about each statement, in order."""


Levels = list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]


@dataclass(frozen=True, slots=True)
class StatementSource:
    """One statement and what it is linked to."""

    task_id: str
    text: str
    code: str
    occupation: str
    kind: str
    importance: float | None
    detailed: Sequence[str]
    activities: Sequence[str]


def content(text: str) -> list[str]:
    """Stems of the words that carry meaning, in order; all words when none does."""
    found = words(text[:LONGEST])
    return stems([word for word in found if word not in STOP_WORDS] or found)


def letters_of(text: str) -> str:
    """The text as the character n-grams see it."""
    return " ".join(words(text[:LONGEST]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a query finds: per statement, per detailed activity and per work activity."""

    statements: Floats
    """`(statements, len(EVIDENCE))`."""
    activities: Floats
    """`(activities, 3)`: unigram model, opening verb, support by similar statements."""


@dataclass(frozen=True, slots=True)
class StatementIndex:
    """Everything to rank statements for a query. Read-only, safe between threads."""

    arrays: Arrays
    words: Postings
    letters: Postings
    bm25: Postings
    verbs: Postings
    models: dict[str, Postings]
    codes: tuple[str, ...]
    activities: tuple[str, ...]
    links: Levels
    doings: Levels

    @classmethod
    def load(cls, arrays: Arrays) -> StatementIndex:
        """Opens what `build` made."""
        return cls(
            arrays,
            Postings.from_arrays(arrays, "words"),
            Postings.from_arrays(arrays, "letters"),
            Postings.from_arrays(arrays, "bm25"),
            Postings.from_arrays(arrays, "verbs"),
            {name: Postings.from_arrays(arrays, f"model_{name}") for name in MASSES},
            unpack_all(arrays["codes_bytes"], arrays["codes_ends"]),
            unpack_all(arrays["activities_bytes"], arrays["activities_ends"]),
            _levels(arrays["linked"], arrays["link_starts"]),
            _levels(arrays["doing"], arrays["doing_starts"]),
        )

    @property
    def size(self) -> int:
        """How many statements there are."""
        return len(self.arrays["tasks_ends"])

    @property
    def rarest(self) -> float:
        """Inverse document frequency of a word that no statement has."""
        return float(np.log1p((self.size + 0.5) / 0.5))

    def all_texts(self) -> tuple[str, ...]:
        """Every statement in the catalogue's words."""
        return unpack_all(self.arrays["texts_bytes"], self.arrays["texts_ends"])

    def text(self, place: int) -> str:
        """A statement in the catalogue's words."""
        return unpack_text(self.arrays["texts_bytes"], self.arrays["texts_ends"], place)

    def task_id(self, place: int) -> str:
        """O*NET's id of a statement."""
        return unpack_text(self.arrays["tasks_bytes"], self.arrays["tasks_ends"], place)

    def within(self, code: str) -> npt.NDArray[np.int64]:
        """Places of an occupation's statements; statements are kept in order of occupation."""
        try:
            number = self.codes.index(code)
        except ValueError:
            return np.empty(0, np.int64)
        return np.flatnonzero(self.arrays["occupations"] == number)

    def activities_of(self, place: int) -> tuple[str, ...]:
        """Element ids that a statement is linked to, in order."""
        starts = self.arrays["doing_starts"]
        found = self.arrays["doing"][starts[place] : starts[place + 1]]
        return tuple(self.activities[int(number)] for number in found)

    def candidate(self, place: int, score: float) -> Candidate:
        """A statement as a plain value."""
        number = int(self.arrays["occupations"][place])
        importance = float(self.arrays["importance"][place])
        names = self.arrays["names_bytes"], self.arrays["names_ends"]
        elements = self.activities_of(place)
        return Candidate(
            task_id=self.task_id(place),
            text=self.text(place),
            occupation_code=self.codes[number],
            occupation_title=unpack_text(*names, number),
            kind=KINDS[int(self.arrays["kinds"][place])],
            score=score,
            groups=tuple(dict.fromkeys(group_of(element) for element in elements)),
            activity_ids=elements,
            importance=None if np.isnan(importance) else importance,
        )

    def evidence(self, query: str) -> Evidence:
        """What speaks for each statement, before any weighing."""
        stemmed = content(query)
        hashes = word_hashes([stemmed])[1]
        letters = self.letters.cosines(character_grams([letters_of(query)])[1])
        wordly = self.words.cosines(hashes)
        bm25 = self.bm25.scores(*self.bm25.known(hashes)) / np.float32(max(len(stemmed), 1))
        verb = self.verbs.scores(*self.verbs.known(hashes[:1]))
        near: Floats = np.asarray((letters + wordly) / 2, dtype=np.float32)
        close: list[Floats] = [near**4, near**2]
        linked = [self._linked(one) for one in close]
        best = self._linked_best(near)
        detailed = self._likelihood("detailed", hashes, len(stemmed))
        activity = self._likelihood("activity", hashes, len(stemmed))
        opening = self._likelihood("verb", hashes[:1], 1)
        columns = [wordly, letters, np.asarray(bm25, dtype=np.float32), verb]
        columns += [self._best_link(one) for one in linked]
        # A statement without links is its own likest.
        columns.append(np.maximum(self._best_link(best), near))
        columns.append(self._best_link(detailed))
        columns.append(self._best_doing(activity + opening))
        support = self._doing_support(close[0])
        return Evidence(np.stack(columns, 1), np.stack([activity, opening, support], 1))

    def meant(self, meaning: Floats) -> Floats:
        """`(statements, len(MEANT))` evidence from `(statements,)` cosines of a neural space."""
        positive = np.maximum(meaning, 0)
        columns = [
            meaning,
            self._best_link(self._linked(positive**12)),
            self._best_link(self._linked_best(positive)),
        ]
        return np.stack(columns, axis=1)

    def _linked(self, similar: Floats) -> Floats:
        """Per detailed activity: log of the summed likeness of its statements."""
        starts, linked = self.arrays["link_starts"], self.arrays["linked"]
        shared = np.repeat(similar, np.diff(starts))
        total = np.bincount(linked, weights=shared, minlength=self._detailed)
        return np.asarray(np.log(total + 1e-3), dtype=np.float32)

    @property
    def _detailed(self) -> int:
        return int(self.models["detailed"].size)

    def _linked_best(self, similar: Floats) -> Floats:
        """Per detailed activity: likeness of its likest statement."""
        total = np.zeros(self._detailed, dtype=np.float32)
        shared = np.repeat(similar, np.diff(self.arrays["link_starts"]))
        np.maximum.at(total, self.arrays["linked"], shared)
        return total

    def _best_link(self, detailed: Floats) -> Floats:
        """Per statement: the best value among its detailed activities."""
        return _largest(detailed, self.links, self.size)

    def _best_doing(self, activities: Floats) -> Floats:
        """Per statement: the best value among its work activities."""
        return _largest(activities, self.doings, self.size)

    def _doing_support(self, similar: Floats) -> Floats:
        """Per work activity: log of the summed likeness of its statements."""
        shared = np.repeat(similar, np.diff(self.arrays["doing_starts"]))
        total = np.bincount(self.arrays["doing"], shared, minlength=len(self.activities))
        return np.asarray(np.log(total + 1e-3), dtype=np.float32)

    def _likelihood(self, model: str, features: Any, length: int) -> Floats:
        """Log-likelihood ratio under the unigram models, by root of the query's length."""
        postings = self.models[model]
        places, counts = postings.known(features)
        base = self.arrays[f"base_{model}"] * float(counts.sum())
        found = (postings.scores(places, counts) + base) / np.sqrt(max(length, 1))
        return np.asarray(found, dtype=np.float32)


KINDS: Final = ("Core", "Supplemental", "")


def _levels(linked: npt.NDArray[Any], starts: npt.NDArray[Any]) -> Levels:
    """First links of all that have one, then second links, and so on: rows and what they link."""
    lengths = np.diff(starts)
    levels = []
    for level in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > level)
        levels.append((rows, linked[starts[rows] + level]))
    return levels


def _largest(values: Floats, levels: Levels, size: int) -> Floats:
    """`(size,)` largest linked value of each row; the smallest of all for a row without links."""
    largest = np.full(size, values.min() if len(values) else 0.0, dtype=np.float32)
    for rows, linked in levels:
        largest[rows] = np.maximum(largest[rows], values[linked])
    return largest


def build(source: Sequence[StatementSource]) -> Arrays:
    """Arrays of an index over the statements; `source` in order of occupation."""
    codes = list(dict.fromkeys(one.code for one in source))
    names = {one.code: one.occupation for one in source}
    number = {code: place for place, code in enumerate(codes)}
    elements = sorted({element for one in source for element in one.activities})
    detailed = sorted({dwa for one in source for dwa in one.detailed})
    stemmed = [content(one.text) for one in source]
    counted = count(*word_hashes(stemmed), len(source))
    verbs = count(*word_hashes([one[:1] for one in stemmed]), len(source))
    letters = count(*character_grams([letters_of(one.text) for one in source]), len(source))
    links = _links([one.detailed for one in source], detailed)
    doing = _links([one.activities for one in source], elements)
    arrays: Arrays = {
        **cosine_postings(counted).arrays("words"),
        **bm25_postings(counted).arrays("bm25"),
        **cosine_postings(letters.rarer_than(FREQUENT)).arrays("letters"),
        **cosine_postings(verbs).arrays("verbs"),
        "occupations": np.array([number[one.code] for one in source], dtype=np.int32),
        "kinds": np.array([KINDS.index(one.kind) for one in source], dtype=np.int8),
        "importance": np.array(
            [np.nan if one.importance is None else one.importance for one in source], np.float32
        ),
        "link_starts": links.indptr.astype(np.int64),
        "linked": links.indices.astype(np.int32),
        "doing_starts": doing.indptr.astype(np.int64),
        "doing": doing.indices.astype(np.int32),
    }
    grouped = {
        "detailed": counted.grouped(links),
        "activity": counted.grouped(doing),
        "verb": verbs.grouped(doing),
    }
    for name, counts in grouped.items():
        postings, base = smoothed_postings(counts, mass=MASSES[name])
        arrays |= postings.arrays(f"model_{name}")
        arrays[f"base_{name}"] = base
    packed = {
        "tasks": [one.task_id for one in source],
        "texts": [one.text for one in source],
        "codes": codes,
        "names": [names[code] for code in codes],
        "activities": elements,
    }
    for name, texts in packed.items():
        arrays |= {f"{name}_{part}": array for part, array in pack_texts(texts).items()}
    return arrays


def _links(listed: Sequence[Sequence[str]], known: Sequence[str]) -> Any:
    """Statements x what they are linked to, as a table of ones."""
    place = {name: number for number, name in enumerate(known)}
    rows = [row for row, names in enumerate(listed) for _ in set(names)]
    columns = [place[name] for names in listed for name in sorted(set(names))]
    ones = np.ones(len(rows), dtype=np.float32)
    table = sp.csr_array((ones, (rows, columns)), shape=(len(listed), len(known)))
    table.sort_indices()
    return table
