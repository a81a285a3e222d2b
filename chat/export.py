"""Copies of conversations to keep: JSON and Markdown, in pieces."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from typing import Any, Final, Literal

import orjson
from channels.db import database_sync_to_async
from django.template.defaultfilters import date as date_words
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from chat.library import title_of
from chat.models import Message, Session
from chat.presenters import presenter_for

FORMAT: Final = "futura.conversation"
VERSION: Final = 1
BATCH: Final = 200  # messages read at once; what an export holds in memory
PIECE_BYTES: Final = 64 * 1024
NAME_CHARS: Final = 60

Ending = Literal["json", "md"]

# What a person typed is shown as typed, not as the Markdown it may look like.
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>~|])")
_LINE_START: Final = re.compile(r"^(\s*)([#>+\-=]|\d+[.)])", re.MULTILINE)


def pieces_of(session: Session, ending: Ending) -> Iterator[str]:
    return _json(session) if ending == "json" else _markdown(session)


def file_name(session: Session, ending: str) -> str:
    """A name that any file system takes: the title's letters and digits, and the day it began."""
    title = slugify(session.title, allow_unicode=True)[:NAME_CHARS].strip("-_")
    title = title or slugify(str(presenter_for(session.kind).name)) or session.kind
    return f"{title}-{session.created_at:%Y-%m-%d}.{ending}"


def messages_of(session_id: uuid.UUID) -> Iterator[Message]:
    seq = -1
    while True:
        current = Message.objects.filter(session_id=session_id, superseded_at__isnull=True)
        batch = list(current.filter(seq__gt=seq).order_by("seq")[:BATCH])
        yield from batch
        if len(batch) < BATCH:
            return
        seq = batch[-1].seq


# JSON ---------------------------------------------------------------------------------------


def _json(session: Session) -> Iterator[str]:
    head = _dumped(_facts(session))
    yield f'{head.rstrip().removesuffix("}").rstrip()},\n  "messages": ['
    for number, message in enumerate(messages_of(session.pk)):
        body = _dumped(_message(message, session)).replace("\n", "\n    ")
        yield f"{',' if number else ''}\n    {body}"
    yield "\n  ]\n}\n"


def _dumped(value: object) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def _facts(session: Session) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "exportedAt": timezone.now().isoformat(),
        "id": str(session.pk),
        "kind": session.kind,
        "kindName": str(presenter_for(session.kind).name),
        "title": session.title,
        "status": session.status,
        "createdAt": session.created_at.isoformat(),
        "updatedAt": session.updated_at.isoformat(),
        "archivedAt": session.archived_at.isoformat() if session.archived_at else None,
    }


def _message(message: Message, session: Session) -> dict[str, Any]:
    """As the API shows a message, with each record in words beside its data."""
    presenter = presenter_for(session.kind)
    return {
        "id": str(message.pk),
        "seq": message.seq,
        "role": message.role,
        "text": message.text,
        "status": message.status,
        "createdAt": message.created_at.isoformat(),
        "parts": [
            {
                "type": part.get("type"),
                "words": presenter.part_words(part, message=message),
                "data": part,
            }
            for part in message.parts
        ],
    }


# Markdown -----------------------------------------------------------------------------------


def _markdown(session: Session) -> Iterator[str]:
    kind = str(presenter_for(session.kind).name)
    yield f"# {_as_typed(title_of(session))}\n\n"
    yield _("%(kind)s, started %(begun)s, exported %(now)s") % {
        "kind": kind,
        "begun": _when(session.created_at),
        "now": _when(timezone.now()),
    }
    yield "\n"
    for message in messages_of(session.pk):
        yield _turn(message, session)


def _turn(message: Message, session: Session) -> str:
    is_person = message.role == Message.Role.PERSON
    voice = _("You") if is_person else _("Futura")
    lines = [f"\n---\n\n**{voice}** · {_when(message.created_at)}\n"]
    text = message.text.strip()
    if text:
        lines.append(f"{_as_typed(text) if is_person else text}\n")
    for part in message.parts:
        words = presenter_for(session.kind).part_words(part, message=message)
        if words:
            lines.append("\n".join(f"> {line}" for line in _as_list(words)) + "\n")
    ended = _endings().get(message.status)
    if ended:
        lines.append(f"*{ended}*\n")
    return "\n".join(lines)


def _endings() -> dict[str, str]:
    """How an answer ended that is not complete, or a message that was not answered."""
    return {
        Message.Status.QUEUED: _("Waiting for a reply"),
        Message.Status.STREAMING: _("Still being written"),
        Message.Status.STOPPED: _("Stopped"),
        Message.Status.INTERRUPTED: _("Interrupted"),
        Message.Status.FAILED: _("No reply"),
    }


def _as_list(words: str) -> Iterator[str]:
    """Lines of a record; those that begin with a dash stay the items of a list."""
    for line in words.split("\n"):
        item = line.removeprefix("- ")
        yield f"{'- ' if item != line else ''}{_as_typed(item)}"


def _as_typed(text: str) -> str:
    """Escapes what Markdown would take for a mark; line ends stay line ends."""
    escaped = _LINE_START.sub(_escaped_start, _SPECIAL.sub(r"\\\1", text))
    return escaped.replace("\n", "  \n")


def _escaped_start(match: re.Match[str]) -> str:
    mark = match[2]
    return f"{match[1]}{mark[:-1]}\\{mark[-1]}"


def _when(at: datetime) -> str:
    return f"{date_words(at, 'j F Y, H:i')} UTC"


async def sent(make: Callable[[], Iterator[str] | Iterator[bytes]]) -> AsyncIterator[bytes]:
    """The pieces of an export for a response, made in a thread as they are sent.

    The connection goes back between two of them: a slow reader holds none.
    """
    pieces: Iterator[str] | Iterator[bytes] | None = None

    def some() -> bytes:
        nonlocal pieces
        pieces = make() if pieces is None else pieces
        out, size = list[bytes](), 0
        for piece in pieces:
            out.append(piece.encode() if isinstance(piece, str) else piece)
            size += len(out[-1])
            if size >= PIECE_BYTES:
                break
        return b"".join(out)

    while data := await database_sync_to_async(some, thread_sensitive=False)():
        yield data
