"""Tasks that somebody names in passing: “I need to …”, “first …, then …”, list items with a verb."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Final

from futura.text import content_overlap, content_stems
from projects.language.dates import find_dates
from projects.language.sentences import Sentence, sentences

_NEED: Final = re.compile(
    r"\b(?:(?:i|we)(?:\s+(?:still|also|then|first|really|just|probably))*\s+"
    r"(?:need\s+to|have\s+to|must|should|ought\s+to|gotta|will\s+have\s+to|[’']ll\s+have\s+to"
    r"|[’']ve\s+got\s+to)"
    r"|(?:i|we)(?:[’']ll|\s+will)\s+(?:then|first|also|next)"
    r"|(?:first|next|then|after\s+that|finally|also|step\s+\w+)\s*[,:]?\s+(?:i|we)(?:[’']ll|\s+will)?\b"
    r"(?!\s+(?:need|have|must|should|ought|got))"
    r"|(?:to-?do|task|action|next\s+step|remember|don[’']?t\s+forget)\s*(?:is)?\s*(?::|\s+to\b))\s+"
    r"(?P<what>(?:(?!,?\s+(?:and|but|then)\s+(?:then\s+|also\s+)?(?:i|we)\b)[^.;!?\n]){4,160})",
    re.IGNORECASE,
)
_VERBS: Final = frozenset(
    """add agree analyse analyze apply arrange ask assemble audit back book bring brief build buy call
    cancel check choose clean collect compare complete configure contact convince cook copy cover
    create cut debug decide define deploy describe design develop discuss document draft draw edit
    email evaluate estimate file fill film find finish fix gather get hire identify implement
    improve inform install integrate interview invite launch learn list make map measure meet
    migrate model move negotiate open order organise organize outline paint pay phone pick plan
    plant practise practice prepare present print prioritise prototype publish record recruit
    redesign refactor register release remove rent repair replace report request research reserve
    review rewrite run schedule sell send set ship shoot show sign sketch sort speak specify start
    study submit summarise survey talk test tidy train translate try update upload validate verify
    visit wireframe write""".split()
)  # fmt: skip
_SPLIT: Final = re.compile(
    r"\s*,\s*(?:and\s+|then\s+|and\s+then\s+)?(?=(?:to\s+)?(\w+)\b)|\s+(?:and\s+then|and|then)\s+"
    r"(?:to\s+)?(?=(\w+)\b)",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"\s*,?\s+(?:because|so\s+that|since|which|before\s+(?:i|we))\b.*$", re.IGNORECASE
)


@dataclass(frozen=True)
class Todo:
    """A task as it was said; `due` where a day was named with it."""

    title: str
    due: dt.date | None = None


def todos_in(text: str, today: dt.date) -> list[Todo]:
    """The tasks that a text names, in its order, each once."""
    found: list[Todo] = []
    for one in sentences(text):
        for words in _named(one):
            todo = _todo(words, today)
            if todo and not any(content_overlap(todo.title, other.title) > 0.7 for other in found):
                found.append(todo)
    return found


def starts_with_verb(words: str) -> bool:
    """Whether a phrase begins like something to do."""
    first = re.match(r"\W*(?:to\s+)?(\w+)", words, re.IGNORECASE)
    return first is not None and first.group(1).lower() in _VERBS


def _named(sentence: Sentence) -> list[str]:
    if sentence.is_item and starts_with_verb(sentence.text):
        return [sentence.text]
    return [
        piece
        for need in _NEED.finditer(sentence.text)
        for piece in _pieces(need["what"])
        if starts_with_verb(piece)
    ]


def _pieces(words: str) -> list[str]:
    """Splits “call the printer and book a room”, never “design and test”-less objects."""
    pieces, start = [], 0
    for cut in _SPLIT.finditer(words):
        following = (cut.group(1) or cut.group(2) or "").lower()
        if following in _VERBS and len(content_stems(words[start : cut.start()])) >= 2:
            pieces.append(words[start : cut.start()])
            start = cut.end()
    return [*pieces, words[start:]]


def _todo(words: str, today: dt.date) -> Todo | None:
    words = _TAIL.sub("", words).strip(" ,.;:-")
    dates = [one for one in find_dates(words, today) if one.date and one.date >= today]
    title = words
    if dates:
        last = dates[-1]
        title = f"{words[: last.start]} {words[last.end :]}".strip()
    title = re.sub(r"^to\s+", "", " ".join(title.split()), flags=re.IGNORECASE)
    title = re.sub(r"\s+(?:by|on|until|before|in)$", "", title, flags=re.IGNORECASE).strip(" ,.;:")
    if len(content_stems(title)) < 2 and len(title.split()) < 2:
        return None
    return Todo(title[:1].upper() + title[1:160], dates[-1].date if dates else None)
