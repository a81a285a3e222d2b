"""What a feature tells staff of its sessions: a panel, a word in the list, facts for the queues."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.functional import Promise

from chat.models import Session


@dataclass(frozen=True)
class Facts:
    """Of one conversation; what a feature does not say is as if there were nothing to say."""

    is_ready: bool = True
    results: int = 0
    doubts: int = 0
    group_id: uuid.UUID | None = None


class Source(Protocol):
    """A feature's word on its conversations, registered in `ready()`.

    The panel, a tab beside the transcript, is called `name` in addresses and `title` on the page.
    """

    kind: str
    name: str
    title: str | Promise
    template: str

    def facts(self, session_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, Facts]:
        """The facts of some conversations, in a constant number of queries."""
        ...

    def counted(self, results: int) -> str:
        """The results in words ("9 tasks")."""
        ...

    def doubted(self, doubts: int) -> str:
        """The doubts in words ("2 weak matches")."""
        ...

    def groups(self) -> Sequence[tuple[uuid.UUID, str]]:
        """What its conversations belong to (campaigns): ids and names, newest first."""
        ...

    def names(self, session_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, str]:
        """What staff call some of them instead of a person's name ("P-0012")."""
        ...

    def context(self, session: Session, query: Mapping[str, str]) -> Mapping[str, Any]:
        """What the panel's template needs, in a constant number of queries.

        `query` is that of the page's address: which of the panel's things stands open.
        """
        ...


_sources: dict[str, Source] = {}


def register(source: Source) -> None:
    """Adds the source of a session kind; two of one kind are a programming error."""
    if source.kind in _sources:
        raise ValueError(f"Somebody tells of {source.kind!r} already.")
    _sources[source.kind] = source


def source_of(kind: str) -> Source | None:
    """Who tells of conversations of a kind, if anybody."""
    return _sources.get(kind)


def kinds() -> list[str]:
    return sorted(_sources)


def all_groups() -> list[tuple[uuid.UUID, str]]:
    return [group for source in _sources.values() for group in source.groups()]


def by_kind(sessions: Iterable[Session]) -> dict[str, list[uuid.UUID]]:
    ids: dict[str, list[uuid.UUID]] = defaultdict(list)
    for session in sessions:
        ids[session.kind].append(session.pk)
    return ids
