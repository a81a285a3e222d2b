"""Numbered sentences and computed facts: what prompts show of a portfolio, and what evidence and
answers cite.

A sentence's id (`s12`) holds for one build of the index; facts (`f3`) are cited alike. What has a
date, an employer or a list of skills is counted and compared by code, so that neither a model nor
a reader of search results has to.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from operator import itemgetter
from typing import Final

from django.utils.translation import gettext as _, ngettext

from chat.memory.tokens import count
from futura.text import sentences
from projects.portfolio.documents import Doc
from projects.portfolio.periods import months_between

SentenceId = str
Key = tuple[str, str]
"""Source and id of a document."""
Draft = tuple[str, str, Sequence[Doc]]
"""Kind, text, and the documents that it was computed from."""
NAMED: Final = 60
"""Titles that a count names at most."""
_LISTED: Final = re.compile(
    r"^(?:Technologies|Languages|Materials|Techniques|Skills): (.+)$", re.MULTILINE
)
_LEVEL: Final = re.compile(r"^Level: (.+)$", re.MULTILINE)
_FIGURE: Final = re.compile(
    r"^([^\W\d][^:\n]{1,79}): (\d[\d.,'’ ]*(?<=\d))(?![\d.–-])([^\d\n]{0,40})$", re.MULTILINE
)
_THOUSANDS: Final = re.compile(r"[.,'’ ](?=\d{3}(?!\d))")
_PLACE: Final = re.compile(r"^Location: .+$", re.MULTILINE)
_BULLET: Final = re.compile(r"^\s*(?:[-*•·–]|\d+[.)])\s+")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document, or a fact and the documents that it was computed from.

    Only facts have a `kind`.
    """

    id: SentenceId
    text: str
    docs: tuple[Doc, ...] = field(hash=False)
    kind: str = ""

    @property
    def is_fact(self) -> bool:
        return bool(self.kind)

    @property
    def line(self) -> str:
        return f"[{self.id}] {self.text}"

    @property
    def tokens(self) -> int:
        return _tokens(self.line)


@lru_cache(maxsize=16_384)
def _tokens(line: str) -> int:
    return count(line)


def numbered(docs: Iterable[Doc]) -> dict[Key, list[Sentence]]:
    """Every sentence of an index, in the order of its documents; a title where there is none."""
    by_doc: dict[Key, list[Sentence]] = {}
    number = 0
    for doc in docs:
        rows = by_doc.setdefault(doc.key, [])
        for text in sentences_of(doc.text) or (doc.title,):
            number += 1
            rows.append(Sentence(f"s{number}", text, (doc,)))
    return by_doc


@lru_cache(maxsize=4096)
def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences and lines of a document, in order, without signs of lists."""
    lines = (_BULLET.sub("", line) for line in text.splitlines())
    return tuple(sentence.text for line in lines for sentence in sentences(line))


def shortened(quote: str, limit: int = 300) -> str:
    """A quote that is not too long, cut at a word; what is left still stands in the document."""
    if len(quote) <= limit:
        return quote
    return quote[:limit].rsplit(" ", 1)[0].rstrip(" ,;:-–—")


def is_label(text: str) -> bool:
    """Whether it is a field with its name, as documents have them: “Company: Acme”."""
    return ": " in text[:22]


# Facts ------------------------------------------------------------------------------------------
def facts_of(docs: Sequence[Doc], today: dt.date) -> list[Sentence]:
    """All facts about the documents of a portfolio, numbered `f1`, `f2`, …"""
    drafts = [
        *_profile(docs),
        *_positions(docs, today),
        *_compared(docs, today),
        *_figures(docs),
        *_skills(docs, today),
    ]
    return [
        Sentence(f"f{number}", text, tuple(of), kind)
        for number, (kind, text, of) in enumerate(drafts, start=1)
    ]


def _of(docs: Sequence[Doc], facet: str) -> list[Doc]:
    """Documents of a kind, the earliest first, undated ones last."""
    chosen = [doc for doc in docs if doc.facet == facet]
    return sorted(chosen, key=lambda doc: (doc.started or doc.ended or "9999", doc.title))


def _profile(docs: Sequence[Doc]) -> Iterator[Draft]:
    for doc in docs:
        if doc.facet != "profile":
            continue
        about = ", ".join(filter(None, (doc.title, doc.text.partition("\n")[0])))
        yield "about", about, [doc]
        if place := _PLACE.search(doc.text):
            yield "home", place[0], [doc]


def _positions(docs: Sequence[Doc], today: dt.date) -> Iterator[Draft]:
    jobs = _of(docs, "experience")
    titles = {doc.doc_id: doc.title for doc in docs if doc.facet == "project"}
    for doc in jobs:
        detail = ", ".join(filter(None, (doc.dates, _time([doc], today))))
        if doc.is_current and doc.is_employment:
            text = _("Current position: %(title)s") % {"title": doc.title}
            yield "now", f"{text} ({detail})." if detail else f"{text}.", [doc]
        elif detail:
            yield "position", f"{doc.title}: {detail}.", [doc]
        works = [titles[link["id"]] for link in doc.linked if link.get("id") in titles]
        if works:
            values = {"title": doc.title, "works": ", ".join(works)}
            yield "works", _("Projects that belong to %(title)s: %(works)s.") % values, [doc]
    dated = [doc for doc in jobs if doc.is_employment and _time([doc], today)]
    if dated:
        values = {"count": str(len(dated)), "time": _time(dated, today)}
        text = _(
            "Total employment: %(time)s in %(count)s dated positions; overlaps are counted once."
        )
        yield "total", text % values, dated
    yield from _gaps([doc for doc in jobs if doc.is_employment and doc.started], today)


def _gaps(jobs: Sequence[Doc], today: dt.date) -> Iterator[Draft]:
    """The time between two positions, where there is a month or more."""
    last: Doc | None = None
    for doc in jobs:
        if last is not None and not last.is_current:
            months = months_between(last.ended, doc.started, today=today, is_current=False) or 0
            if months > 1:
                values = {"first": last.title, "last": doc.title, "time": _duration(months)}
                yield "gap", _("Between %(first)s and %(last)s: %(time)s.") % values, [last, doc]
        # what has no end may go on, and a year's end is December: no gap is told of meanwhile
        if (
            last is None
            or not doc.ended
            or (last.ended and _month(doc.ended, 12) > _month(last.ended, 12))
        ):
            last = doc


def _compared(docs: Sequence[Doc], today: dt.date) -> Iterator[Draft]:
    """How many there are of a kind; what was first, latest and longest of what has dates."""
    jobs = _of(docs, "experience")
    for kind, chosen, name, first, latest, longest in (
        ("experience", [doc for doc in jobs if doc.is_employment], _("Positions"),
         _("First position"), _("Latest position"), _("Longest position")),
        ("volunteering", [doc for doc in jobs if not doc.is_employment], _("Volunteering"),
         "", "", ""),
        ("project", _of(docs, "project"), _("Projects"), _("Earliest project"),
         _("Latest project"), _("Longest project")),
        ("education", _of(docs, "education"), _("Education"), _("First education"),
         _("Latest education"), ""),
        ("award", _of(docs, "award"), _("Awards"), _("First award"), _("Latest award"), ""),
        ("publication", _credentials(docs, "Publication"), _("Publications"), "", "", ""),
        ("certificate", _credentials(docs, "Certificate"), _("Certificates"), "", "", ""),
        ("language", _credentials(docs, "Language"), _("Languages"), "", "", ""),
    ):  # fmt: skip
        if chosen:
            listed = "; ".join(_with_level(doc) for doc in chosen[:NAMED])
            yield f"count {kind}", f"{name}: {len(chosen)} ({listed}).", chosen
        dated = [doc for doc in chosen if doc.started or doc.ended]
        if first and len(dated) > 1:
            new = max(
                dated, key=lambda doc: (doc.is_current, doc.ended or doc.started, doc.started)
            )
            yield f"first {kind}", f"{first}: {dated[0].title} ({dated[0].dates}).", [dated[0]]
            yield f"latest {kind}", f"{latest}: {new.title} ({new.dates}).", [new]
        months = {doc.key: _months(doc, today) for doc in dated}
        if longest and len(dated) > 1 and None not in months.values():
            long = max(dated, key=lambda doc: months[doc.key] or 0)
            time = _time([long], today)
            yield f"longest {kind}", f"{longest}: {long.title} ({time}).", [long]


def _credentials(docs: Sequence[Doc], label: str) -> list[Doc]:
    """Publications, certificates or languages, by the label of their first line."""
    return [doc for doc in _of(docs, "credential") if doc.text.startswith(f"{label}: ")]


def _with_level(doc: Doc) -> str:
    """“German, C1” for a language with its level."""
    level = _LEVEL.search(doc.text) if doc.facet == "credential" else None
    return f"{doc.title}, {level[1]}" if level else doc.title.rstrip(".")


def _figures(docs: Sequence[Doc]) -> Iterator[Draft]:
    """What is most and least of a figure that several projects give under one name and unit."""
    figures: dict[tuple[str, str], list[tuple[Decimal, str, Doc]]] = {}
    for doc in _of(docs, "project"):
        for label, number, unit in _FIGURE.findall(doc.text):
            value = Decimal(_THOUSANDS.sub("", number).replace(",", "."))
            key = label.casefold(), unit.strip().casefold()
            figures.setdefault(key, []).append((value, f"{number}{unit}".strip(), doc))
    for (label, _unit), rows in figures.items():
        least, most = min(rows, key=itemgetter(0)), max(rows, key=itemgetter(0))
        if least[0] == most[0]:
            continue
        for kind, text, (_value, figure, doc) in (
            ("most", _("Most by “%(label)s”: %(title)s (%(figure)s)."), most),
            ("least", _("Least by “%(label)s”: %(title)s (%(figure)s)."), least),
        ):
            values = {"label": label, "title": doc.title, "figure": figure}
            yield f"{kind} {label}", text % values, [doc]


def _skills(docs: Sequence[Doc], today: dt.date) -> Iterator[Draft]:
    """Where each listed skill was used, and for how long by the dates of these."""
    places: dict[str, list[Doc]] = {}
    for doc in docs:
        if doc.facet in {"project", "experience"}:
            lists = (names.split(", ") for names in _LISTED.findall(doc.text))
            for name in dict.fromkeys(name.strip() for names in lists for name in names):
                places.setdefault(name, []).append(doc)
    places.pop("", None)
    for name, chosen in sorted(places.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        listed = "; ".join(doc.title for doc in chosen[:NAMED])
        time = _time(chosen, today)
        text = f"{name}: {listed}."
        if time:
            values = {"name": name, "listed": listed, "time": time}
            text = _("%(name)s: %(listed)s. Total time: %(time)s.") % values
        yield f"skill {name.casefold()}", text, chosen


def _months(doc: Doc, today: dt.date) -> int | None:
    """Months that something lasted; None where its dates do not say."""
    return months_between(doc.started, doc.ended, today=today, is_current=doc.is_current)


def _time(docs: Sequence[Doc], today: dt.date) -> str:
    """How long it was in all, overlaps counted once; empty for none.

    Of a date without its month no more counts than is sure, and the time is “at least” so long.
    """
    months: set[int] = set()
    is_exact = True
    for doc in docs:
        ended = f"{today:%Y-%m}" if doc.is_current and not doc.ended else doc.ended
        if doc.started and ended:
            months.update(range(_month(doc.started, 12), _month(ended, 1)))
            is_exact = is_exact and _months(doc, today) is not None
    time = _duration(len(months))
    return time if is_exact or not time else _("at least %(time)s") % {"time": time}


def _month(text: str, assumed: int) -> int:
    """The number of a month since the year 0; `assumed` is taken where only a year is named."""
    return 12 * int(text[:4]) + int(text[5:] or assumed)


def _duration(months: int) -> str:
    """“2 years 3 months”; empty for none."""
    years, left = divmod(months, 12)
    parts = [
        ngettext("%(n)s year", "%(n)s years", years) % {"n": years} if years else "",
        ngettext("%(n)s month", "%(n)s months", left) % {"n": left} if left else "",
    ]
    return " ".join(filter(None, parts))
