"""Index of job titles: what is stored, and the evidence it gives for every occupation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from futura.text import stems, words
from onet.lexical import (
    Arrays,
    Counts,
    Floats,
    Hashes,
    Postings,
    Rows,
    Texts,
    Unigrams,
    character_grams,
    cosine_postings,
    count,
    entries_of,
    open_index,
    shared_index,
    text_hash,
    unigram_arrays,
    word_hashes,
)
from onet.models import AlternateTitle, Occupation, Release, TaskStatement
from onet.titles.classifier import (
    features,
    latent_arrays,
    latent_likeness,
    learned_arrays,
    learned_chances,
    pieces,
)
from onet.titles.wording import plain_words

MASSES: Final = {"letters": 5.0, "last": 20.0, "stated": 200.0}
"""Smoothing of the unigram models of an occupation, chosen on held-out O*NET titles."""

FREQUENT: Final = 0.04
"""Share of the titles from which a letter sequence is too common to compare by."""

WEIGHTS: Final[dict[str, float]] = {
    "prior": 0.3697,
    "letters_near": 0.1112,
    "words_near": 0.1262,
    "letters": 0.0285,
    "last": 0.1047,
    "stated": 0.0992,
    "latent": 3.673,
    "learned": 0.2799,
}
"""What `TitleIndex.evidence` says about each occupation, in order, with its weight: fitted by a
softmax over occupations on 4,000 O*NET 30 titles left out of the index."""

RELATED: Final[dict[str, float]] = {"letters_near": -1.0, "words_near": -6.9, "latent": 0.1}
"""What a title must reach at one of them to have anything in common with an occupation: a title
spelled much alike, a word of its titles, or words of its kind. On 3,000 O*NET 30 titles left out of
the index this hides 20 of the 2,339 right ones among the first five."""

MEANT_WEIGHTS: Final[dict[str, float]] = {
    "meaning_near": 0.5,
    "meaning_nearer": 0.5,
    "meaning_best": 2.0,
}
"""What a neural space adds, in order, with its weight."""


@dataclass(frozen=True, slots=True)
class TitleSource:
    """What an index is made of; `texts` are the statements of an occupation in one string."""

    codes: Sequence[str]
    names: Sequence[str]
    descriptions: Sequence[str]
    texts: Sequence[str]
    titles: Sequence[tuple[int, str]]
    """Place of the occupation and another name of it."""


def key_of(title: str) -> str:
    """Titles with one key are one title."""
    return " ".join(plain_words(title))


@dataclass(frozen=True, slots=True)
class TitleIndex:
    """Everything to rank occupations for a title. Read-only, safe between threads."""

    arrays: Arrays
    near: dict[str, Postings]
    models: dict[str, Unigrams]
    codes: Texts
    names: Texts
    titles: Texts
    spoken: tuple[str, ...]
    """Every word of the titles, sorted."""

    @classmethod
    def load(cls, arrays: Arrays) -> TitleIndex:
        return cls(
            arrays,
            {name: Postings.from_arrays(arrays, f"near_{name}") for name in ("letters", "words")},
            {name: Unigrams.from_arrays(arrays, name) for name in MASSES},
            arrays["codes"],
            arrays["names"],
            arrays["titles"],
            tuple(arrays["spoken"].tolist()),
        )

    @property
    def occupations(self) -> int:
        return len(self.arrays["prior"])

    def owners(self, place: int) -> npt.NDArray[np.int32]:
        """Places of the occupations that carry a title."""
        starts = self.arrays["owner_starts"]
        result: npt.NDArray[np.int32] = self.arrays["owners"][starts[place] : starts[place + 1]]
        return result

    def speaking(self, low: int, high: int) -> npt.NDArray[np.int32]:
        """Titles with a word of `spoken[low:high]`, sorted."""
        starts = self.arrays["spoken_starts"]
        return np.unique(self.arrays["spoken_titles"][starts[low] : starts[high]])

    def exact(self, title: str) -> npt.NDArray[np.int32]:
        """Occupations that carry just this title; mostly none."""
        requested = np.uint64(text_hash(key_of(title)))
        keys = self.arrays["key_hashes"]
        at = int(np.searchsorted(keys, requested))
        if at < len(keys) and keys[at] == requested:
            return self.owners(int(self.arrays["key_places"][at]))
        return np.empty(0, np.int32)

    def evidence(self, title: str) -> Floats:
        """`(occupations, len(WEIGHTS))`: how each speaks for the title, before any weighing."""
        words = plain_words(title)
        key = " ".join(words)
        stemmed = stems(list(words))
        letters, spoken = character_grams([key]), word_hashes([stemmed])
        rows, hashes = spoken
        columns = [
            self.arrays["prior"],
            self._gathered(self.near["letters"].cosines(letters[1]), 3),
            self._gathered(self.near["words"].cosines(hashes), 4),
            self._likelihood("letters", letters, len(key)),
            self._likelihood("last", (rows[-1:], hashes[-1:]), 1),
            self._likelihood("stated", spoken, len(stemmed)),
            latent_likeness(self.arrays, hashes),
            learned_chances(self.arrays, features([key], [stemmed])[1]),
        ]
        return np.stack(columns, axis=1)

    def share_of_known_words(self, title: str) -> float:
        """Share of a title's words that titles of the catalogue have, 0 to 1."""
        hashes = word_hashes([stems(list(plain_words(title)))])[1]
        return float(np.isin(hashes, self.near["words"].vocabulary).mean()) if len(hashes) else 0.0

    def meant(self, meaning: Floats) -> Floats:
        """`(occupations, len(MEANT_WEIGHTS))`, from `(titles,)` cosines of a neural space."""
        positive = np.maximum(meaning, 0)
        best = np.zeros(self.occupations, dtype=np.float32)
        np.maximum.at(best, self.arrays["owners"], positive[self.arrays["pair_titles"]])
        columns = [self._gathered(positive, 8), self._gathered(positive, 16), best]
        return np.stack(columns, axis=1)

    def _gathered(self, similar: Floats, power: int) -> Floats:
        """Log of the summed likeness of an occupation's titles; a power favours the likest."""
        titles = np.flatnonzero(similar)
        entries, lengths = entries_of(self.arrays["owner_starts"], titles)
        shared = np.repeat(similar[titles] ** power, lengths)
        total = np.bincount(
            self.arrays["owners"][entries], weights=shared, minlength=self.occupations
        )
        return np.asarray(np.log(total + 1e-3), dtype=np.float32)

    def _likelihood(self, model: str, features: tuple[Rows, Hashes], length: int) -> Floats:
        lengths = np.array([max(length, 1)], dtype=np.float32)
        likelihood: Floats = self.models[model].likelihood(*features, lengths)[0]
        return likelihood


def related(evidence: Floats) -> npt.NDArray[np.bool_]:
    """`(occupations,)`: which have anything in common with the title that it is about."""
    columns = evidence[:, [list(WEIGHTS).index(name) for name in RELATED]]
    return np.asarray((columns >= np.array(list(RELATED.values()))).any(axis=1))


def build(source: TitleSource, *, without: Collection[str] = ()) -> Arrays:
    """Arrays of an index over all titles but those in `without` (casefolded; own names stay)."""
    displayed, keys, owners, ranks = _collect(source, frozenset(without))
    pair_titles = np.repeat(np.arange(len(keys)), [len(owner) for owner in owners]).astype(np.int32)
    flat = np.array([place for owner in owners for place in owner], dtype=np.int32)
    size = len(source.codes)
    ownership = sp.csr_array(
        (np.ones(len(flat), np.float32), (pair_titles, flat)), shape=(len(keys), size)
    )
    stemmed = [stems(key.split()) for key in keys]
    letters = count(*character_grams(keys), len(keys))
    normalized = count(*word_hashes(stemmed), len(keys))
    last = count(*word_hashes([item[-1:] for item in stemmed]), len(keys))
    parts, described = pieces(source.descriptions)
    taught = features([*keys, *parts], [*stemmed, *(stems(text.split()) for text in parts)])
    arrays: Arrays = {
        **cosine_postings(letters.rarer_than(FREQUENT)).arrays("near_letters"),
        **cosine_postings(normalized).arrays("near_words"),
        **_models(source, ownership, letters, normalized, last),
        **latent_arrays(normalized.grouped(ownership), source.descriptions, source.texts),
        **learned_arrays(*taught, [*owners, *([place] for place in described)], size),
        "prior": np.log1p(np.bincount(flat, minlength=size)).astype(np.float32),
        "pair_titles": pair_titles,
        "owners": flat,
        "owner_starts": np.cumsum([0, *(len(owner) for owner in owners)]),
        "title_ranks": np.array(ranks, dtype=np.float32),
        **_keyed(keys),
        **_spoken(displayed),
    }
    texts = {"codes": source.codes, "names": source.names, "titles": displayed}
    return arrays | {name: np.array(some, dtype=np.str_) for name, some in texts.items()}


def _collect(
    source: TitleSource, without: frozenset[str]
) -> tuple[list[str], list[str], list[list[int]], list[float]]:
    """Distinct titles as displayed, their keys, the occupations of each, and how common it is.

    The occupation whose own name a title is comes first among its owners. Common is a title that
    is an occupation's own name, or listed more than once.
    """
    displayed: dict[str, str] = {}
    owners: dict[str, dict[int, None]] = defaultdict(dict)
    listed: dict[str, int] = defaultdict(int)
    own = len(source.names)
    for number, (place, title) in enumerate([*enumerate(source.names), *source.titles]):
        key = key_of(title)
        if key and (number < own or title.casefold() not in without):
            displayed.setdefault(key, title)
            owners[key][place] = None
            listed[key] += 3 if number < own else 1
    keys = list(displayed)
    ranks = [float(np.log(listed[key])) for key in keys]
    return list(displayed.values()), keys, [list(owners[key]) for key in keys], ranks


def _spoken(displayed: Sequence[str]) -> Arrays:
    """Sorted words of the titles as displayed, and the titles that have each."""
    by_word: dict[str, list[int]] = defaultdict(list)
    lengths = []
    for place, title in enumerate(displayed):
        result = words(title)
        lengths.append(len(result))
        for word in dict.fromkeys(result):
            by_word[word].append(place)
    existing = sorted(by_word)
    titles = [place for word in existing for place in by_word[word]]
    return {
        "title_words": np.array(lengths, dtype=np.int32),
        "spoken_titles": np.array(titles, dtype=np.int32),
        "spoken_starts": np.cumsum([0, *(len(by_word[word]) for word in existing)]),
        "spoken": np.array(existing, dtype=np.str_),
    }


def _models(
    source: TitleSource, ownership: Any, letters: Counts, whole_words: Counts, last: Counts
) -> Arrays:
    stated = [stems(words(text)) for text in source.texts]
    counted = {
        "letters": letters.grouped(ownership),
        "last": last.grouped(ownership),
        "stated": count(*word_hashes(stated), len(source.codes), whole_words.vocabulary),
    }
    arrays: Arrays = {}
    for name, counts in counted.items():
        arrays |= unigram_arrays(counts, name, mass=MASSES[name])
    return arrays


def _keyed(keys: Sequence[str]) -> Arrays:
    hashes = np.array([text_hash(key) for key in keys], dtype=np.uint64)
    order = np.argsort(hashes)
    return {"key_hashes": hashes[order], "key_places": order.astype(np.int32)}


VERSION: Final = 6
"""Raise when the same catalogue gives another index."""


def read_source(release: Release) -> TitleSource:
    """Occupations, their names and their statements. Three queries."""
    rows = list(Occupation.objects.filter(release=release).order_by("code"))
    place = {row.pk: number for number, row in enumerate(rows)}
    texts: list[list[str]] = [[] for _ in rows]
    statements = TaskStatement.objects.filter(release=release).order_by("pk")
    for owner, text in statements.values_list("occupation_id", "text"):
        texts[place[owner]].append(text)
    names = AlternateTitle.objects.filter(occupation__release=release)
    # Reported names first: where two are written alike, theirs is the everyday spelling.
    listed = names.order_by("-kind", "pk").values_list("occupation_id", "title")
    return TitleSource(
        codes=[row.code for row in rows],
        names=[row.title for row in rows],
        descriptions=[row.description for row in rows],
        texts=[" ".join(text) for text in texts],
        titles=[(place[owner], title) for owner, title in listed],
    )


def title_index(release: Release) -> TitleIndex:
    """The index of a release: from memory, from disk, or built now (a few seconds)."""
    name = f"titles-{VERSION}-{release.fingerprint[:24]}"
    return shared_index(
        "titles",
        name,
        lambda: TitleIndex.load(open_index(name, lambda: build(read_source(release)))),
    )
