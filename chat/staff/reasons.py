"""Why somebody of staff opens what is private: stated before it is shown, kept in the log."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Session
from chat.staff import audit
from chat.staff.models import Access
from futura.errors import NotAllowed
from futura.limits import required_text

REASON_CHARS: Final = 500
LASTS: Final = timedelta(minutes=30)
"""A reason holds for as long as a sitting; whoever comes back later states it again."""
CHANGES: Final = "changes of private things"
Reader = AbstractBaseUser | AnonymousUser


class ReasonNeeded(NotAllowed):
    """Private, and open to this person once they have said why: a session, or the changes."""

    code = "reason_needed"

    def __init__(self, session: Session | None) -> None:
        super().__init__(_("This is private. Say why you read it, and it opens."))
        self.session = session


def state(*, user: Reader, session: Session | None, reason: object) -> None:
    """Writes the reason into the log. Raises BadInput, TooLong."""
    words = required_text(reason, limit=REASON_CHARS, field="reason")
    audit.stated(user=user, session=session, what="" if session else CHANGES, reason=words)


def check(user: Reader, session: Session | None) -> str:
    """The reason stated in this sitting. Raises ReasonNeeded."""
    of = {"session_id": session.pk} if session else {"session_id": None, "what": CHANGES}
    stated = Access.objects.filter(user_id=int(user.pk or 0), began_at__gte=timezone.now() - LASTS)
    access = stated.filter(**of).exclude(reason="").order_by("-began_at").first()
    if access is None:
        raise ReasonNeeded(session)
    return access.reason
