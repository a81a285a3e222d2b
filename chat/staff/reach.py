"""Which conversations somebody of staff may read: surveys; others for a reason that they state."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Q, QuerySet

from chat.models import Session
from chat.staff import reasons
from chat.staff.facts import kinds
from futura import roles
from futura.roles import RightNeeded

Staff = AbstractBaseUser | AnonymousUser


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
    reasons.check(user, session)


def reviewers_of(session: Session) -> QuerySet[User]:
    """Whom a conversation can be given to, by name."""
    found = roles.people_with("review")
    if not is_private(session):
        return found
    return found.filter(pk__in=roles.people_with("conversations").values("pk"))
