"""What the portfolio, which pages of projects do not import, adds to them by function."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from chat.identity import Identity
from chat.models import Participant
from chat.presenters import Rendered
from projects.models import Project


@dataclass(frozen=True)
class Line:
    """A line of the home page: what waits for a person or goes on, where from, and its page.

    `mark` says how a conversation stands.
    """

    title: str
    note: str
    url: str
    mark: str = ""


@dataclass(frozen=True)
class Handover:
    """Who wants to talk, about which project or entry if about one, and what they said so far.

    `key` is the same when the same wish comes again: what it opened is returned, not opened twice.
    `has_others_words`: other people's words may stand in `says`.
    """

    participant: Participant
    owner_ids: Sequence[uuid.UUID]
    project: Project | None = None
    entry: uuid.UUID | None = None
    says: str = ""
    key: uuid.UUID | None = None
    has_others_words: bool = False


class Opened(BaseModel):
    """Another conversation that begins or goes on, and its page.

    Without `session_id` nothing was begun: the page asks something first.
    """

    kind: str
    url: str
    title: str = ""
    session_id: uuid.UUID | None = None


@dataclass(frozen=True)
class Hooks:
    """What may be offered for a finished project (None: nothing), what waits for a person, in a
    constant number of queries, the conversation that is opened, or found, for a handover, and a
    line for each entry of some owners, with its id, as prompts show it.
    """

    offer: Callable[[Project], Rendered | None]
    waiting: Callable[[Identity], Sequence[Line]]
    opened: Callable[[Handover], Opened]
    entries: Callable[[Sequence[uuid.UUID]], Sequence[str]]


portfolio: Hooks  # set when its app is ready
