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
from tasks.campaigns import match_progress
from tasks.campaigns.actions import create
from tasks.campaigns.models import Campaign, Consent, Participation
from tasks.changes import made, owner_of, perform
from tasks.coding.announce import left_to_the_sweep
from tasks.coding.matching import match_values
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
class InventedTask:
    """A task as a person told it; which statement it was made from is not told."""

    statement: str
    quote: str
    time: float
    ai: str


@dataclass(frozen=True)
class Person:
    """Who never began has no turns; who went away sent nothing."""

    job: Job
    turns: Sequence[Sequence[InventedTask]]
    sent: bool

    @property
    def tasks(self) -> list[InventedTask]:
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
        tasks = [] if is_silent else _tasks(dice, job, most=16 if sent else 7)
        step = dice.choice((1, 2, 2, 3))
        turns = [tasks[start : start + step] for start in range(0, len(tasks), step)]
        yield Person(job, turns, sent=sent and not is_silent)


def _tasks(dice: random.Random, job: Job, most: int) -> list[InventedTask]:
    """Some of the job's statements as tasks; shares of time add up to 100, a few take most."""
    count = min(len(job.statements), dice.randint(min(4, most), most))
    chosen = dice.sample(list(job.statements), count)
    weights = [dice.gammavariate(1.3, 1.0) + 0.05 for _ in chosen]
    times = [round(100 * weight / sum(weights), 2) for weight in weights]
    times[times.index(max(times))] += round(100 - sum(times), 2)
    return [
        _task(dice, statement, round(time, 2))
        for statement, time in zip(chosen, times, strict=True)
    ]


def _task(dice: random.Random, statement: Candidate, time: float) -> InventedTask:
    group = statement.groups[0].value if statement.groups else ""
    ai = dice.choices(WorkTask.AiLevel.values, AI_LEVELS[group])[0]
    clause = statement.text.split(",")[0].rstrip(". ")
    quote = dice.choice(STARTS) + clause[:1].lower() + clause[1:]
    return InventedTask(clause[:TASK_STATEMENT_CHARS], quote, time, ai)


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
    came = timezone.now() - timedelta(days=DAYS)
    for start in range(0, number, CHUNK):
        group = people[start : start + CHUNK]
        with left_to_the_sweep(), transaction.atomic():
            writing = _Writing(campaign, is_pending=is_pending)
            for place, person in enumerate(group, start):
                at = came + timedelta(days=DAYS) * place / number
                writing.add(person, number=last + 1 + place, at=at)
            writing.save()
        bar.advance(len(group))
    match_progress.count()
    bar.step("Counting for the review")
    cards.refresh_all()
    return sum(len(person.tasks) for person in people)


class _Writing:
    """The rows of one group of people, put together and then written whole."""

    def __init__(self, campaign: Campaign, *, is_pending: bool) -> None:
        self.campaign = campaign
        self.is_pending = is_pending
        self.owners: list[Participant] = []
        self.participations: list[Participation] = []
        self.messages: list[Message] = []
        self.lists: list[tuple[SurveyResponse, Person, list[Message]]] = []

    def add(self, person: Person, *, number: int, at: datetime) -> None:
        """The rows of one person who came at that time."""
        owner = Participant()
        done = at + timedelta(minutes=2 * len(person.turns) + 6) if person.sent else None
        taking = Participation(
            campaign=self.campaign,
            number=number,
            participant=owner,
            is_invented=True,
            created_at=at,
            submitted_at=done,
            finished_at=done,
            turn_count=len(person.turns),
            task_count=len(person.tasks),
        )
        self.owners.append(owner)
        self.participations.append(taking)
        if person.turns:
            taking.started_at = at
            taking.response = response = self._response(person, owner, at)
            answers = self._messages(response.session, person, at)
            self.lists.append((response, person, answers))

    def _response(self, person: Person, owner: Participant, at: datetime) -> SurveyResponse:
        code, title = person.job.code, person.job.title[:200]
        state = SurveyState(job_title=title, occupation_code=code)
        session = Session(
            participant=owner,
            kind=KIND,
            title=title,
            created_at=at,
            state=state.model_dump(mode="json"),
            status=Session.Status.ENDED if person.sent else Session.Status.ACTIVE,
        )
        return SurveyResponse(
            session=session,
            campaign=self.campaign,
            job_title=title,
            occupation_code=code,
            occupation_title=title,
            step=SurveyResponse.Step.DONE,
            basic_mode=True,
            processed_to_seq=2 * len(person.turns),
        )

    def _messages(self, session: Session, person: Person, at: datetime) -> list[Message]:
        """A question before each turn; gives the person's messages."""
        answers = []
        for place, turn in enumerate(person.turns):
            text = " ".join(f"{task.quote}." for task in turn)
            for role, said in (("assistant", QUESTION), ("user", text)):
                seq = 2 * place + (1 if role == "assistant" else 2)
                when = at + timedelta(minutes=seq)
                message = Message(session=session, seq=seq, role=role, text=said, created_at=when)
                self.messages.append(message)
            answers.append(message)
        return answers

    def save(self) -> None:
        """All of it; a list that was sent is closed last of all."""
        responses = [response for response, *_ in self.lists]
        Participant.objects.bulk_create(self.owners)
        Session.objects.bulk_create(response.session for response in responses)
        Message.objects.bulk_create(self.messages, batch_size=1_000)
        SurveyResponse.objects.bulk_create(responses)
        self._write_lists()
        came = [taking.created_at for taking in self.participations]
        Participation.objects.bulk_create(self.participations)
        for taking, at in zip(self.participations, came, strict=True):
            taking.created_at = at
            if taking.response is not None:
                taking.response.submitted_at = taking.submitted_at
        Participation.objects.bulk_update(self.participations, ["created_at"])
        SurveyResponse.objects.bulk_update(responses, ["submitted_at"])
        agreed = {"version": self.campaign.consent_version, "text": self.campaign.consent}
        Consent.objects.bulk_create(
            Consent(participation=taking, **agreed) for taking in self.participations
        )

    def _write_lists(self) -> None:
        """The tasks with their matches, a batch of the ledger a list, as the pipeline does it."""
        queries = [
            Query(task.statement, person.job.code)
            for _response, person, _answers in self.lists
            for task in person.tasks
        ]
        codings = iter(code_many(queries, by_words_only=True))
        for response, person, answers in self.lists:
            changes: list[Change] = []
            for turn, answer in zip(person.turns, answers, strict=True):
                for task in turn:
                    row = _row(response, task, answer, is_rated=person.sent)
                    row.position = positions.GAP * (len(changes) // 2 + 1)
                    coding = next(codings)
                    activities.put_on(row, coding.activities)
                    changes += made(row, None if self.is_pending else match_values(coding))
            actor = owner_of(response, Kind.SYSTEM)
            perform(response, changes, actor=actor, title="List of an invented person")


def _row(
    response: SurveyResponse, task: InventedTask, message: Message, *, is_rated: bool
) -> WorkTask:
    return WorkTask(
        response=response,
        message=message,
        statement=task.statement,
        raw=task.quote,
        quote=task.quote,
        time_share=Decimal(str(task.time)) if is_rated else None,
        ai_level=task.ai if is_rated else "",
    )
