"""The verdict by rules: special kinds of questions first, then what holds for all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from futura.text import content_overlap
from projects.portfolio.documents import Doc
from projects.portfolio.visitors import aspects
from projects.portfolio.visitors.contract import Confidence, SemanticFlag
from projects.portfolio.visitors.denial import denial
from projects.portfolio.visitors.judged import (
    NOT_ASKED,
    NOTHING,
    Case,
    Judged,
    Pick,
    Rule,
    confidence_of,
    covers,
    is_only_denied,
    pick,
    picks_of,
    told_more,
)
from projects.portfolio.visitors.listed import plain_words
from projects.portfolio.visitors.quotes import shortened
from projects.portfolio.visitors.sought import Topic
from projects.portfolio.visitors.spelling import written_out

_PRIZE: Final = re.compile(r"\b(?:awards?|prizes?|won|medals?)\b", re.IGNORECASE)
LIKE_ASKED: Final = 0.5
"""Overlap from which a question counts as the one that the owner has answered."""
SAMPLE: Final = 4
SPECIAL: Final[tuple[Rule, ...]] = (
    aspects.available, denial, aspects.bio, aspects.home, aspects.still,
    aspects.now, aspects.names, aspects.count, aspects.duration, aspects.when, aspects.been,
)  # fmt: skip


def judge(case: Case) -> Judged:
    """What the documents say to a question."""
    case = replace(case, question=written_out(case.question))
    if case.plan.question_type == "meta":
        return NOT_ASKED
    if not case.documents:
        return NOTHING
    if (told := _answered(case)) is not None:
        return told
    for rule in SPECIAL:
        found = rule(case)
        if found is not None:
            return found
    return _general(case)


def _answered(case: Case) -> Judged | None:
    """The owner's own answer to the same question."""
    answers = [one for one in case.documents if one.facet == "answer"]
    topics = case.looks_for.topics
    for one in answers:
        is_like = content_overlap(one.title, case.question) >= LIKE_ASKED
        if not is_like and not (topics and covers(one, topics)):
            continue
        found = pick(one, topics)
        if found is None:
            continue
        start = re.match(r"\W*(yes|no)\b", one.text, re.IGNORECASE)
        said = start[1].lower() if start and case.plan.question_type == "binary" else "yes"
        quote = shortened(one.text.strip().split("\n")[0])
        return Judged("no" if said == "no" else "yes", "high", [Pick(one, quote)],
                      why="The owner has answered this.", telling="profile")  # fmt: skip
    return None


def _general(case: Case) -> Judged:
    if not case.looks_for.groups:
        return _everything(case)
    by_group = [_supporting(case, group) for group in case.looks_for.groups]
    if not any(by_group):
        return NOTHING
    missing = [_said(group) for group, docs in zip(case.looks_for.groups, by_group, strict=True)
               if not docs]  # fmt: skip
    docs = _interleaved(by_group)
    if case.is_list and case.looks_for.is_both and case.looks_for.joiner == "and":
        docs = [one for one in docs if all(one in some for some in by_group)] or docs
    return _verdict(case, docs, missing)


def _said(group: Sequence[Topic]) -> str:
    return " ".join(one.text for one in group)


def _supporting(case: Case, group: Sequence[Topic]) -> list[Doc]:
    """Documents that have the whole of a group and do not deny it."""
    lenient = case.plan.question_type == "narrative"
    pool = case.pool if case.pool or case.looks_for.entities else []
    profile = [one for one in case.documents if one.facet == "profile"]
    found = [one for one in pool if covers(one, group, lenient=lenient)]
    if not case.looks_for.entities and not case.looks_for.years and not case.is_list:
        found += [one for one in profile if covers(one, group, lenient=lenient)]
    if case.is_list and case.looks_for.facets:
        found = [one for one in found if one.facet in case.looks_for.facets] or found
    return [one for one in found if not is_only_denied(one, group)]


def _interleaved(by_group: Sequence[Sequence[Doc]]) -> list[Doc]:
    """The first of each group, then the second of each, …, each once."""
    longest = max(map(len, by_group))
    found = [docs[at] for at in range(longest) for docs in by_group if at < len(docs)]
    seen: dict[tuple[str, str], Doc] = {(one.corpus, one.doc_id): one for one in found}
    return list(seen.values())


def _verdict(case: Case, docs: Sequence[Doc], missing: Sequence[str]) -> Judged:
    topics = case.looks_for.topics
    flags = _flags(case)
    at_work = [one for one in docs if one.is_employment or _is_linked_project(one)]
    is_only_private = case.plan.scope == "employment_only" and not at_work
    if case.plan.scope == "employment_only" and at_work:
        docs = [*at_work, *(one for one in docs if one.facet == "project" and one not in at_work)]
        if not case.is_list and not case.looks_for.facets & {"project"}:
            docs = [one for one in docs if one in at_work or one.facet == "project"]
    picks = picks_of(_chosen(case, docs), topics)
    if not picks:
        return NOTHING
    if case.plan.question_type == "narrative":
        picks = told_more(picks)
    shown = _limited(case, docs)
    confidence = confidence_of(picks, topics)
    if is_only_private and case.plan.question_type == "binary":
        # projects of one's own may support a job, but make none (DECISIONS 35)
        return replace(NOTHING, why="It is only told of outside of jobs.")
    if missing and case.looks_for.joiner == "and":
        why = f"Nothing is said of {', '.join(missing)}."
        weaker: Confidence = "medium" if confidence == "high" else "low"
        return Judged("partial", weaker, picks, shown, why=why, missing=missing, flags=flags)
    return Judged("yes", confidence, picks, shown, why="The documents say it.", flags=flags)


def _is_linked_project(doc: Doc) -> bool:
    return doc.facet == "project" and bool(doc.linked)


def _flags(case: Case) -> list[SemanticFlag]:
    if len(case.looks_for.groups) > 1 and case.plan.question_type != "binary":
        names = ", ".join(_said(one) for one in case.looks_for.groups)
        return [SemanticFlag(type="multi_topic", reason=f"It asks about {names}.")]
    return []


def _limited(case: Case, docs: Sequence[Doc]) -> list[Doc]:
    """What becomes cards: everything where everything is wanted, else a few."""
    cards = [one for one in docs if one.facet in {"project", "experience"}]
    if case.plan.enumeration == "all_relevant":
        return cards
    if case.looks_for.order and case.looks_for.limit in {None, 3}:
        return cards[:1]
    return cards[: case.looks_for.limit or SAMPLE]


def _chosen(case: Case, docs: Sequence[Doc]) -> list[Doc]:
    if case.plan.enumeration == "all_relevant":
        return list(docs)
    limit = case.looks_for.limit or SAMPLE
    return list(docs[: 1 if case.looks_for.order and limit == 3 else limit])


def _everything(case: Case) -> Judged:
    """Nothing special is asked for: everything of the kind, or of what is named."""
    looks = case.looks_for
    docs = _of_kind(case)
    if not docs:
        return _unclear() if not looks.facets and not looks.entities else NOTHING
    if looks.entities and not case.is_list:
        docs = [one for one in docs if one in case.named] or docs
    if case.plan.scope == "employment_only" and not looks.entities:
        docs = [one for one in docs if one.facet != "project" or one.linked] or docs
    picks = picks_of(_chosen(case, docs), ())
    if not picks:
        return NOTHING
    if case.plan.question_type == "narrative":
        picks = told_more(picks)
    return Judged(
        "yes", "high", picks, _limited(case, docs), why="All of the kind that is asked for."
    )


def _of_kind(case: Case) -> list[Doc]:
    looks = case.looks_for
    if looks.facets >= {"award", "project"}:
        return _awarded(case)
    if looks.facets:
        found = case.of(*looks.facets)
        if found or not looks.entities:
            return found
    if looks.entities:
        return case.pool
    if looks.years:
        return case.of("project", "experience", "education", "award")
    if case.plan.question_type == "binary" or looks.aspect != "any":
        return []
    asks_for_work = re.search(
        r"\b(?:work|experiences?|background|portfolio)\b", case.question, re.IGNORECASE
    )
    return case.of("project", "experience") if asks_for_work or case.is_list else []


def _awarded(case: Case) -> list[Doc]:
    """“Which projects won a prize?”: awards, and projects that tell of one or are named there."""
    awards = case.of("award")
    named = " ".join(plain_words(f"{one.title} {one.text}") for one in awards)
    return [
        *(one for one in case.of("project")
          if f" {plain_words(one.title)} " in f" {named} " or _PRIZE.search(one.text)),
        *awards,
    ]  # fmt: skip


def _unclear() -> Judged:
    reason = "The question names nothing that could be looked for."
    flag = SemanticFlag(type="needs_clarification", reason=reason)
    return Judged("unknown", "low", why=reason, flags=[flag])
