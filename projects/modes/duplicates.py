"""To-dos that are there already: what an agent, with a model or by rules, does not make again."""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext as _

from chat.models import Participant, Session
from chat.operations.changes import Change, Create
from chat.operations.models import Operation, OperationBatch
from futura.errors import BadInput
from projects.models import DraftTask, Task

KINDS: Final = frozenset({"task", "draft_task"})
_EDGES: Final = " \t\n.,;:!?…\"'“”‘’«»`()[]-–—"
_LEAD: Final = re.compile(r"^(?:to|please)\s+", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"\b(?:the|a|an|my|our)\s+", re.IGNORECASE)
_APOSTROPHES: Final = str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-"})


class AlreadyThere(BadInput):
    """Everything that was to be made is on the list; `titles` are those that stand there.

    `row_id` is the to-do, where it is just one and no proposal.
    """

    code = "already_there"

    def __init__(self, titles: Sequence[str], row_id: uuid.UUID | None = None) -> None:
        names = ", ".join(f"“{one}”" for one in titles)
        told = (
            _("%(names)s is on the list already.")
            if len(titles) == 1
            else _("These are on the list already: %(names)s.")
        )
        super().__init__(told % {"names": names}, field="title")
        self.titles = tuple(titles)
        self.row_id = row_id


def normalised(title: str) -> str:
    """A title by which two are the same: case, articles, dashes, spaces and edges do not count.

    Numbers and signs within it do: “Read chapter 3” is not “Read chapter 4”, nor “C” “C++”.
    """
    plain = unicodedata.normalize("NFKC", title).translate(_APOSTROPHES).casefold()
    plain = _LEAD.sub("", " ".join(plain.split()).strip(_EDGES))
    return " ".join(_ARTICLE.sub("", plain).split()).strip(_EDGES) or plain


def same_title(one: str, other: str) -> bool:
    """Whether two titles name the same to-do."""
    return normalised(one) == normalised(other)


def without_doubles(
    changes: Sequence[Change], *, owner_id: uuid.UUID, session: Session | None = None
) -> list[Change]:
    """The changes without new to-dos whose title an open one of the same place bears.

    The place is the project, the draft, or the person's own list; what this conversation has
    proposed and nobody has decided about counts as there. Raises AlreadyThere when nothing is left.
    """
    made = [one for one in changes if isinstance(one, Create) and one.entity in KINDS]
    if not made:
        return list(changes)
    there = _standing(made, owner_id, session)
    kept: list[Change] = []
    found: list[tuple[str, uuid.UUID | None]] = []
    for one in changes:
        if not (isinstance(one, Create) and one.entity in KINDS):
            kept.append(one)
            continue
        key = _place(one.entity, one.values), normalised(str(one.values.get("title", "")))
        if key in there:
            found.append(there[key])
        else:
            kept.append(one)
            there[key] = str(one.values.get("title", "")), None
    if found and not kept:
        raise AlreadyThere([title for title, _row in found], found[0][1])
    return kept


_There = dict[tuple[str, str], tuple[str, uuid.UUID | None]]


def _standing(made: Sequence[Create], owner_id: uuid.UUID, session: Session | None) -> _There:
    """What is open in the places that are asked about, by place and title."""
    there: _There = {}
    if session is not None:
        for entity, values in _proposed(session):
            title = str(values.get("title", ""))
            there[_place(entity, values), normalised(title)] = title, None
    places = {_place(one.entity, one.values) for one in made}
    drafts = [uuid.UUID(one[6:]) for one in places if one.startswith("draft:")]
    if drafts:
        of_drafts = DraftTask.objects.filter(draft_id__in=drafts, deleted_at=None)
        for pk, title, draft in of_drafts.values_list("pk", "title", "draft_id"):
            there[f"draft:{draft}", normalised(title)] = title, pk
    projects = [one[8:] for one in places if one.startswith("project:")]
    where = Q(project_id__in=[uuid.UUID(one) for one in projects if one])
    if "project:" in places:
        same = Participant.objects.filter(user__participants=owner_id).values("pk")
        where |= Q(project=None) & (Q(owner_id=owner_id) | Q(owner_id__in=same))
    is_open = Task.objects.filter(where, deleted_at=None, status__in=Task.ACTIVE)
    if projects:
        for pk, title, project in is_open.values_list("pk", "title", "project_id"):
            there[f"project:{project or ''}", normalised(title)] = title, pk
    return there


def _proposed(session: Session) -> list[tuple[str, Any]]:
    """New to-dos that wait in this conversation for a word."""
    waiting = Operation.objects.filter(
        batch__session=session, batch__status=OperationBatch.Status.REVIEW, entity__in=KINDS,
        type=Operation.Type.CREATE, status=Operation.Status.PENDING,
    )  # fmt: skip
    told = waiting.values_list("entity", "payload__requested")
    return [(entity, values) for entity, values in told if values]


def _place(entity: str, values: Any) -> str:
    if entity == "draft_task":
        return f"draft:{values.get('draft')}"
    return f"project:{values.get('project') or ''}"
