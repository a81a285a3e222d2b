"""The search through a person's conversations: what is asked, where it was said, the passage."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any, Final, TypeVar

from django.contrib.postgres.search import SearchQuery
from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import Left

from chat.models import Message, Session, search_words
from futura.limits import storable
from futura.text import UNSPACED, stems

RowT = TypeVar("RowT", Message, Session)
QUERY_CHARS: Final = 200
MAX_WORDS: Final = 12
READ_CHARS: Final = 100_000  # as far as the index reads
BEFORE_CHARS: Final = 60
PASSAGE_CHARS: Final = 220
_WORD: Final = re.compile(r"[^\W_]+")
_MARKDOWN: Final = re.compile(r"[*`]+|^#+ |^> ?", re.MULTILINE)


@dataclass(frozen=True)
class Search:
    """What somebody looks for: as it was typed, and its words in lower case; not in the message
    `besides`, which asks for it.
    """

    typed: str = ""
    words: tuple[str, ...] = ()
    besides: uuid.UUID | None = None

    @classmethod
    def of(cls, typed: str, besides: uuid.UUID | None = None) -> Search:
        """From the field; what is too long or cannot be stored is cut."""
        text = " ".join(storable(typed)[:QUERY_CHARS].split())
        words = tuple(dict.fromkeys(_WORD.findall(text.lower())))[:MAX_WORDS]
        return cls(text, words, besides)

    @property
    def is_asked(self) -> bool:
        """Whether anything was typed, words or not."""
        return bool(self.typed)

    @property
    def unspaced(self) -> tuple[str, ...]:
        """Words of scripts without blanks: the index knows only whole sentences of those."""
        return tuple(word for word in self.words if UNSPACED.search(word))

    def among(self, rows: QuerySet[RowT], name: str) -> QuerySet[RowT]:
        """The rows whose text of that name has every word, as the beginning of one that was
        written, as one of the same stem, or anywhere where words are not parted by blanks.
        """
        inside = self.unspaced
        each: list[Any] = [
            SearchQuery(f"'{word}':*", config="simple", search_type="raw")
            | SearchQuery(word, config="english")
            for word in self.words
            if word not in inside
        ]
        if each:
            rows = rows.alias(found=search_words(name)).filter(found=reduce(and_, each))
        return rows.filter(*(Q(**{f"{name}__icontains": word}) for word in inside))


@dataclass(frozen=True)
class Piece:
    text: str
    is_found: bool = False


@dataclass(frozen=True)
class Hit:
    """Where in a conversation something was said last, and how often in all."""

    message_id: uuid.UUID
    is_own_words: bool
    pieces: Sequence[Piece]
    count: int


def matching(search: Search, sessions: QuerySet[Session]) -> Q:
    """Sessions whose title or any message has the words; none for a search without words.

    Also for an annotated `sessions`: only its condition on whose they are is looked at again.
    """
    if not search.words:
        return Q(pk__in=[])
    titles = search.among(Session.objects.all(), "title")
    messages = _matching_messages(search).filter(session__in=sessions.values("pk"))
    return Q(pk__in=messages.values("session_id")) | Q(
        pk__in=titles.filter(pk__in=sessions.values("pk")).values("pk")
    )


def _matching_messages(search: Search) -> QuerySet[Message]:
    """Messages of the current branch with the words, by the index `chat_message_words`."""
    current = Message.objects.filter(superseded_at__isnull=True).filter(
        ~Q(status=Message.Status.STREAMING)
    )
    if search.besides:
        current = current.exclude(pk=search.besides)
    return search.among(current, "text")


def hits_in(search: Search, session_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, Hit]:
    """The last place in each session: one query; none when nothing is looked for."""
    if not search.words or not session_ids:
        return {}
    newest = (
        _matching_messages(search)
        .filter(session_id__in=session_ids)
        .annotate(count=Window(Count("*"), partition_by=F("session_id")))
        .order_by("session_id", "-seq")
        .distinct("session_id")
        .values_list("session_id", "pk", "role", "count", Left("text", READ_CHARS))
    )
    return {
        session_id: Hit(
            pk, role == Message.Role.PERSON, passage(plain_text(text, role), search), count
        )
        for session_id, pk, role, count, text in newest
    }


def plain_text(text: str, role: str) -> str:
    words = text if role == Message.Role.PERSON else _MARKDOWN.sub("", text)
    return " ".join(words.split())


def passage(text: str, search: Search) -> list[Piece]:
    """A line of text around the first word looked for, cut at words, with all of them marked."""
    places = list(_places(text, search))
    begin = max(0, places[0][0] - BEFORE_CHARS) if places else 0
    if begin:
        begin = text.find(" ", begin, places[0][0]) + 1 or places[0][0]
    end = min(len(text), begin + PASSAGE_CHARS)
    if end < len(text):
        last = places[0][1] if places else begin
        end = max(text.rfind(" ", last, end), last)
    pieces, at = [Piece("… ")] if begin else [], begin
    for start, stop in places:
        if stop > end:
            break
        pieces += [Piece(text[at:start]), Piece(text[start:stop], True)]
        at = stop
    pieces.append(Piece(text[at:end] + (" …" if end < len(text) else "")))
    return [piece for piece in pieces if piece.text]


def marked(text: str, search: Search) -> list[Piece]:
    pieces, at = list[Piece](), 0
    for start, stop in _places(text, search):
        pieces += [Piece(text[at:start]), Piece(text[start:stop], True)]
        at = stop
    return [piece for piece in (*pieces, Piece(text[at:])) if piece.text]


def _places(text: str, search: Search) -> Iterator[tuple[int, int]]:
    requested = set(stems(search.words))
    for result in _WORD.finditer(text):
        word = result[0].lower()
        inside = sorted((word.find(part), len(part)) for part in search.unspaced if part in word)
        end = 0
        for at, n in inside:
            if at >= end:
                end = at + n
                yield result.start() + at, result.start() + end
        if inside:
            continue
        if word.startswith(search.words) or stems([word])[0] in requested:
            yield result.start(), result.end()
