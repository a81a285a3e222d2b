"""What people do to a run: stop it, have it done again, ask for another answer, let it go on."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from chat import hot, rates
from chat.actions import turn_reset
from chat.actions.sessions import announce, events_of, refuse_closed, stop
from chat.events.kinds import Event
from chat.identity import Identity
from chat.models import RETRYABLE, Run, Session
from chat.presenters import presenter_for
from chat.queries import run_for
from chat.runs.lease import wake_next
from futura.errors import Conflict, NotFound
from futura.rows import only

Begin = Callable[[Session, Run], tuple[Run, list[Event]]]


def stop_run(*, identity: Identity, run_id: uuid.UUID) -> Run:
    """Stops a run, now or before it began; the same for one that is over. Raises NotFound."""
    run = run_for(identity, run_id)
    with transaction.atomic():
        only(Session.objects.select_for_update().filter(pk=run.session_id))
        if changes := stop(run):
            announce(run.session_id, *changes)
            transaction.on_commit(partial(wake_next, run.session_id), robust=True)
    run.refresh_from_db()
    return run


def retry_run(*, identity: Identity, run_id: uuid.UUID) -> Run:
    """A new run for the same message, from the state before it; the old answer is set aside.

    Only the last run of a session that did not complete. Raises NotFound, Conflict, TooMany.
    A second press returns the run the first one made.
    """

    def begin(session: Session, old: Run) -> tuple[Run, list[Event]]:
        if old.status not in RETRYABLE:
            raise Conflict(_("This reply is complete or still being written."))
        return _anew(session, old, Run.Cause.RETRY)

    return _after(identity, run_id, begin)


def regenerate(*, identity: Identity, run_id: uuid.UUID) -> Run:
    """Another answer to the same message, from the state before it; the one there was is kept for
    staff.

    Only for the last answer of a session, when it is complete. Raises NotFound, Conflict, TooMany.
    A second press returns the run the first one made.
    """

    def begin(session: Session, old: Run) -> tuple[Run, list[Event]]:
        if old.status != Run.Status.COMPLETED:
            raise Conflict(_("This reply is not complete. Try again instead."))
        turn_reset.refuse_fixed(session, old.message)
        return _anew(session, old, Run.Cause.REGENERATE)

    return _after(identity, run_id, begin)


def continue_run(*, identity: Identity, run_id: uuid.UUID) -> Run:
    """Another answer below one that was stopped or interrupted after its first words.

    Raises NotFound, Conflict, TooMany. A second press returns the run the first one made.
    """

    def begin(session: Session, old: Run) -> tuple[Run, list[Event]]:
        if not old.can_continue or old.reply is None or not old.reply.text:
            raise Conflict(_("There is nothing to continue."))
        changes = turn_reset.rewind(session, old)
        run = _create(session, old, Run.Cause.CONTINUE)
        return run, [*changes, *events_of(old.message, old)]

    return _after(identity, run_id, begin)


def _after(identity: Identity, run_id: uuid.UUID, begin: Begin) -> Run:
    """The one run that follows another: the one there is, else the one that `begin` makes.

    `begin` is called under the session's lock with what stands there then.
    """
    old = run_for(identity, run_id)
    presenter_for(old.session.kind).admit(identity, session=old.session)
    with transaction.atomic():
        session = hot.locked_to_send(old.session_id)
        if session is None:
            raise NotFound
        again = Run.objects.filter(retry_of=old).first()
        if again is not None:
            return again
        old = Run.objects.select_related("message", "reply").get(pk=old.pk)
        refuse_closed(session)
        turn_reset.refuse_unless_last(session, old)
        rates.refuse_too_many_runs(session)
        run, changes = begin(session, old)
        announce(session.pk, *changes, *events_of(None, run), run=run)
    return run


def _anew(session: Session, old: Run, cause: Run.Cause) -> tuple[Run, list[Event]]:
    changes = turn_reset.rewind(session, old)
    changes += turn_reset.set_aside(turn_reset.answers_to(old))
    return _create(session, old, cause), [*events_of(old.message, old)[:-1], *changes]


def _create(session: Session, old: Run, cause: Run.Cause) -> Run:
    return Run.objects.create(session=session, message=old.message, retry_of=old, cause=cause)
