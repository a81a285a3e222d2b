"""Writes a survey as a whole: started, its list written, sent, erased with everything in it."""

from __future__ import annotations

import hashlib
import uuid
from functools import partial
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import actions as chat_actions
from chat.models import Participant
from chat.operations.changes import Actor
from chat.operations.erase import erase
from chat.operations.models import OperationBatch
from chat.staff import queues
from futura.errors import BadInput, Busy, Conflict, TooLong
from futura.limits import JOB_TITLE_CHARS, SURVEY_MESSAGE_CHARS, required_line, storable
from futura.rows import only
from onet import queries as onet
from onet.candidates import OccupationHit
from tasks import changes
from tasks.campaigns.journey import closed_words, note_sent
from tasks.coding.run import PIPELINE, tell
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse, WorkTask

KIND: Final = "survey"


def start_survey(
    *,
    participant: Participant,
    job_title: str,
    occupation_code: str | None = "",
    initial_tasks: str | None = "",
    language: str = "",
) -> SurveyResponse:
    """Starts a survey for a job title; occupation and a first account of the work may be absent.

    `language` is the tag of the language that the person will probably write in.

    Raises BadInput (TooLong) with the name of the field: `job_title`, `occupation_code`,
    `initial_tasks`.
    """
    title = required_line(job_title, limit=JOB_TITLE_CHARS, field="job_title")
    occupation = chosen_occupation(occupation_code)
    account = first_account(initial_tasks)
    code, name = (occupation.code, occupation.title) if occupation else ("", "")
    with transaction.atomic():
        session = chat_actions.start_session(
            participant=participant,
            kind=KIND,
            state=SurveyState(
                job_title=title, occupation_code=code, expected_language=language[:35]
            ),
            title=title,
            first_text=account or None,
        )
        return SurveyResponse.objects.create(
            session=session, job_title=title, occupation_code=code, occupation_title=name[:200]
        )


def chosen_occupation(code: str | None) -> OccupationHit | None:
    """The occupation of a code; None for no choice, BadInput for one the catalogue lacks."""
    if not code or code == "none":
        return None
    is_usable = len(code) <= 10 and code.isprintable()
    occupation = onet.occupations([code]).get(code) if is_usable else None
    if occupation is None:
        raise BadInput(_("This occupation is not in the catalogue."), field="occupation_code")
    return occupation


def first_account(text: str | None) -> str:
    """What the person wrote right away, without outer blanks; empty for nothing."""
    cleaned = storable(text or "").strip()
    if len(cleaned) > SURVEY_MESSAGE_CHARS:
        raise TooLong(limit=SURVEY_MESSAGE_CHARS, length=len(cleaned), field="initial_tasks")
    return cleaned


_AT_REST = (SurveyResponse.Step.IDLE, SurveyResponse.Step.DONE, SurveyResponse.Step.FAILED)


def start_pipeline(session_id: uuid.UUID) -> bool:
    """Queues the pipeline of a conversation; False when it runs already, or was submitted.

    Called again later, it takes over what was said or picked since, and nothing twice.
    """
    with transaction.atomic():
        queued = SurveyResponse.objects.filter(
            pk=session_id, step__in=_AT_REST, submitted_at=None
        ).update(
            step=SurveyResponse.Step.QUEUED, step_error="", lease=None, updated_at=timezone.now()
        )
        if queued:
            transaction.on_commit(partial(tell, session_id))
            PIPELINE.announce(session_id)
    return bool(queued)


def contents_of(response: SurveyResponse) -> str:
    """Another text when what the list says of the work has changed, its matches aside."""
    names = ("pk", "statement", *WorkTask.RATINGS)
    rows = response.tasks.filter(deleted_at=None).order_by("pk").values_list(*names)
    return hashlib.sha256(repr(list(rows)).encode()).hexdigest()[:16]


def submit(*, response: SurveyResponse, seen: str | None = None) -> SurveyResponse:
    """Sends the list; it can be read afterwards, not changed. Twice changes nothing.

    `seen` are the contents on the page. Raises Conflict when they have changed. A total other than
    100 or missing AI use are the person's business; an empty list is not sent.
    """
    with transaction.atomic():
        locked = only(SurveyResponse.objects.select_for_update().filter(pk=response.pk))
        if locked.submitted_at is not None:
            return locked
        if words := closed_words(locked.campaign):
            raise Conflict(words)
        if locked.step in SurveyResponse.RUNNING:
            raise Busy(_("Your task list is still being created. Wait a moment, then submit it."))
        if seen is not None and seen != contents_of(locked):
            raise Conflict(_("Your task list has changed. Check it again, then submit it."))
        if not locked.tasks.filter(deleted_at=None).exists():
            raise BadInput(_("Your task list is empty. Add a task, or continue the conversation."))
        locked.submitted_at = timezone.now()
        locked.save(update_fields=["submitted_at", "updated_at"])
        note_sent(locked)
        transaction.on_commit(partial(tell, locked.pk))
        queues.outdated([locked.pk])
        return locked


def erase_list(session_id: uuid.UUID) -> None:
    """Erases the tasks of a conversation, what the ledger has of their words included.

    Must run in a transaction: nobody adds to the list until that ends.
    """
    SurveyResponse.objects.select_for_update().filter(pk=session_id).first()
    tasks = WorkTask.objects.filter(response=session_id)
    owned: dict[uuid.UUID, list[tuple[str, uuid.UUID]]] = {}
    for owner_id, pk in tasks.values_list("owner_id", "pk"):
        owned.setdefault(owner_id, []).append((changes.TASK, pk))
    for owner_id, rows in owned.items():
        actor = Actor(owner_id, kind=OperationBatch.Actor.SYSTEM)
        erase(actor=actor, rows=rows, reason=_("The conversation was permanently deleted."))
