"""Rules for questions of a certain kind: where somebody lives, how many, how long, when, names of
tools, who somebody is. Each gives a verdict, or None to leave it to the general rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.utils import timezone

from projects.portfolio import vocabulary
from projects.portfolio.corpus import months_between
from projects.portfolio.documents import Doc
from projects.portfolio.visitors import cues
from projects.portfolio.visitors.contract import Confidence
from projects.portfolio.visitors.denial import denial
from projects.portfolio.visitors.judged import (
    NOTHING,
    Case,
    Judged,
    Pick,
    covers,
    in_years,
    pick,
    picks_of,
)
from projects.portfolio.visitors.lexicon import key_of
from projects.portfolio.visitors.quotes import (
    keys_of,
    month_span,
    said_by,
    sentences_of,
    shortened,
)
from projects.portfolio.visitors.sought import Topic

_DATABASES: Final = frozenset(
    """postgresql mysql mariadb sqlite mongodb cassandra dynamodb elasticsearch opensearch
    clickhouse snowflake bigquery redshift duckdb neo4j supabase redis memcached pinecone
    qdrant""".split()
)
_NUMBER: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|"
    r"hundred|thousand|million)\b",
    re.IGNORECASE,
)
_WHERE: Final = re.compile(r"\bwhere (?:was|were|is|are|did)\b", re.IGNORECASE)
_COUNTED: Final = re.compile(
    r"\b(?:how many|number of)\s+((?:[\w-]+\s+){0,2}?[\w-]+s)\b", re.IGNORECASE
)
_LABELS: Final = {"material": "Materials", "technique": "Techniques"}
_FACET_WORDS: Final = ("project", "experience", "education", "award")


def available(case: Case) -> Judged | None:
    """Whether somebody takes something on now: only the profile and approved answers tell."""
    if case.plan.question_type != "binary" or not cues.AVAILABLE.search(case.question):
        return None
    here = replace(case, documents=_profile(case), looks_for=replace(case.looks_for, entities=()))
    if (told := denial(here)) is not None:
        return told
    topics = case.looks_for.topics
    for doc in here.documents:
        for one in sentences_of(doc.text):
            if cues.AVAILABLE.search(one) and all(topic.keys & keys_of(one) for topic in topics):
                said = [Pick(doc, shortened(one))]
                return Judged("yes", "high", said, why="The profile says it.", telling="profile")
    return NOTHING


def bio(case: Case) -> Judged | None:
    """Who somebody is: the profile."""
    if case.looks_for.aspect != "bio":
        return None
    profile = next((one for one in case.documents if one.facet == "profile"), None)
    if profile is None:
        jobs = picks_of(case.of("experience"), ())[:2]
        return Judged("yes", "medium", jobs, why="There is no profile.") if jobs else NOTHING
    told = [one for one in sentences_of(profile.text) if not re.match(r"^[A-Z]\w+: ", one)]
    picks = [Pick(profile, shortened(" ".join(told[:1])))] if told else []
    more = [Pick(profile, shortened(one)) for one in told[1:3]]
    now = next((one for one in sentences_of(profile.text) if one.startswith("Now:")), "")
    picks += [Pick(profile, now)] if now and not picks else []
    if not picks:
        return NOTHING
    return Judged("yes", "high", [*picks, *more], why="The profile says who it is.",
                  telling="profile")  # fmt: skip


def home(case: Case) -> Judged | None:
    """Where somebody lives: the location of the profile, else of the present position."""
    if case.looks_for.aspect != "home":
        return None
    line = _location(case.documents)
    if line is None:
        return NOTHING
    doc, quote = line
    topics = [one for one in case.looks_for.topics if one.is_name]
    place = quote.partition(": ")[2]
    if not topics or case.plan.question_type != "binary":
        return Judged("yes", "high" if doc.facet == "profile" else "medium", [Pick(doc, quote)],
                      why="A document names the place.", telling="value", value=place)  # fmt: skip
    is_so = all(one.keys & keys_of(quote) for one in topics)
    return Judged("yes" if is_so else "no", "high" if is_so else "medium", [Pick(doc, quote)],
                  why="The location says so." if is_so else "The location is another one.",
                  telling="value", value=place)  # fmt: skip


def _location(docs: Sequence[Doc]) -> tuple[Doc, str] | None:
    current = [one for one in docs if one.facet == "experience" and one.is_current]
    for doc in [*(one for one in docs if one.facet == "profile"), *current]:
        for one in sentences_of(doc.text):
            if one.startswith("Location: "):
                return doc, one
    return None


def still(case: Case) -> Judged | None:
    """Whether something goes on: dates say yes or no."""
    looks = case.looks_for
    if not looks.is_now or case.plan.question_type != "binary" or not looks.entities:
        return None
    jobs = [one for one in case.named if one.facet in {"experience", "education"}]
    if not jobs or looks.groups:
        return None
    going_on = [one for one in jobs if one.is_current]
    if going_on:
        return Judged("yes", "high", _spans(going_on), going_on, why="It goes on.")
    ended = [one for one in jobs if one.ended]
    if not ended:
        return None
    return Judged("no", "high", _spans(ended), ended, why="It has ended.")


def now(case: Case) -> Judged | None:
    """What somebody does at present."""
    looks = case.looks_for
    is_asked = looks.aspect == "jobs" and (looks.is_now or looks.order == "latest")
    is_open = looks.aspect in {"any", "projects"} and looks.is_now
    if not (is_asked or is_open) or looks.groups or looks.entities:
        return None
    wanted = sorted(looks.facets) or ["project", "experience"]
    current = [one for one in case.of(*(["experience"] if is_asked else wanted)) if one.is_current]
    if is_open:
        picks = picks_of(current, ())
        return Judged("yes", "high", picks, current, why="It goes on.") if picks else None
    if current:
        return Judged("yes", "high", picks_of(current, (), labels=("Position",)), current,
                      why="A position goes on.")  # fmt: skip
    for doc in case.documents:
        line = next((one for one in sentences_of(doc.text) if one.startswith("Now: ")), "")
        if doc.facet == "profile" and line:
            return Judged("yes", "high", [Pick(doc, line)], why="The profile says it.",
                          telling="value", value=line.partition(": ")[2])  # fmt: skip
    last = [one for one in case.of("experience") if one.ended]
    if looks.order == "latest" and last:
        return Judged("yes", "high", picks_of(last[:1], ()), last[:1], why="The last position.")
    return NOTHING


def _spans(docs: Sequence[Doc]) -> list[Pick]:
    found = []
    for doc in docs:
        span = next((one for one in sentences_of(doc.text) if one == month_span(doc)), "")
        found.append(Pick(doc, span or doc.title))
    return found


def names(case: Case) -> Judged | None:
    """Sums of attributes: languages, tools, materials."""
    looks = case.looks_for
    if looks.aspect != "names" or not looks.kinds:
        return None
    if looks.kinds == ("spoken",):
        return None
    groups = [[t for t in group if not t.is_tool] for group in looks.groups]
    docs = [one for one in (*case.pool, *_profile(case)) if _fits(one, groups)]
    found: dict[str, str] = {}
    by_doc: list[tuple[Doc, list[str]]] = []
    for doc in docs:
        told = _named_in(doc, looks.kinds, only_databases="databas" in case.question.lower())
        for name in told:
            found.setdefault(name.casefold(), name)
        if told:
            by_doc.append((doc, [one.casefold() for one in told]))
    if not found:
        return NOTHING
    picks = _covering(by_doc)
    shown = [one.doc for one in picks if one.doc.facet in {"project", "experience"}]
    is_asked_for = [t for t in looks.topics if t.is_tool]
    if is_asked_for and case.plan.question_type == "binary":
        return None
    return Judged("yes", "high", picks, shown, why="Named in the documents.", telling="names",
                  names=list(found.values()))  # fmt: skip


def _profile(case: Case) -> list[Doc]:
    return [one for one in case.documents if one.facet == "profile"]


def _fits(doc: Doc, groups: Sequence[Sequence[Topic]]) -> bool:
    wanted = [group for group in groups if group]
    return not wanted or any(covers(doc, group) for group in wanted)


def _named_in(doc: Doc, kinds: Sequence[str], *, only_databases: bool) -> list[str]:
    if kinds[0] in _LABELS:
        line = next((one for one in doc.text.splitlines() if one.startswith(_LABELS[kinds[0]])), "")
        return [one.strip() for one in line.partition(":")[2].split(",") if one.strip()]
    text = doc.title if doc.facet == "skill" else doc.text
    told = [one.name for one in vocabulary.terms_in(text) if one.category in kinds]
    if doc.facet == "skill" and not told and len(kinds) > 2:
        told = [doc.title]
    return [one for one in told if not only_databases or one.casefold() in _DATABASES]


def _covering(by_doc: Sequence[tuple[Doc, list[str]]]) -> list[Pick]:
    """The fewest documents that name most, each with a line that does."""
    left = {name for _doc, told in by_doc for name in told}
    chosen: list[Pick] = []
    rest = list(by_doc)
    while left and rest and len(chosen) < 6:
        best = max(rest, key=lambda one: len(left & set(one[1])))
        rest.remove(best)
        if not left & set(best[1]):
            break
        wanted = [Topic(one, keys_of(one)) for one in best[1]]
        if found := pick(best[0], wanted):
            chosen.append(found)
            left -= set(best[1])
    return chosen


def count(case: Case) -> Judged | None:
    """How many: of records by counting them, of other things by what a sentence says."""
    looks = case.looks_for
    if looks.aspect != "count":
        return None
    if looks.kinds and not looks.facets:
        found = names(_as_names(case))
        return found and Judged(
            found.verdict,
            found.confidence,
            found.picks,
            why=found.why,
            telling="count",
            value=str(len(found.names)),
            names=found.names,
        )
    if not looks.facets & set(_FACET_WORDS) or (looks.entities and looks.topics):
        return _told_number(case)
    docs = [one for one in case.pool if one.facet in looks.facets]
    docs = [one for one in docs if not looks.groups or any(covers(one, g) for g in looks.groups)]
    if not docs:
        return _told_number(case)
    titles = [one.title for one in docs]
    return Judged("yes", "high", picks_of(docs, looks.topics), docs, why="Counted.",
                  telling="count", value=str(len(docs)), names=titles)  # fmt: skip


def _as_names(case: Case) -> Case:
    return replace(case, looks_for=replace(case.looks_for, aspect="names"))


def _told_number(case: Case) -> Judged:
    """A sentence that has a number and what is counted."""
    topics, counted = case.looks_for.topics, _counted(case)
    if not topics and not counted:
        return NOTHING
    best: tuple[int, Doc, str] | None = None
    for doc in [*case.pool, *_profile(case)]:
        about = said_by(doc)
        if not all(topic.keys & about for topic in topics if topic.is_name):
            continue
        for one in sentences_of(doc.text):
            keys = keys_of(one)
            if not _NUMBER.search(one) or not counted <= keys:
                continue
            said = sum(bool(topic.keys & keys) for topic in topics) + _is_number_of(one, counted)
            around = sum(bool(topic.keys & about) for topic in topics)
            if (said >= len(topics) or (counted and 2 * around >= len(topics))) and (
                best is None or said > best[0]
            ):
                best = said, doc, one
    if best is None:
        return NOTHING
    return Judged("yes", "high", [Pick(best[1], shortened(best[2]))], [best[1]],
                  why="A sentence gives the number.")  # fmt: skip


def _is_number_of(sentence: str, counted: frozenset[str]) -> bool:
    """Whether a number stands right before what is counted: “14,200 records”."""
    for found in re.finditer(r"\d[\d.,]*\s+((?:[\w-]+\s+){0,2}?[\w-]+s)\b", sentence):
        if counted & {key_of(one) for one in found[1].split()}:
            return True
    return False


def _counted(case: Case) -> frozenset[str]:
    """What is counted: the noun behind “how many”."""
    found = _COUNTED.search(case.question)
    return frozenset({key_of(found[1].split()[-1])}) if found else frozenset()


def duration(case: Case) -> Judged | None:
    """How long: by the dates of the positions or projects that it is about."""
    looks = case.looks_for
    if looks.aspect != "duration":
        return None
    docs = case.of("experience", "project", "education")
    if looks.groups:
        docs = [one for one in docs if any(covers(one, group) for group in looks.groups)]
    if looks.entities:
        docs = [one for one in docs if one in case.named] or docs
    elif any(one.facet == "experience" for one in docs):
        docs = [one for one in docs if one.facet == "experience"]
    if told := _told_years(case):
        return told
    dated = [one for one in docs if _months(one) is not None]
    if not dated:
        return NOTHING
    months = _together(dated)
    confidence: Confidence = "high" if looks.entities or looks.groups else "medium"
    return Judged("yes", confidence, _spans(dated)[:6], dated, why="Added up from the dates.",
                  telling="duration", value=str(months))  # fmt: skip


def _told_years(case: Case) -> Judged | None:
    """A sentence that says itself for how long."""
    if case.looks_for.entities:
        return None
    for doc in (*_profile(case), *case.pool):
        for one in sentences_of(doc.text):
            has_years = re.search(
                rf"(?:{_NUMBER.pattern})[\w +]{{0,12}}\b(?:years?|months?)\b", one, re.IGNORECASE
            )
            if (
                has_years
                and case.looks_for.topics
                and all(topic.keys & keys_of(one) for topic in case.looks_for.topics)
            ):
                return Judged("yes", "high", [Pick(doc, shortened(one))], why="It is said.")
    return None


def _months(doc: Doc) -> int | None:
    return months_between(
        doc.started, doc.ended, today=timezone.localdate(), is_current=doc.is_current
    )


def _together(docs: Sequence[Doc]) -> int:
    """Months that at least one of them covers."""
    covered: set[int] = set()
    today = f"{timezone.localdate():%Y-%m}"
    for one in docs:
        end = today if one.is_current and not one.ended else one.ended
        first, last = (12 * int(at[:4]) + int(at[5:7]) for at in (one.started, end))
        covered |= set(range(first, max(first + 1, last)))
    return len(covered)


def when(case: Case) -> Judged | None:
    """When something was: the dates of what it is about."""
    looks = case.looks_for
    if looks.aspect != "when":
        return None
    docs = list(case.named) or case.pool
    if looks.facets and not case.named:
        docs = [one for one in docs if one.facet in looks.facets] or docs
    if looks.groups:
        docs = [one for one in docs if any(covers(one, group) for group in looks.groups)]
    elif not looks.entities and not looks.facets:
        return NOTHING
    dated = [one for one in docs if one.started or one.ended]
    if not dated:
        return NOTHING
    return Judged("yes", "high", _spans(dated)[:3], dated[:3], why="The dates say it.",
                  telling="value", value=_dates(dated[0]))  # fmt: skip


def _dates(doc: Doc) -> str:
    return month_span(doc)


def been(case: Case) -> Judged | None:
    """Whether and where somebody was: only documents that name the place."""
    looks = case.looks_for
    if looks.entities and not looks.groups and _WHERE.search(case.question):
        places = picks_of(case.named, (), labels=("Location",))
        places = [one for one in places if one.quote.startswith("Location")]
        return Judged("yes", "high", places, [one.doc for one in places],
                      why="The place is named.") if places else None  # fmt: skip
    if looks.aspect != "been":
        return None
    if looks.groups or looks.entities:
        return None
    docs = [one for one in case.of("experience", "education") if "Location: " in one.text]
    if not docs:
        return NOTHING
    return Judged("yes", "high", picks_of(docs, (), labels=("Location",)), docs,
                  why="The positions name their places.")  # fmt: skip


__all__ = [
    "available", "been", "bio", "count", "duration", "home", "in_years", "names", "now",
    "still", "when",
]  # fmt: skip
