"""Which conversations somebody of staff may read: those with results to review, or every kind."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Q, QuerySet

from chat.models import Session
from chat.staff.facts import kinds
from futura import roles
from futura.roles import RightNeeded

Staff = AbstractBaseUser | AnonymousUser


def within(user: Staff, kind: str = "kind") -> Q:
    """Narrows rows to what `user` may read; `kind` is the way to the kind of their session.

    What belongs to no conversation is left out for those who may not read every kind.
    """
    if roles.may(user, "conversations"):
        return Q()
    return Q(**{f"{kind}__in": kinds()})


def admit(user: Staff, session: Session | None) -> None:
    """Raises RightNeeded for what came of a conversation that `user` may not read, or of none."""
    if (session is None or session.kind not in kinds()) and not roles.may(user, "conversations"):
        raise RightNeeded("conversations")


def reviewers_of(session: Session) -> QuerySet[User]:
    """Whom a conversation can be given to, by name."""
    found = roles.people_with("review")
    if session.kind in kinds():
        return found
    return found.filter(pk__in=roles.people_with("conversations").values("pk"))
