"""A resume as drafts without a model: a field is sure by the shape of its line, or it is empty."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from projects.portfolio import vocabulary
from projects.portfolio.contact import find_contacts
from projects.portfolio.intake.basic.entries import Entry, dated, entries_of, parts_of
from projects.portfolio.intake.basic.headings import (
    Line,
    Section,
    filled,
    sections_of,
    word_lists,
)
from projects.portfolio.intake.drafts import Draft, finished
from projects.portfolio.intake.periods import find_month

HEAD_LINES: Final = 6
_WORD: Final = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_ITEMS: Final = re.compile(r"\s*[,;|•·]\s*(?![^()]*\))")
_LEVEL: Final = re.compile(r"^(?P<name>[^(:–—]+?)\s*(?:\((?P<in>[^)]*)\)|[:–—]\s*(?P<after>.+))?$")
_LABEL: Final = re.compile(r"^([^:,;]{2,30}):\s+(?=\S)")
_SEVERAL: Final = re.compile(r"(?<=\b(?:19|20)\d\d)\s*[,;]\s+(?=[^\W\d])")
_REGION: Final = re.compile(r"^[A-Z]{2}$")
_YEAR: Final = re.compile(r"(?<!\d)(?:19[5-9]|20[0-4])\d(?!\d)")
_MASTER: Final = re.compile(r"^\(?[Hh]ons?\.?\)?$")


def drafts_of(text: str) -> list[Draft]:
    """Everything a resume says, each with its place; what is not recognised has no kind."""
    found: list[Draft] = []
    sections = sections_of(text)
    profile = _profile(sections)
    for section in sections[1:]:
        if section.kind != "profile":
            found += drafts_in(section.kind, section.lines)
    return finished([*profile, *found])


def drafts_in(kind: str, lines: Sequence[Line]) -> list[Draft]:
    """The drafts of one section of this kind."""
    if kind in _READERS:
        return list(_READERS[kind](lines))
    if kind in _OF_ENTRIES:
        make, nouns = _OF_ENTRIES[kind]
        entries = entries_of(lines, lambda words: _names(nouns, words))
        return [make(kind, one) if one.is_sure else _unknown(one) for one in entries]
    return [_unknown(one) for one in _paragraphs(lines)]


def _unknown(entry: Entry) -> Draft:
    return Draft("", entry.start, entry.end, unsure=["kind"])


def _paragraphs(lines: Sequence[Line]) -> Iterator[Entry]:
    for group in _grouped(lines):
        entry = Entry()
        for line in group:
            entry.take(line)
        yield entry


def _names(nouns: str, words: str) -> bool:
    """Whether a word of the text, or the end of one, is on a list."""
    lists = word_lists()["nouns"]
    endings = tuple(lists.get(f"{nouns}_endings", ()))
    return any(
        one in lists[nouns] or (endings and one.endswith(endings))
        for one in (match[0].casefold() for match in _WORD.finditer(words))
    )


# Positions ---------------------------------------------------------------------------------------
def _position(kind: str, entry: Entry) -> Draft:
    values: dict[str, Any] = {}
    parts = [(row, part) for row, head in enumerate(entry.heads) for part in parts_of(head)]
    titles = [one for one in parts if _names("role", one[1])]
    others = [one for one in parts if one not in titles]
    if len(titles) == 1:
        values["title"] = titles[0][1]
        _company(titles[0], others, values)
    elif not titles and others:
        named = [one for one in others if _names("organisation", one[1])]
        if len(named) == 1:
            _company((-1, ""), others, values)
    values |= _period(entry)
    _tell(entry, values)
    lacking = [one for one in ("title", "company") if not values.get(one)]
    return Draft(kind, entry.start, entry.end, values, lacking)


def _company(
    title: tuple[int, str], others: Sequence[tuple[int, str]], values: dict[str, Any]
) -> None:
    """Which of the other parts is the company; what follows it on its line is the place."""
    rows = list(dict.fromkeys(row for row, _part in others))
    lines = [[part for at, part in others if at == row] for row in rows]
    named = [one for one in lines if any(_names("organisation", part) for part in one)]
    chosen = named[0] if len(named) == 1 else lines[0] if lines and rows[0] == title[0] else None
    if chosen is None and len(lines) in {1, 2}:
        chosen = lines[0]
    if chosen is None or len(named) > 1:
        return
    at = [place for place, part in enumerate(chosen) if _names("organisation", part)]
    rest = chosen[1:]
    if len(rest) == 2 and _REGION.match(rest[-1]):
        at = [0]
    elif len(at) > 1 or (at and at[0] > 0):
        chosen, rest, at = [", ".join(chosen)], [], [0]
    if not at and len(rest) > 1:
        return
    values["company"] = chosen[0]
    places = rest or next((one for one in lines if one is not chosen and one != chosen), [])
    if places and not any(_names("organisation", one) for one in places):
        values["location"] = ", ".join(places)


def _period(entry: Entry) -> dict[str, Any]:
    if entry.period is None:
        return {}
    told = entry.period
    return {"started": told.start, "ended": told.end, "is_current": told.is_current}


def _tell(entry: Entry, values: dict[str, Any]) -> None:
    """Points are points; a single sentence says it in short."""
    if len(entry.body) == 1:
        values["summary"] = entry.body[0]
    elif entry.body:
        values["bullets"] = list(entry.body)
    text = "\n".join((*entry.heads, *entry.body))
    if names := [one.name for one in vocabulary.terms_in(text)]:
        values["skills"] = names


# Education ---------------------------------------------------------------------------------------
def _education(kind: str, entry: Entry) -> Draft:
    parts = [part for head in entry.heads for part in parts_of(head, by_preposition=False)]
    degrees = [one for one in parts if _names("degree", one)]
    schools = [one for one in parts if one not in degrees and _names("school", one)]
    others = [one for one in parts if one not in degrees and one not in schools]
    values: dict[str, Any] = {}
    if len(degrees) == 1:
        degree, subject, is_single = _degree(degrees[0])
        if not is_single:
            return _unknown(entry)
        values |= {"degree": degree, "field": subject}
    elif len(degrees) > 1:
        return _unknown(entry)
    if len(schools) == 1:
        values["institution"] = schools[0]
    elif not schools and len(degrees) == 1 and len(others) == 1:
        values["institution"] = others[0]
    if entry.period is not None:
        start = "" if entry.period.is_single else entry.period.start
        values |= {"started": start, "ended": entry.period.end}
    if entry.body:
        values["bullets"] = list(entry.body)
    lacking = [one for one in ("degree", "institution") if not values.get(one)]
    return Draft(kind, entry.start, entry.end, values, lacking)


def _degree(words: str) -> tuple[str, str, bool]:
    """The degree that a part begins with, its field, and whether it is one degree only."""
    listed = word_lists()["nouns"]["degree"]
    tokens = words.split()
    named = [one.strip(".,()").casefold() in listed for one in tokens]
    last = 0
    while last < len(tokens) and (named[last] or _MASTER.match(tokens[last])):
        last += 1
    if last == 0:
        return words, "", sum(named) <= 1
    rest = re.sub(r"^(?:in|of|der|des)\s+", "", " ".join(tokens[last:]))
    return " ".join(tokens[:last]), rest, sum(named) == 1


# Awards, certificates ----------------------------------------------------------------------------
def _document(kind: str, entry: Entry) -> Draft:
    parts = [part for head in entry.heads for part in parts_of(head)]
    values: dict[str, Any] = {"title": parts[0] if parts else ""}
    if len(parts) > 1:
        values["issuer"] = ", ".join(parts[1:])
    if entry.period is not None:
        values["date"] = entry.period.end or entry.period.start
    if entry.body:
        values["summary"] = " ".join(entry.body)
    return Draft(kind, entry.start, entry.end, values, [] if values["title"] else ["title"])


def _awards(lines: Sequence[Line]) -> Iterator[Draft]:
    yield from _documents("award", lines)


def _certificates(lines: Sequence[Line]) -> Iterator[Draft]:
    yield from _documents("certificate", lines)


def _documents(kind: str, lines: Sequence[Line]) -> Iterator[Draft]:
    """One of each piece of a line that ends with a year or a semicolon."""
    for entry in entries_of([piece for one in lines for piece in _pieces(one)], lambda _: False):
        yield _document(kind, entry) if entry.is_sure else _unknown(entry)


def _pieces(line: Line) -> Iterator[Line]:
    at = 0
    for piece in re.split(r";\s+", line.text):
        for words in _SEVERAL.split(piece):
            place = line.text.index(words, at) if words else at
            at = place + len(words)
            yield Line(words, line.start + place, line.start + at)


# Lists -------------------------------------------------------------------------------------------
def _publications(lines: Sequence[Line]) -> Iterator[Draft]:
    """One a line or point; a line that was broken goes on below."""
    widest = max((len(one.text) for one in lines), default=0)
    joined: list[Line] = []
    is_open = False
    for line in lines:
        if line.text and is_open and not line.is_bullet:
            last = joined[-1]
            joined[-1] = Line(f"{last.text} {line.text}", last.start, line.end)
        elif line.text:
            joined.append(Line(line.bare, line.end - len(line.bare), line.end))
        is_open = bool(line.text) and len(line.text) > widest * 0.7 and not _is_closed(line.text)
    for line in joined:
        years = {one[0] for one in _YEAR.finditer(line.text)}
        date = years.pop() if len(years) == 1 else ""
        values = {"title": line.text, "date": date}
        yield Draft("publication", line.start, line.end, values, [] if date else ["date"])


def _is_closed(text: str) -> bool:
    return text.endswith((".", "!", "?")) or _YEAR.search(text[-6:]) is not None


def _languages(lines: Sequence[Line]) -> Iterator[Draft]:
    for item in _listed(lines):
        match = _LEVEL.match(item.text)
        if match is None:
            yield Draft("", item.start, item.end, unsure=["kind"])
            continue
        level = (match["in"] or match["after"] or "").strip()
        values = {"title": match["name"].strip(), "level": level}
        yield Draft("language", item.start, item.end, values, [] if level else ["level"])


def _skills(lines: Sequence[Line]) -> Iterator[Draft]:
    seen: set[str] = set()
    for item in _listed(lines):
        name = item.text.strip(" .")
        if name and name.casefold() not in seen and len(name) <= 80:
            seen.add(name.casefold())
            values = {"name": name, "category": vocabulary.category_of(name) or ""}
            yield Draft("skill", item.start, item.end, values)


def _listed(lines: Sequence[Line]) -> Iterator[Line]:
    """The items of lists between commas, without the label of their line."""
    for line in filled(lines):
        text = line.bare
        label = _LABEL.match(text)
        body = text[label.end() :] if label and "," in text else text
        at = line.end - len(body)
        for words in _ITEMS.split(body):
            place = body.index(words, at - (line.end - len(body))) if words else 0
            at = line.end - len(body) + place + len(words)
            if words.strip():
                yield Line(words, at - len(words), at)


_OF_ENTRIES: Final[dict[str, tuple[Callable[[str, Entry], Draft], str]]] = {
    "position": (_position, "role"),
    "volunteering": (_position, "role"),
    "education": (_education, "degree"),
}
_READERS: Final[dict[str, Callable[[Sequence[Line]], Iterator[Draft]]]] = {
    "award": _awards,
    "certificate": _certificates,
    "publication": _publications,
    "language": _languages,
    "skill": _skills,
}


# The head ----------------------------------------------------------------------------------------
def _profile(sections: Sequence[Section]) -> list[Draft]:
    """The line below the name, and the summary in the owner's own words."""
    head = filled(sections[0].lines)[:HEAD_LINES]
    about = [line for one in sections if one.kind == "profile" for line in one.lines]
    headlines = [
        one
        for one in head[1:]
        if not find_contacts(one.text) and _names("role", one.text) and find_month(one.text) is None
    ]
    values: dict[str, Any] = {}
    if headlines:
        headline, *rest = headlines[0].text.split(", ")
        is_place = (
            bool(rest)
            and len(rest) < 3
            and all(part[:1].isupper() and not _names("role", part) for part in rest)
        )
        values["headline"] = headline if is_place else headlines[0].text
        if is_place:
            values["location"] = ", ".join(rest)
    if paragraphs := [_joined(one) for one in _grouped(about)]:
        values["about"] = paragraphs
    if not values:
        return []
    places = [*headlines[:1], *filled(about)]
    entry = Entry()
    for line in filled(about) or places:
        entry.take(line)
    lacking = [one for one in ("headline", "about") if not values.get(one)]
    return [Draft("profile", entry.start, entry.end, values, lacking)]


def _grouped(lines: Sequence[Line]) -> Iterator[list[Line]]:
    group: list[Line] = []
    for line in lines:
        if line.text:
            group.append(line)
        elif group:
            yield group
            group = []
    if group:
        yield group


def _joined(lines: Sequence[Line]) -> str:
    return " ".join(one.bare for one in lines)


def contacts_of(text: str) -> list[str]:
    """Mail addresses and telephone numbers above the first heading, which stay private."""
    head = "\n".join(one.text for one in sections_of(text)[0].lines)
    return [one.text for one in find_contacts(head)]


def redrafted(kind: str, lines: Sequence[Line]) -> Draft:
    """One draft of this kind of the given lines, whatever they hold: its owner has chosen them."""
    entry = Entry()
    for line in filled(lines):
        entry.take(line)
        rest, period = dated(line.bare)
        if line.is_bullet and entry.heads:
            entry.body.append(line.bare)
        elif rest:
            entry.heads.append(rest)
        entry.period = entry.period or period
    if kind in _OF_ENTRIES:
        return _OF_ENTRIES[kind][0](kind, entry)
    if kind in _READERS:
        return next(iter(_READERS[kind](lines)), _unknown(entry))
    if kind == "entry" and entry.heads:
        told = {"title": entry.heads[0].lstrip("# "), "description": "\n".join(entry.heads[1:])}
        return Draft(kind, entry.start, entry.end, {**told, "bullets": list(entry.body)})
    return Draft(kind, entry.start, entry.end)
