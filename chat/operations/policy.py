"""Which changes of an agent are done at once, and which wait for their owner (DESIGN section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from chat import events
from chat.events.kinds import Reference
from chat.models import Session
from chat.operations import notifications
from chat.operations.changes import Change, Create, Delete
from chat.operations.models import Policy
from chat.operations.registry import operable
from futura.errors import BadInput

__all__ = ["Policy", "choose", "reasons_to_wait"]

ENTITIES_AT_ONCE: Final = 5  # more in one turn wait for review
LISTED_AT_ONCE: Final = (
    20  # new rows of kinds that people list in one breath (`Operable.is_listed`)
)


def reasons_to_wait(
    policy: str,
    changes: Sequence[Change],
    *,
    touched_before: int = 0,
    listed_before: int = 0,
    has_untrusted_text: bool = False,
) -> list[str]:
    """Why these changes must be reviewed first, in words for the person; empty: do them.

    `touched_before` counts the rows that the same turn has changed already, `listed_before` those
    of listed kinds that it has created, which count apart. Untrusted are files,
    addresses, imports and other people's words, not what the owner types; they make the turn wait
    that reads them, and what is made of what came of it (`chat.assistant.provenance`).
    """
    reasons = []
    if policy == Policy.REVIEW:
        reasons.append(_("You asked to review changes first."))
    if any(isinstance(change, Delete) for change in changes):
        reasons.append(_("It deletes something."))
    if any(_is_sensitive(change) for change in changes):
        reasons.append(_("It makes something visible to others."))
    created = [change for change in changes if isinstance(change, Create)]
    listed = {change.id for change in created if operable(change.entity).is_listed}
    counted = {change.id for change in changes if operable(change.entity).is_counted}
    rows = counted - listed
    if touched_before + len(rows) > ENTITIES_AT_ONCE:
        reasons.append(_("It changes more than five items at once."))
    if listed_before + len(listed) > LISTED_AT_ONCE:
        reasons.append(_("It creates more than twenty items at once."))
    if has_untrusted_text:
        reasons.append(_("It is based on text you did not write."))
    return reasons


def choose(*, session: Session, policy: str) -> Session:
    """Keeps how the agent's changes are treated in a conversation of the caller's.

    What waits already goes on waiting. Raises BadInput.
    """
    if policy not in Policy.values:
        raise BadInput(
            _("Choose whether changes apply immediately or need review."), field="policy"
        )
    if session.policy != policy:
        session.policy = policy
        # not `save`: nothing new was said
        with transaction.atomic():
            Session.objects.filter(pk=session.pk).update(policy=policy)
            reference = Reference(notifications.KIND, notifications.POLICY)
            transaction.on_commit(partial(events.append, session.pk, reference))
    return session


def _is_sensitive(change: Change) -> bool:
    if isinstance(change, Delete):
        return False
    named = operable(change.entity).sensitive & set(change.values)
    return any(change.values[name] for name in named) if isinstance(change, Create) else bool(named)
