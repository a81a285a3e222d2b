"""Writes invented people into a campaign: conversations in bulk, lists through the ledger."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from chat.models import Message, Participant, Session
from chat.operations.changes import Actor, Change, Create, Kind
from chat.staff import cards
from futura.errors import BadInput
from futura.limits import TASK_STATEMENT_CHARS
from futura.progress import Quiet, Reporter
from onet import queries as catalogue
from onet.matching import Coding, code_many
from onet.models import Occupation
from onet.search import Query
from tasks.actions import KIND
from tasks.campaigns import match_progress
from tasks.campaigns.models import Campaign, Consent, Participation
from tasks.changes import MATCH, TASK, perform
from tasks.coding.announce import left_to_the_sweep
from tasks.coding.matching import match_values
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse
from tasks.simulation.people import OPENING, QUESTIONS, Invented, InventedTask, Job, invent

CHUNK: Final = 100
JOBS: Final = 40
LEAST_STATEMENTS: Final = 8
DAYS: Final = 21  # over which the invented people come
TITLE: Final = "List of an invented person"


def jobs_of_catalogue(limit: int = JOBS) -> list[Job]:
    """Occupations with enough statements, spread over the catalogue. Raises BadInput for none."""
    rows = Occupation.objects.filter(release__is_active=True).order_by("code")
    codes = list(rows.values_list("code", "title"))
    found: list[Job] = []
    step = max(1, len(codes) // (2 * limit))
    for code, title in codes[::step]:
        own = catalogue.top_statements(code, limit=24)
        if len(own) >= LEAST_STATEMENTS:
            found.append(Job(code, title, own))
        if len(found) == limit:
            break
    if not found:
        raise BadInput("No occupation of the catalogue has statements to invent people from.")
    return found


def fill(
    campaign: Campaign,
    number: int,
    *,
    seed: int,
    jobs: Sequence[Job] = (),
    is_pending: bool = False,
    reporter: Reporter | None = None,
) -> int:
    """Adds so many invented people to a campaign marked as invented; gives the number of tasks.

    They have `jobs`, or those of the catalogue. With `is_pending` the matches are left for the
    workers to look up. Raises BadInput for a campaign of real people: the two never mix.
    """
    if not campaign.is_invented:
        raise BadInput("Invented people go only into a campaign that is marked as invented.")
    told = reporter or Quiet()
    told.step("Inventing people", number)
    people = list(invent(number, seed=seed, jobs=jobs or jobs_of_catalogue()))
    end, tasks, done = timezone.now(), 0, 0
    first = (campaign.participations.aggregate(last=Max("number"))["last"] or 0) + 1
    while done < number:
        group = people[done : done + CHUNK]
        begun = [
            end - timedelta(days=DAYS) * (1 - (done + place) / number)
            for place in range(len(group))
        ]
        with left_to_the_sweep(), transaction.atomic():
            tasks += _write(campaign, group, begun, first + done, is_pending=is_pending)
        done += len(group)
        told.advance(len(group))
    match_progress.count()
    told.step("Counting for the review")
    cards.refresh_all()
    return tasks


def _write(
    campaign: Campaign,
    people: Sequence[Invented],
    begun: Sequence[datetime],
    first: int,
    *,
    is_pending: bool,
) -> int:
    """One group of people, whole or not at all."""
    owners = Participant.objects.bulk_create(Participant() for _ in people)
    responses, said = _conversations(campaign, people, owners, begun)
    queries = [Query(task.statement, one.job.code) for one in people for task in one.tasks]
    codings = iter(code_many(queries, by_words_only=True))
    lists = []
    for response, person in zip(responses, people, strict=True):
        coded = [(task, next(codings)) for task in person.tasks]
        if response is not None:
            lists.append(_listed(response, person, coded, said[response.pk], is_pending=is_pending))
    _participations(campaign, people, owners, responses, begun, first)
    return sum(lists)


def _conversations(
    campaign: Campaign,
    people: Sequence[Invented],
    owners: Sequence[Participant],
    begun: Sequence[datetime],
) -> tuple[list[SurveyResponse | None], dict[uuid.UUID, dict[int, uuid.UUID]]]:
    """Sessions with their messages: the responses, None for who never began; ids of messages."""
    sessions: list[Session | None] = []
    messages: list[Message] = []
    for person, owner, at in zip(people, owners, begun, strict=True):
        if not person.turns:
            sessions.append(None)
            continue
        state = SurveyState(job_title=person.job.title, occupation_code=person.job.code)
        session = Session(
            participant=owner, kind=KIND, title=person.job.title[:200], created_at=at,
            state=state.model_dump(mode="json"),
            status=Session.Status.ENDED if person.sent else Session.Status.ACTIVE,
        )  # fmt: skip
        sessions.append(session)
        messages += _messages(session, person, at)
    Session.objects.bulk_create([one for one in sessions if one])
    Message.objects.bulk_create(messages, batch_size=1_000)
    responses = [
        None if session is None else SurveyResponse(
            session=session, campaign=campaign, job_title=person.job.title[:200],
            occupation_code=person.job.code, occupation_title=person.job.title[:200],
            step=SurveyResponse.Step.DONE, basic_mode=True, processed_to_seq=2 * len(person.turns),
        )
        for session, person in zip(sessions, people, strict=True)
    ]  # fmt: skip
    SurveyResponse.objects.bulk_create([one for one in responses if one])
    said: dict[uuid.UUID, dict[int, uuid.UUID]] = defaultdict(dict)
    for one in messages:
        said[one.session_id][one.seq] = one.pk
    return responses, said


def _messages(session: Session, person: Invented, at: datetime) -> list[Message]:
    """The opening, then each turn of the person with the next question."""
    step = timedelta(minutes=person.minutes) / max(1, len(person.turns))
    told = [Message(session=session, seq=1, role="assistant", text=OPENING, created_at=at)]
    for turn, text in enumerate(person.turns):
        seq, when = 2 + 2 * turn, at + step * (turn + 1)
        told.append(Message(session=session, seq=seq, role="user", text=text, created_at=when))
        question = QUESTIONS[turn % len(QUESTIONS)]
        told.append(
            Message(session=session, seq=seq + 1, role="assistant", text=question, created_at=when)
        )
    return told


def _listed(
    response: SurveyResponse,
    person: Invented,
    coded: Sequence[tuple[InventedTask, Coding]],
    said: Mapping[int, uuid.UUID],
    *,
    is_pending: bool,
) -> int:
    """The tasks with their matches as one batch of the ledger, as the pipeline writes them."""
    changes: list[Change] = []
    for place, (task, coding) in enumerate(coded):
        values = _task(response, task, place, said[2 + 2 * task.turn], is_rated=person.sent)
        made = Create(TASK, values | _activities(coding))
        match = {} if is_pending else {**match_values(coding), "for_version": 1}
        changes += [made, Create(MATCH, {"task": made.id, **match})]
    if changes:
        actor = Actor(response.session.participant_id, kind=Kind.SYSTEM)
        perform(response, changes, actor=actor, title=TITLE)
    return len(person.tasks)


def _task(
    response: SurveyResponse,
    task: InventedTask,
    place: int,
    message: uuid.UUID,
    *,
    is_rated: bool,
) -> dict[str, Any]:
    values: dict[str, Any] = {
        "response": response.pk, "position": 1_000 * (place + 1),
        "statement": task.statement[:TASK_STATEMENT_CHARS],
        "raw": task.quote, "quote": task.quote, "message": message,
    }  # fmt: skip
    if is_rated:
        values |= {"time_share": Decimal(str(task.time)), "ai_level": task.ai}
    return values


def _activities(coding: Coding) -> dict[str, Any]:
    groups = [group.value for group in coding.groups]
    return {
        "activity_ids": list(coding.activities),
        "groups": groups,
        "group": groups[0] if groups else "",
    }


def _participations(
    campaign: Campaign,
    people: Sequence[Invented],
    owners: Sequence[Participant],
    responses: Sequence[SurveyResponse | None],
    begun: Sequence[datetime],
    first: int,
) -> None:
    """The way of each, and what they agreed to; a list that was sent is closed last of all."""
    made = []
    for place, (person, owner, response, at) in enumerate(
        zip(people, owners, responses, begun, strict=True)
    ):
        done = at + timedelta(minutes=person.minutes + 4) if person.sent else None
        made.append(
            Participation(
                campaign=campaign, number=first + place, participant=owner, response=response,
                is_invented=True, started_at=at if response else None, submitted_at=done,
                finished_at=done, turn_count=len(person.turns), task_count=len(person.tasks),
                talk_minutes=person.minutes,
            )
        )  # fmt: skip
        if response is not None and done is not None:
            response.submitted_at = done
    Participation.objects.bulk_create(made)
    for one, at in zip(made, begun, strict=True):
        one.created_at = at
    Participation.objects.bulk_update(made, ["created_at"])
    Consent.objects.bulk_create(
        Consent(participation=one, version=campaign.consent_version, text=campaign.consent)
        for one in made
    )
    sent = [one for one in responses if one is not None and one.submitted_at is not None]
    SurveyResponse.objects.bulk_update(sent, ["submitted_at"])
