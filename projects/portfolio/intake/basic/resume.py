"""A resume as drafts without a model: a field is sure by the shape of its line, or it is empty."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from projects.portfolio import vocabulary
from projects.portfolio.contact import find_contacts
from projects.portfolio.intake.basic.sections import (
    WORDS,
    Entry,
    Item,
    Line,
    Section,
    dated,
    entries_of,
    entry_of,
    filled,
    parts_of,
    sections_of,
)
from projects.portfolio.intake.drafts import Draft, finished
from projects.portfolio.periods import find_month

HEAD_LINES: Final = 6
_WORD: Final = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_ITEMS: Final = re.compile(r"\s*[,;|•·]\s*(?![^()]*\))")
_LEVEL: Final = re.compile(r"^(?P<name>[^(:–—]+?)\s*(?:\((?P<in>[^)]*)\)|[:–—]\s*(?P<after>.+))?$")
_LABEL: Final = re.compile(r"^([^:,;]{2,30}):\s+(?=\S)")
_SEVERAL: Final = re.compile(r";\s+|(?<=\b(?:19|20)\d\d)\s*,\s+(?=[^\W\d])")
_REGION: Final = re.compile(r"^[A-Z]{2}$")
_YEAR: Final = re.compile(r"(?<!\d)(?:19[5-9]|20[0-4])\d(?!\d)")
_HONS: Final = re.compile(r"^\(?[Hh]ons?\.?\)?$")


def drafts_of(text: str) -> list[Draft]:
    """Everything a resume says, each with its place; what is not recognised has no kind."""
    head, *sections = sections_of(text)
    about: list[Line] = []
    for section in sections:
        if section.kind == "profile":
            lines, section.lines = _apart(section.lines)
            about += lines
    drafts = list(_profile(head, about))
    for section in sections:
        drafts += _drafts_in(section)
    return finished(drafts)


def _apart(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """A summary in prose, and what stands from the first dated name on: below a heading that nobody
    knows, it is nothing that somebody says of themselves.
    """
    first = 0
    for at, line in enumerate(lines):
        if not line.text:
            first = at
        elif not line.text.endswith(".") and dated(line.bare)[1] is not None:
            return lines[:first], lines[first:]
    return lines, []


def _drafts_in(section: Section) -> Iterator[Draft]:
    kind, lines = section.kind, section.lines
    if kind in _LISTS:
        yield from _LISTS[kind](lines)
    elif kind in _ENTRIES:
        make, nouns = _ENTRIES[kind]
        if not nouns:
            lines = [piece for line in lines for piece in _pieces(line, _SEVERAL)]
        for entry in entries_of(lines, lambda words: bool(nouns) and _names(nouns, words)):
            yield make(kind, entry) if entry.is_sure else _unknown(entry)
    else:
        for group in _grouped(lines):
            # how somebody is reached is no record: it is kept apart, as private
            if kind != "head" or not any(find_contacts(line.text) for line in group):
                yield _unknown(entry_of(map(Item, group)))


def redrafted(kind: str, lines: Sequence[Line]) -> Draft:
    """One draft of this kind of the given lines, whatever they hold: its owner has chosen them."""
    entry = Entry()
    for line in filled(lines):
        text, period = dated(line.bare)
        is_body = line.is_bullet and bool(entry.heads)
        entry.add(Item(line, line.bare if is_body else text, period, is_body))
    draft = Draft(kind, entry.start, entry.end)
    if kind in _ENTRIES:
        draft = _ENTRIES[kind][0](kind, entry)
    elif kind in _LISTS:
        draft = next(iter(_LISTS[kind](lines)), draft)
    elif kind == "entry" and entry.heads:
        title, *details = entry.heads
        draft.values = {"title": title.lstrip("# "), "description": "\n".join(details)}
        draft.values["bullets"] = entry.body
    draft.kind = kind
    return draft


def head_of(text: str) -> str:
    """What stands above the first heading, and below one for contacts: how its owner is reached."""
    heads = (section.lines for section in sections_of(text) if section.kind == "head")
    return "\n".join(line.text for lines in heads for line in lines)


def _unknown(entry: Entry) -> Draft:
    return Draft("", entry.start, entry.end, unsure=["kind"])


def _draft(kind: str, entry: Entry, values: dict[str, Any], *named: str) -> Draft:
    """A draft that is not sure of those of its names that are not there, or hold a part: “GmbH”."""
    parts = {"", *WORDS["nouns"]["organisation"], *WORDS["nouns"]["school"]}
    unsure = [name for name in named if str(values.get(name) or "").casefold() in parts]
    return Draft(kind, entry.start, entry.end, values, unsure)


def _names(nouns: str, words: str) -> bool:
    """Whether a word of the text, or the end of one, is on a list."""
    lists = WORDS["nouns"]
    endings = tuple(lists.get(f"{nouns}_endings", ()))
    folded = (match[0].casefold() for match in _WORD.finditer(words))
    return any(word in lists[nouns] or word.endswith(endings) for word in folded)


def _grouped(lines: Sequence[Line]) -> Iterator[list[Line]]:
    return (
        list(group) for has_text, group in groupby(lines, lambda line: line.text != "") if has_text
    )


def _pieces(line: Line, separator: re.Pattern[str]) -> Iterator[Line]:
    """What stands between separators, each at its place."""
    at = 0
    for words in separator.split(line.text):
        at = line.text.index(words, at)
        if words.strip() or not line.text:
            yield Line(words, line.start + at, line.start + at + len(words))
        at += len(words)


# Entries -----------------------------------------------------------------------------------------
def _position(kind: str, entry: Entry) -> Draft:
    values: dict[str, Any] = {}
    parts = [(row, part) for row, head in enumerate(entry.heads) for part in parts_of(head)]
    titles = [part for part in parts if _names("role", part[1])]
    others = [part for part in parts if part not in titles]
    if len(titles) == 1:
        values = {"title": titles[0][1]} | _company(others, titles[0][0])
    elif not titles and sum(_is_organisation(part) for _row, part in others) == 1:
        # whatever else stands there may be the title
        first = next(at for at, (_row, part) in enumerate(others) if _is_organisation(part))
        values = _company([other for other in others[first:] if other[0] == others[first][0]])
    if entry.period is not None:
        values |= {"started": entry.period.start, "ended": entry.period.end}
        values["is_current"] = entry.period.is_current
    # points are points; a single sentence says it in short
    values |= {"summary": entry.body[0]} if len(entry.body) == 1 else {"bullets": entry.body}
    skills = vocabulary.terms_in("\n".join((*entry.heads, *entry.body)))
    values["skills"] = [term.name for term in skills]
    return _draft(kind, entry, values, "title", "company")


def _company(others: Sequence[tuple[int, str]], title_row: int = -1) -> dict[str, Any]:
    """Which of the other parts is the company; what follows it on its line is the place.

    Parts come with the line of the entry that they stand on.
    """
    lines: dict[int, list[str]] = {}
    for row, part in others:
        lines.setdefault(row, []).append(part)
    named = [row for row, line in lines.items() if any(map(_is_organisation, line))]
    first = next(iter(lines), -1)
    if len(named) > 1 or (not named and first != title_row and len(lines) not in {1, 2}):
        return {}
    row = named[0] if named else first
    if row not in lines:
        return {}
    name, *places = lines.pop(row)
    is_at = [_is_organisation(part) for part in (name, *places)]
    if not (len(places) == 2 and _REGION.match(places[-1])):
        if sum(is_at) > 1 or any(is_at[1:]):
            name, places = ", ".join((name, *places)), []
        elif not any(is_at) and len(places) > 1:
            return {}
    places = places or next(iter(lines.values()), [])
    is_place = not any(map(_is_organisation, places))
    return {"company": name, "location": ", ".join(places) if is_place else ""}


def _is_organisation(words: str) -> bool:
    return _names("organisation", words)


def _education(kind: str, entry: Entry) -> Draft:
    parts = [part for head in entry.heads for part in parts_of(head, by_preposition=False)]
    degrees = [part for part in parts if _names("degree", part)]
    schools = [part for part in parts if part not in degrees and _names("school", part)]
    others = [part for part in parts if part not in degrees and part not in schools]
    values: dict[str, Any] = {}
    if len(degrees) == 1 and sum(map(_is_degree, degrees[0].split())) <= 1:
        values["degree"], values["field"] = _degree(degrees[0])
    elif degrees:
        return _unknown(entry)
    if len(schools) == 1:
        values["institution"] = schools[0]
    elif not schools and degrees and len(others) == 1:
        values["institution"] = others[0]
    if entry.period is not None:
        start = "" if entry.period.is_single else entry.period.start
        values |= {"started": start, "ended": entry.period.end}
    values["bullets"] = entry.body
    return _draft(kind, entry, values, "degree", "institution")


def _is_degree(word: str) -> bool:
    return word.strip(".,()").casefold() in WORDS["nouns"]["degree"]


def _degree(words: str) -> tuple[str, str]:
    tokens = words.split()
    is_name = [_is_degree(token) or _HONS.match(token) is not None for token in tokens]
    last = [*is_name, False].index(False)
    if last == 0:
        return words, ""
    return " ".join(tokens[:last]), re.sub(r"^(?:in|of|der|des)\s+", "", " ".join(tokens[last:]))


def _document(kind: str, entry: Entry) -> Draft:
    title, *issuer = [part for head in entry.heads for part in parts_of(head)] or [""]
    values = {"title": title, "issuer": ", ".join(issuer), "summary": " ".join(entry.body)}
    if entry.period is not None:
        values["date"] = entry.period.end or entry.period.start
    return _draft(kind, entry, values, "title")


# Lists -------------------------------------------------------------------------------------------
def _publications(lines: Sequence[Line]) -> Iterator[Draft]:
    """One a line or point; a line that was broken goes on below."""
    widest = max((len(line.text) for line in lines), default=0)
    joined: list[Line] = []
    is_open = False
    for line in lines:
        if line.text and is_open and not line.is_bullet:
            last = joined[-1]
            joined[-1] = Line(f"{last.text} {line.text}", last.start, line.end)
        elif line.text:
            joined.append(Line(line.bare, line.end - len(line.bare), line.end))
        is_closed = line.text.endswith((".", "!", "?")) or _YEAR.search(line.text[-6:])
        is_open = bool(line.text) and len(line.text) > widest * 0.7 and not is_closed
    for line in joined:
        years = {match[0] for match in _YEAR.finditer(line.text)}
        values = {"title": line.text, "date": years.pop() if len(years) == 1 else ""}
        yield _draft("publication", entry_of([Item(line)]), values, "date")


def _languages(lines: Sequence[Line]) -> Iterator[Draft]:
    for item in _listed(lines):
        entry = entry_of([Item(item)])
        if match := _LEVEL.match(item.text):
            level = (match["in"] or match["after"] or "").strip()
            values = {"title": match["name"].strip(), "level": level}
            yield _draft("language", entry, values, "level")
        else:
            yield _unknown(entry)


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
        label = _LABEL.match(line.bare) if "," in line.bare else None
        body = line.bare[label.end() :] if label else line.bare
        yield from _pieces(Line(body, line.end - len(body), line.end), _ITEMS)


# how an entry is read, and what its lines name; those without nouns stand on single lines
_ENTRIES: Final[dict[str, tuple[Callable[[str, Entry], Draft], str]]] = {
    "position": (_position, "role"),
    "volunteering": (_position, "role"),
    "education": (_education, "degree"),
    "award": (_document, ""),
    "certificate": (_document, ""),
}
_LISTS: Final[dict[str, Callable[[Sequence[Line]], Iterator[Draft]]]] = {
    "publication": _publications,
    "language": _languages,
    "skill": _skills,
}


# The head ----------------------------------------------------------------------------------------
def _profile(head: Section, about: Sequence[Line]) -> Iterator[Draft]:
    """The line below the name, and the summary in the owner's own words."""
    values: dict[str, Any] = {}
    headline = next(filter(_is_headline, filled(head.lines)[1:HEAD_LINES]), None)
    if headline is not None:
        role, *places = headline.text.split(", ")
        is_place = 0 < len(places) < 3 and all(
            part[:1].isupper() and not _names("role", part) for part in places
        )
        values["headline"] = role if is_place else headline.text
        values["location"] = ", ".join(places) if is_place else ""
    if paragraphs := [" ".join(line.bare for line in group) for group in _grouped(about)]:
        values["about"] = paragraphs
    if values:
        lines = filled(about) or [headline] if headline else filled(about)
        yield _draft("profile", entry_of(map(Item, lines)), values, "headline", "about")


def _is_headline(line: Line) -> bool:
    has_other = bool(find_contacts(line.text)) or find_month(line.text) is not None
    return _names("role", line.text) and not has_other
