"""Answers without a model: a search that shows facts and sentences of the portfolio as they stand.

It says that it searches. What was not understood is neither denied nor affirmed.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from bm25s.stopwords import (
    STOPWORDS_FRENCH,
    STOPWORDS_GERMAN,
    STOPWORDS_SPANISH,
)
from django.utils.translation import gettext as _

from futura.text import STOP_WORDS, quoted, words
from projects.portfolio import vocabulary
from projects.portfolio.index.searching import query_terms, terms_of
from projects.portfolio.visitors.contract import (
    Evidence,
    EvidenceSummary,
    RetrievalPlan,
    Retrieved,
    Speaker,
)
from projects.portfolio.visitors.evidence import card_hints, evidence_of
from projects.portfolio.visitors.retrieval import requests_for
from projects.portfolio.visitors.sentences import Sentence, is_label

QUOTES: Final = 4
CARDS: Final = 12
FACTS: Final = 3
OF_ONE: Final = 3
"""Sentences of one document at most, unless nothing else was retrieved."""
ENOUGH: Final = 0.3
"""Share of what a question weighs from which a sentence counts as retrieved."""
NEAR: Final = 0.5
"""Share of the best sentence's weight down to which others are shown."""
_TITLE: Final = 0.5
# words of questions: `facts` and `facets` that they ask for, and those for a list
_WORDS: Final = vocabulary.word_lists(Path(__file__).with_name("words.toml"))
# verbs of asking; English has its own in the index
_ASKING: Final = frozenset(stem for word in _WORDS["asking"]["any"] for stem in terms_of(word))
# a word of one language names a thing in another (ai, war, son): a question has one language
_SMALL_WORDS: Final = tuple(
    map(frozenset, (STOP_WORDS, STOPWORDS_GERMAN, STOPWORDS_SPANISH, STOPWORDS_FRENCH))
)


def plan_of(question: str, *, goes_on: bool) -> RetrievalPlan:
    """A search in all sources. Without a word to look for: what the last answer rested on, where
    the conversation `goes_on`, else nothing.
    """
    has_words = bool(_requested(question)) or bool(_facts_in_question(question))
    if question.strip() == _("How does this work?") or not (has_words or goes_on):
        return RetrievalPlan(question_type="meta", cards_enabled=False, topic="search")
    requests = requests_for(question) if has_words else []
    return RetrievalPlan(question_type="narrative", retrieval_requests=requests)


def search(question: str, plan: RetrievalPlan, retrieved: Retrieved) -> Evidence:
    """Facts that the question asks for, then the sentences that have most of its words."""
    facts = _facts(question, retrieved.facts)
    if plan.retrieval_requests:
        quotes = _quotes(question, retrieved)
    else:  # a question without a word to look for: what the last answer rested on
        last = {doc.key for doc in retrieved.documents[:1]}
        quotes = [row for row in retrieved.sentences if row.docs[0].key in last][:QUOTES]
    if not facts and not quotes:
        return Evidence(EvidenceSummary(verdict="unknown", confidence="low"))
    summary = EvidenceSummary(
        verdict="partial", confidence="low", reasoning="Found by search; nothing was evidence."
    )
    docs = [sentence.docs[0] for sentence in quotes]
    docs += [doc for fact in facts if len(fact.docs) <= FACTS for doc in fact.docs]
    sentences = [*facts, *quotes[:QUOTES]]
    return evidence_of(summary, sentences, card_hints(docs), plan, retrieved)


def _requested(question: str) -> list[str]:
    """What is looked for, each once: its words without those of any question."""
    said = set(words(question))
    small = max((said & of_language for of_language in _SMALL_WORDS), key=len)
    ignored = _ASKING.union(*map(terms_of, small))
    return [term for term in dict.fromkeys(query_terms(question)) if term not in ignored]


def _facts_in_question(question: str) -> set[str]:
    """Kinds of facts that the words of a question ask for."""
    question_words = set(words(question))
    return {kind for kind, names in _WORDS["facts"].items() if question_words & names}


def _facts(question: str, facts: Sequence[Sentence]) -> list[Sentence]:
    """Those of the kinds that are asked for, and about the kind of record or the name."""
    kinds, question_words = _facts_in_question(question), set(words(question))
    facets = {facet for facet, names in _WORDS["facets"].items() if question_words & names}
    # a list is meant: “Where did you study?”
    if facets and question_words & _WORDS["asking"]["where"]:
        kinds = kinds | {"count"}
    terms = set(_requested(question))
    about_more = terms - {
        stem for names in _WORDS["facets"].values() for name in names for stem in terms_of(name)
    }
    chosen = []
    for fact in facts:
        kind, _blank, about = fact.kind.partition(" ")
        if kind == "skill":
            is_meant = set(terms_of(about)) <= terms and "total" in kinds
        elif kind == "position":
            is_meant = "total" in kinds and bool(set(terms_of(fact.docs[0].title)) & terms)
        elif kind == "about":
            is_meant = kind in kinds and not terms
        elif kind == "count":
            is_meant = kind in kinds and about in facets and not about_more and "now" not in kinds
        elif kind in {"most", "least"}:
            is_meant = kind in kinds and set(terms_of(about)) <= terms
        elif kind == "total":
            is_meant = kind in kinds and "experience" in facets
        else:
            is_meant = kind in kinds and (not about or about in facets)
        if is_meant:
            chosen.append(fact)
    named = [fact for fact in chosen if fact.kind.startswith(("skill", "position"))]
    return (named or chosen)[:FACTS]


def _quotes(question: str, retrieved: Retrieved) -> list[Sentence]:
    requested = _requested(question)
    named = {doc.key: _terms(doc.title) for doc in retrieved.documents}
    about = {doc.key: named[doc.key] | _terms(doc.keywords) for doc in retrieved.documents}
    own = {sentence.id: _terms(sentence.text) for sentence in retrieved.sentences}
    seen = Counter(term for terms in own.values() for term in terms)
    seen.update(term for terms in about.values() for term in terms)
    weight = {term: math.log(1 + len(own) / max(1, seen[term])) for term in requested}
    scored = []
    for place, sentence in enumerate(retrieved.sentences):
        sentence_terms, titled = own[sentence.id], about[sentence.docs[0].key]
        inside = sum(weight[term] for term in requested if term in sentence_terms)
        around = _TITLE * sum(weight[term] for term in requested if term in titled - sentence_terms)
        if not inside and is_label(sentence.text):
            around /= 2
        # of two alike that of a position stands before those of its projects
        is_named = not named[sentence.docs[0].key].isdisjoint(requested)
        scored.append((inside + around, is_named, -place, sentence))
    scored.sort(key=lambda row: row[:3], reverse=True)
    best = scored[0][0] if scored else 0.0
    # without blanks a run of wide letters is no word: it weighs where it stands in the portfolio
    weighed = [term for term in requested if seen[term] or not _is_wide(term)]
    if not best or best < ENOUGH * sum(weight[term] for term in weighed):
        # of several questions in one, what is named by its whole title is meant
        whole = {key for key, terms in named.items() if terms and terms.issubset(requested)}
        scored = [row for row in scored if row[-1].docs[0].key in whole]
    of_one: Counter[tuple[str, str]] = Counter()
    chosen: list[Sentence] = []
    for score, _is_named, _place, sentence in scored:
        key = sentence.docs[0].key
        if score < NEAR * best or of_one[key] >= OF_ONE:
            continue
        texts = [row.text for row in chosen if row.docs[0].key == key]
        if sentence.text in (sentence.docs[0].months, *texts):
            continue
        of_one[key] += 1
        chosen.append(sentence)
    return chosen[:CARDS]


def _is_wide(term: str) -> bool:
    return unicodedata.east_asian_width(term[0]) in "WF"


@lru_cache(maxsize=8192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms_of(text))


def pieces_of(
    evidence: Evidence, speaker: Speaker, *, is_bare: bool = False
) -> Iterator[tuple[str, list[int]]]:
    """The answer in stretches, each with the numbers of its evidence; a bare one only quotes."""
    if is_bare:
        pass
    elif evidence.summary.verdict == "n/a":
        text = _(
            "This is a search in the portfolio of %(name)s. Use words that may be in it: a name, "
            "a tool, a place, a year."
        )
        yield text % {"name": speaker.name}, []
    elif not evidence.sentences:
        if speaker.is_group:
            text = _("We found no matching sentence in the portfolio.")
        else:
            text = _("I found no matching sentence in the portfolio.")
        way_on = _(
            "Each question is searched on its own: name what it is about, such as a tool, a place "
            "or a year."
        )
        yield f"{text} {way_on}", []
    elif speaker.is_group:
        yield _("We found this in the portfolio:"), []
    else:
        yield _("I found this in the portfolio:"), []
    for number, sentence in enumerate(evidence.sentences, start=1):
        text = sentence.text
        if not sentence.is_fact:
            doc, item = sentence.docs[0], evidence.summary.selected_evidence[number - 1]
            text = f"{quoted(item.snippet)} ({', '.join(filter(None, (doc.title, doc.dates)))})"
        before = "\n" if number > 1 else "" if is_bare else "\n\n"
        yield f"{before}- ", []
        yield text, [number]
