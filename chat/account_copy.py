"""One ZIP with a copy of all that an account holds; features register what they add to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from chat import export
from chat.identity import Identity
from chat.models import Session
from futura.attachments import Files, zipped

README: Final = "README.txt"


@dataclass(frozen=True)
class Part:
    """Files of one kind, named within `folder`; `says` is what the README says of them."""

    folder: str
    says: str | Promise
    files: Callable[[Identity], Files]


def _conversations(identity: Identity) -> Files:
    """Read one by one: a year of them need not be held at once."""
    own = Session.objects.filter(participant__in=identity.participant_ids, deleted_at=None)
    for key in list(own.order_by("created_at").values_list("pk", flat=True)):
        session = own.filter(pk=key).first()
        if session is not None:  # which it is when it was deleted meanwhile
            yield export.file_name(session, "json"), export.pieces_of(session, "json")
            yield export.file_name(session, "md"), export.pieces_of(session, "md")


_parts: Final = [
    Part(
        "conversations",
        gettext_lazy("each conversation as JSON and as text (Markdown)"),
        _conversations,
    )
]


def register(*parts: Part) -> None:
    """Adds what a feature keeps for people, after what is there."""
    _parts.extend(part for part in parts if part not in _parts)


def pieces_of(identity: Identity, *, account: str) -> Iterator[bytes]:
    """The file, piece by piece; nothing is read before its turn."""
    return zipped(_files(identity, account))


def _files(identity: Identity, account: str) -> Files:
    yield README, [_readme(account)]
    for part in _parts:
        for name, pieces in part.files(identity):
            yield f"{part.folder}/{name}", pieces


def _readme(account: str) -> str:
    head = _("A copy of what the Futura account %(name)s contains, made on %(day)s.") % {
        "name": account,
        "day": timezone.localdate().isoformat(),
    }
    lines = [f"{part.folder}: {part.says}" for part in _parts]
    foot = _("What is empty has no folder. What was deleted, or is in the bin, is not included.")
    return "\n".join([head, "", *lines, "", foot, ""])
