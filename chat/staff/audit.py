"""Who of staff may read which conversation, for which reason; and the log of what they did."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.core.paginator import Page, Paginator
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from chat.models import Session
from chat.staff.models import Access
from chat.staff.panels import kinds
from futura import locks, roles
from futura.errors import NotAllowed
from futura.limits import required_text
from futura.roles import RightNeeded

SITTING: Final = timedelta(minutes=30)
"""Whoever opens a conversation again within this time is still reading it."""
PAGE_SIZE: Final = 100
Staff = AbstractBaseUser | AnonymousUser


def read(*, user: Staff, session: Session, kind: str = Access.Kind.READING) -> None:
    """Notes that a conversation was opened: a row for a sitting, however often it is refreshed."""
    now = timezone.now()
    with transaction.atomic():
        locks.wait_for(f"read {user.pk} {session.pk} {kind}")  # two tabs at once are one sitting
        same = Access.objects.filter(
            kind=kind, user_id=int(user.pk or 0), session_id=session.pk, last_at__gte=now - SITTING
        )
        latest = same.order_by("-last_at").values("pk")[:1]
        if Access.objects.filter(pk__in=latest).update(last_at=now, times=F("times") + 1):
            return
        _note(user, session, kind=kind, began_at=now, last_at=now)


def exported(
    *,
    user: Staff,
    what: str,
    about: Mapping[str, Any] | None = None,
    group_id: uuid.UUID | None = None,
    rows: int | None = None,
) -> Access:
    """Notes an export before it begins: `what` ("tasks.csv"), with which filters (plain JSON)."""
    return _note(
        user,
        kind=Access.Kind.EXPORT,
        what=what[:200],
        about=dict(about or {}),
        group_id=group_id,
        rows=rows,
    )


def changed(*, user: Staff, what: str, about: Mapping[str, str]) -> None:
    """Notes a change of settings, with the new values (never a secret), in its transaction."""
    _note(user, kind=Access.Kind.CHANGE, what=what, about=dict(about))


def _note(user: Staff, session: Session | None = None, **values: Any) -> Access:
    return Access.objects.create(
        user_id=user.pk,
        user_name=user.get_username()[:254],
        session_id=session.pk if session else None,
        owner_id=session.participant_id if session else None,
        **values,
    )


CHANGES: Final = "changes of private things"
# Rows keep these words as they stand here; readers see them in their own language.
_NAMES: Final[Mapping[str, str | Promise]] = {
    CHANGES: gettext_lazy("changes of private things"),
    "Data deleted on request": gettext_lazy("Data deleted on request"),
    "Model settings": gettext_lazy("Model settings"),
    "address": gettext_lazy("address"),
    "after": gettext_lazy("after participant"),
    "campaign": gettext_lazy("campaign"),
    "change": gettext_lazy("change"),
    "conversation ids": gettext_lazy("IDs of conversations"),
    "key": gettext_lazy("key"),
    "model": gettext_lazy("model"),
    "own words": gettext_lazy("own words"),
    "participant": gettext_lazy("participant"),
    "provider": gettext_lazy("provider"),
    "selection": gettext_lazy("selection"),
}
_VALUES: Final[Mapping[tuple[str, str], str | Promise]] = {
    ("change", "key removed"): gettext_lazy("key removed"),
    ("change", "server removed, with its key"): gettext_lazy("server removed, with its key"),
    ("key", "as before"): gettext_lazy("unchanged"),
    ("key", "new"): gettext_lazy("new"),
    ("key", "none"): gettext_lazy("no"),
}


@dataclass(frozen=True)
class Entry:
    """One row of the log, with the title of a survey while it is there; others show none."""

    access: Access
    title: str
    is_there: bool
    is_private: bool = False

    @property
    def what(self) -> str:
        return str(_NAMES.get(self.access.what, self.access.what))

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Names and values of what it was about."""
        return [
            (str(_NAMES.get(name, name)), _value(name, value))
            for name, value in self.access.about.items()
        ]


def _value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(_VALUES.get((name, str(value)), value))


def log_page(rows: QuerySet[Access], *, page: int) -> tuple[Page[Access], list[Entry]]:
    """A page of some rows of the log, newest first: three queries."""
    result = Paginator(rows.order_by("-began_at", "pk"), PAGE_SIZE).get_page(page)
    displayed = list(result.object_list)
    there = Session.objects.filter(deleted_at__isnull=True).only("kind", "title")
    sessions = there.in_bulk([item.session_id for item in displayed if item.session_id])
    return result, [_entry(item, sessions.get(item.session_id)) for item in displayed]


def _entry(access: Access, session: Session | None) -> Entry:
    if session is None:
        return Entry(access, "", is_there=False)
    is_hidden = is_private(session)
    return Entry(access, "" if is_hidden else session.title, is_there=True, is_private=is_hidden)


def readings_of(owner_ids: Sequence[uuid.UUID], *, limit: int = 50) -> list[Access]:
    own = Access.objects.filter(owner_id__in=owner_ids)
    return list(own.order_by("-began_at")[:limit])


def exports_of(group_id: uuid.UUID, *, since: datetime, limit: int = 50) -> list[Access]:
    """Who took the rows of a campaign out since, newest first; sums are nobody's rows."""
    taken = Access.objects.filter(
        kind=Access.Kind.EXPORT, group_id=group_id, began_at__gte=since
    ).exclude(what="insights.csv")
    return list(taken.order_by("-began_at")[:limit])


REASON_CHARS: Final = 500
LASTS: Final = timedelta(minutes=30)
"""A reason holds for as long as a sitting; whoever comes back later states it again."""


class ReasonNeeded(NotAllowed):
    """Private, and open to this person once they have said why: a session, or the changes."""

    code = "reason_needed"

    def __init__(self, session: Session | None) -> None:
        super().__init__(_("This is private. Give a reason to open it."))
        self.session = session


def reviewable(kind: str = "kind") -> Q:
    """Narrows rows to surveys, whoever looks; `kind` is the way to the kind of their session."""
    return Q(**{f"{kind}__in": kinds()})


def is_private(session: Session | None) -> bool:
    """Whether nobody of staff reads it in the course of a review; so is what is of no session."""
    return session is None or session.kind not in kinds()


def admit(user: Staff, session: Session | None) -> None:
    """Lets surveys pass, and private conversations when their reader has said why.

    Without a session: private things that were changed. Raises RightNeeded, ReasonNeeded.
    """
    if not is_private(session):
        return
    if not roles.may(user, "conversations"):
        raise RightNeeded("conversations")
    of = {"session_id": session.pk} if session else {"session_id": None, "what": CHANGES}
    recent = Access.objects.filter(user_id=int(user.pk or 0), began_at__gte=timezone.now() - LASTS)
    if not recent.filter(**of).exclude(reason="").exists():
        raise ReasonNeeded(session)


def state_reason(*, user: Staff, session: Session | None, reason: object) -> None:
    """Notes why something private is opened; its reading in this sitting is the same line.

    Raises BadInput, TooLong.
    """
    words = required_text(reason, limit=REASON_CHARS, field="reason")
    what = "" if session else CHANGES
    _note(user, session, kind=Access.Kind.READING, what=what, reason=words, times=0)


def reviewers_of(session: Session) -> QuerySet[User]:
    result = roles.people_with("review")
    if not is_private(session):
        return result
    return result.filter(pk__in=roles.people_with("conversations").values("pk"))
