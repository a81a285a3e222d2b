"""What people do to a run: stop it, have it done again."""

from __future__ import annotations

import uuid
from functools import partial

from django.db import transaction
from django.utils import timezone

from chat import wake
from chat.actions.writing import announce, news_of, refuse_closed
from chat.events.kinds import Reference
from chat.identity import Identity
from chat.models import RETRYABLE, Message, Run, Session
from chat.queries import run_for
from chat.rates import check_person
from futura import limits
from futura.errors import Conflict


def stop_run(*, identity: Identity, run_id: uuid.UUID) -> Run:
    """Stops a run, now or before it began; the same for one that is over. Raises NotFound."""
    run = run_for(identity, run_id)
    with transaction.atomic():
        Session.objects.select_for_update().get(pk=run.session_id)
        now = timezone.now()
        mine = Run.objects.filter(pk=run.pk)
        queued = mine.filter(status=Run.Status.QUEUED)
        if queued.update(status=Run.Status.STOPPED, stop_requested_at=now, finished_at=now):
            Message.objects.filter(runs=run).update(status=Message.Status.STOPPED)
            announce(run.session_id, *news_of(run.message, run))
        else:
            mine.filter(status=Run.Status.RUNNING, stop_requested_at__isnull=True).update(
                stop_requested_at=now
            )
            transaction.on_commit(partial(wake.stop, run.pk))
    run.refresh_from_db()
    return run


def retry_run(*, identity: Identity, run_id: uuid.UUID) -> Run:
    """A new run for the same message, from the state before it; the old answer is set aside.

    Only the last run of a session that did not complete. Raises NotFound, Conflict, TooMany.
    A second press returns the run the first one made.
    """
    old = run_for(identity, run_id)
    person = str(old.session.participant_id)
    check_person("send", person, identity.address, limit=limits.MESSAGES_PER_MINUTE)
    with transaction.atomic():
        session = Session.objects.select_for_update().get(pk=old.session_id)
        again = Run.objects.filter(retry_of=old).first()
        if again is not None:
            return again
        old = Run.objects.select_related("message", "reply").get(pk=old.pk)
        refuse_closed(session)
        _refuse_retry(old)
        if old.started_at is not None:
            session.state = old.state_before
            session.status = Session.Status.ACTIVE
        session.save(update_fields=["state", "status", "updated_at"])
        _set_aside(old)
        run = Run.objects.create(session=session, message=old.message, retry_of=old)
        news = news_of(old.message, run)
        if old.reply_id:
            news.insert(0, Reference("message", str(old.reply_id)))
        announce(session.pk, *news, run=run)
    return run


def _refuse_retry(old: Run) -> None:
    if old.status not in RETRYABLE:
        raise Conflict("This answer is complete, or still on its way.")
    later = Run.objects.filter(session=old.session_id, created_at__gt=old.created_at)
    if later.exists():
        raise Conflict("The conversation has gone on since. Send the message again instead.")


def _set_aside(old: Run) -> None:
    if old.reply_id:
        Message.objects.filter(pk=old.reply_id).update(superseded_at=timezone.now())
    if old.message_id:
        Message.objects.filter(pk=old.message_id).update(status=Message.Status.COMPLETE)
