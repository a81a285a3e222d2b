"""Which conversations somebody of staff may read: surveys; others for a reason that they state."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Session
from chat.staff import audit
from chat.staff.facts import kinds
from chat.staff.models import Access
from futura import roles
from futura.errors import NotAllowed
from futura.limits import required_text
from futura.roles import RightNeeded

REASON_CHARS: Final = 500
LASTS: Final = timedelta(minutes=30)
"""A reason holds for as long as a sitting; whoever comes back later states it again."""
CHANGES: Final = "changes of private things"
Staff = AbstractBaseUser | AnonymousUser


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
    stated = Access.objects.filter(user_id=int(user.pk or 0), began_at__gte=timezone.now() - LASTS)
    if not stated.filter(**of).exclude(reason="").exists():
        raise ReasonNeeded(session)


def state_reason(*, user: Staff, session: Session | None, reason: object) -> None:
    """Writes the reason into the log. Raises BadInput, TooLong."""
    words = required_text(reason, limit=REASON_CHARS, field="reason")
    audit.stated(user=user, session=session, what="" if session else CHANGES, reason=words)


def reviewers_of(session: Session) -> QuerySet[User]:
    """Whom a conversation can be given to, by name."""
    found = roles.people_with("review")
    if not is_private(session):
        return found
    return found.filter(pk__in=roles.people_with("conversations").values("pk"))
