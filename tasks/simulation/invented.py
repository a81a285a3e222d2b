"""Invented people: fills a campaign, marked as invented, to try it before real people come.

The same seed gives the same people. Conversations are written in bulk, lists through the ledger.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from chat.models import Message, Participant, Session
from chat.operations.changes import Change, Kind
from chat.staff import cards
from futura.errors import BadInput
from futura.limits import TASK_STATEMENT_CHARS
from futura.progress import Quiet, Reporter
from onet import queries as catalogue
from onet.candidates import Candidate
from onet.matching import code_many
from onet.models import Occupation
from onet.search import Query
from tasks import activities, positions
from tasks.actions import KIND
from tasks.apportionment import largest_remainder
from tasks.campaigns.actions.setting_up import create
from tasks.campaigns.models import Campaign, Consent, Participation
from tasks.changes import made, owner_of, perform
from tasks.coding.matching import match_values
from tasks.coding.queue import left_to_the_sweep
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse, WorkTask

CONSENT: Final = "Nobody agreed to this: the people of this campaign are invented."
QUESTION: Final = "What else belongs to your week?"
STARTS: Final = ("I ", "Then I ", "Every week I ", "Now and then I ")
LOST: Final = 0.18  # of those who begin go away before sending
SILENT: Final = 0.06  # of those who agree never begin
AI_LEVELS: Final = {
    "informationInput": (0.56, 0.32, 0.12),
    "mentalProcesses": (0.46, 0.38, 0.16),
    "workOutput": (0.76, 0.18, 0.06),
    "interactingWithOthers": (0.82, 0.14, 0.04),
    "": (0.8, 0.15, 0.05),
}
"""Group → odds of no, some and significant use of AI."""
CHUNK: Final = 100
JOBS: Final = 40
LEAST_STATEMENTS: Final = 8
DAYS: Final = 21  # over which the invented people come


@dataclass(frozen=True)
class Job:
    """An occupation with the statements that its invented people choose from."""

    code: str
    title: str
    statements: Sequence[Candidate]


@dataclass(frozen=True)
class Person:
    """Who never began has no turns; who went away sent nothing. The tasks are not saved yet."""

    job: Job
    turns: Sequence[Sequence[WorkTask]]
    sent: bool

    @property
    def tasks(self) -> list[WorkTask]:
        """What they told, in order."""
        return [task for turn in self.turns for task in turn]


def invented_campaign(title: str) -> Campaign:
    """A closed campaign, marked as invented: real people never get in."""
    campaign = create(user_id=None, values={"title": title, "consent": CONSENT, "grace_hours": 0})
    campaign.is_invented = True
    campaign.status, campaign.closed_at = Campaign.Status.CLOSED, timezone.now()
    campaign.save(update_fields=["is_invented", "status", "closed_at"])
    return campaign


def jobs_of_catalogue(limit: int = JOBS) -> list[Job]:
    """Occupations with enough statements, spread over the catalogue. Raises BadInput for none."""
    rows = Occupation.objects.filter(release__is_active=True).order_by("code")
    codes = list(rows.values_list("code", "title"))
    jobs: list[Job] = []
    for code, title in codes[:: max(1, len(codes) // (2 * limit))]:
        statements = catalogue.top_statements(code, limit=24)
        if len(statements) >= LEAST_STATEMENTS and len(jobs) < limit:
            jobs.append(Job(code, title, statements))
    if not jobs:
        raise BadInput("No occupation of the catalogue has statements to invent people from.")
    return jobs


# Inventing ----------------------------------------------------------------------------------------
def _people(number: int, seed: int, jobs: Sequence[Job]) -> Iterator[Person]:
    """So many people, whose jobs are as unequally common as real ones."""
    dice = random.Random(seed)  # noqa: S311 (no secrets here)
    weights = [1 / (place + 1) ** 0.7 for place in range(len(jobs))]
    for job in dice.choices(jobs, weights, k=number):
        is_silent, sent = dice.random() < SILENT, dice.random() >= LOST
        tasks = [] if is_silent else _tasks(dice, job, sent=sent)
        step = dice.choice((1, 2, 2, 3))
        turns = [tasks[start : start + step] for start in range(0, len(tasks), step)]
        yield Person(job, turns, sent=sent and not is_silent)


def _tasks(dice: random.Random, job: Job, *, sent: bool) -> list[WorkTask]:
    """Some of the job's statements as tasks; shares of time add up to 100, a few take most."""
    chosen = dice.sample(
        list(job.statements), min(len(job.statements), dice.randint(4, 16 if sent else 7))
    )
    weights = [Decimal(dice.gammavariate(1.3, 1.0) + 0.05) for _ in chosen]
    hundredths = largest_remainder(weights, whole=10_000)
    return [
        _task(dice, statement, Decimal(part) / 100 if sent else None)
        for statement, part in zip(chosen, hundredths, strict=True)
    ]


def _task(dice: random.Random, statement: Candidate, share: Decimal | None) -> WorkTask:
    """A task as a person told it; which statement it was made from is not told."""
    group = statement.groups[0].value if statement.groups else ""
    ai_level = dice.choices(WorkTask.AiLevel.values, AI_LEVELS[group])[0]
    clause = statement.text.split(",")[0].rstrip(". ")
    quote = dice.choice(STARTS) + clause[:1].lower() + clause[1:]
    return WorkTask(
        statement=clause[:TASK_STATEMENT_CHARS],
        raw=quote,
        quote=quote,
        time_share=share,
        ai_level=ai_level if share is not None else "",
    )


# Writing ------------------------------------------------------------------------------------------
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
    bar = reporter or Quiet()
    bar.step("Inventing people", number)
    people = list(_people(number, seed, jobs or jobs_of_catalogue()))
    last = campaign.participations.aggregate(last=Max("number"))["last"] or 0
    stay = timedelta(days=DAYS)
    came = timezone.now() - stay
    for start in range(0, number, CHUNK):
        group = people[start : start + CHUNK]
        with left_to_the_sweep(), transaction.atomic():
            talks = [
                _taking_part(campaign, person, last + 1 + place, came + stay * place / number)
                for place, person in enumerate(group, start)
            ]
            _save(campaign, talks, is_pending=is_pending)
        bar.advance(len(group))
    bar.step("Counting for the review")
    cards.refresh_all()
    return sum(len(person.tasks) for person in people)


@dataclass(frozen=True)
class _Talk:
    """One person's unsaved rows; `messages` are a question before each turn, and the turn."""

    person: Person
    taking: Participation
    messages: Sequence[Message] = ()


def _taking_part(campaign: Campaign, person: Person, number: int, at: datetime) -> _Talk:
    """The rows of one person who came at that time."""
    done = at + timedelta(minutes=2 * len(person.turns) + 6) if person.sent else None
    taking = Participation(
        campaign=campaign,
        number=number,
        participant=Participant(),
        is_invented=True,
        created_at=at,
        submitted_at=done,
        finished_at=done,
        turn_count=len(person.turns),
        task_count=len(person.tasks),
    )
    if not person.turns:
        return _Talk(person, taking)
    code, title = person.job.code, person.job.title[:200]
    session = Session(
        participant=taking.participant,
        kind=KIND,
        title=title,
        created_at=at,
        state=SurveyState(job_title=title, occupation_code=code).model_dump(mode="json"),
        status=Session.Status.ENDED if person.sent else Session.Status.ACTIVE,
    )
    taking.started_at = at
    taking.response = SurveyResponse(
        session=session,
        campaign=campaign,
        job_title=title,
        occupation_code=code,
        occupation_title=title,
        step=SurveyResponse.Step.DONE,
        basic_mode=True,
        processed_to_seq=2 * len(person.turns),
    )
    texts = []
    for turn in person.turns:
        answer = " ".join(f"{task.quote}." for task in turn)
        texts += [(Message.Role.ASSISTANT, QUESTION), (Message.Role.PERSON, answer)]
    messages = [
        Message(
            session=session, seq=seq, role=role, text=text, created_at=at + timedelta(minutes=seq)
        )
        for seq, (role, text) in enumerate(texts, start=1)
    ]
    return _Talk(person, taking, messages)


def _save(campaign: Campaign, talks: Sequence[_Talk], *, is_pending: bool) -> None:
    """The rows of a group, each kind at once; a list that was sent is closed last of all."""
    takings = [talk.taking for talk in talks]
    responses = [taking.response for taking in takings if taking.response is not None]
    came = [taking.created_at for taking in takings]
    Participant.objects.bulk_create(t.participant for t in takings if t.participant is not None)
    Session.objects.bulk_create(response.session for response in responses)
    messages = [message for talk in talks for message in talk.messages]
    Message.objects.bulk_create(messages, batch_size=1_000)
    SurveyResponse.objects.bulk_create(responses)
    _write_lists(talks, is_pending=is_pending)
    Participation.objects.bulk_create(takings)
    for taking, at in zip(takings, came, strict=True):
        taking.created_at = at  # the first save writes the time of the saving
        if taking.response is not None:
            taking.response.submitted_at = taking.submitted_at
    Participation.objects.bulk_update(takings, ["created_at"])
    SurveyResponse.objects.bulk_update(responses, ["submitted_at"])
    agreed = {"version": campaign.consent_version, "text": campaign.consent}
    Consent.objects.bulk_create(Consent(participation=taking, **agreed) for taking in takings)


def _write_lists(talks: Sequence[_Talk], *, is_pending: bool) -> None:
    """The tasks with their matches, a batch of the ledger a list, as the pipeline does it."""
    queries = [
        Query(task.statement, talk.person.job.code) for talk in talks for task in talk.person.tasks
    ]
    codings = iter(code_many(queries, by_words_only=True))
    for talk in talks:
        response = talk.taking.response
        if response is None:
            continue
        changes: list[Change] = []
        for turn, answer in zip(talk.person.turns, talk.messages[1::2], strict=True):
            for task in turn:
                task.response, task.message = response, answer
                task.position = positions.GAP * (len(changes) // 2 + 1)
                coding = next(codings)
                activities.put_on(task, coding.activities)
                changes += made(task, None if is_pending else match_values(coding))
        actor = owner_of(response, Kind.SYSTEM)
        perform(response, changes, actor=actor, title="List of an invented person")
