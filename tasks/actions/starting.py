"""Writes the beginning of a survey: the conversation, and the response that belongs to it."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from chat import actions as chat_actions
from chat.models import Participant
from futura.errors import BadInput, TooLong
from futura.limits import JOB_TITLE_CHARS, SURVEY_MESSAGE_CHARS, required_text, storable
from onet import queries as onet
from onet.candidates import OccupationHit
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse

KIND = "survey"


def start_survey(
    *,
    participant: Participant,
    job_title: object,
    occupation_code: object = "",
    initial_tasks: object = "",
) -> SurveyResponse:
    """Starts a survey for a job title; occupation and a first account of the work may be absent.

    Raises BadInput (TooLong) with the name of the field: `job_title`, `occupation_code`,
    `initial_tasks`.
    """
    title = " ".join(required_text(job_title, limit=JOB_TITLE_CHARS, field="job_title").split())
    occupation = chosen_occupation(occupation_code)
    told = first_account(initial_tasks)
    code, name = (occupation.code, occupation.title) if occupation else ("", "")
    with transaction.atomic():
        session = chat_actions.start_session(
            participant=participant,
            kind=KIND,
            state=SurveyState(job_title=title, occupation_code=code),
            title=title,
            first_text=told or None,
        )
        return SurveyResponse.objects.create(
            session=session, job_title=title, occupation_code=code, occupation_title=name[:200]
        )


def chosen_occupation(code: object) -> OccupationHit | None:
    """The occupation of a code; None for no choice, BadInput for one the catalogue lacks."""
    if code in (None, "", "none"):
        return None
    is_usable = isinstance(code, str) and len(code) <= 10 and code.isprintable()
    found = onet.occupation(str(code)) if is_usable else None
    if found is None:
        raise BadInput(_("This occupation is not in the catalogue."), field="occupation_code")
    return found


def first_account(text: object) -> str:
    """What the person told right away, without outer blanks; empty for nothing."""
    if text is None:
        return ""
    if not isinstance(text, str):
        raise BadInput(_("Text is expected here."), field="initial_tasks")
    cleaned = storable(text).strip()
    if len(cleaned) > SURVEY_MESSAGE_CHARS:
        raise TooLong(limit=SURVEY_MESSAGE_CHARS, length=len(cleaned), field="initial_tasks")
    return cleaned
