"""Invented people: fills a campaign, marked as invented, to try it before real people come.

The same seed gives the same people. Conversations are written in bulk, lists through the ledger.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from chat.models import Message, Participant, Session
from chat.operations.changes import Change, Kind
from chat.staff import queues
from futura.errors import BadInput
from futura.limits import TASK_STATEMENT_CHARS
from futura.progress import Reporter
from onet import queries as catalogue
from onet.candidates import Candidate
from onet.matching import code_many
from onet.models import Occupation
from onet.search import Query
from tasks import activities
from tasks.actions import KIND
from tasks.campaigns.actions.setting_up import create
from tasks.campaigns.models import Campaign, Consent, Participation
from tasks.changes import creation, owner_of, perform, places_after
from tasks.coding.matching import match_values
from tasks.coding.queue import left_to_the_sweep
from tasks.commands.rating import largest_remainder
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

    They have `jobs`, or those of the catalogue, as unequally common as real ones. With
    `is_pending` the matches are left for the workers to look up. Raises BadInput for a campaign of
    real people: the two never mix.
    """
    if not campaign.is_invented:
        raise BadInput("Invented people go only into a campaign that is marked as invented.")
    bar = reporter or Reporter()
    bar.step("Inventing people", number)
    dice = random.Random(seed)  # noqa: S311 (no secrets here)
    choice = jobs or jobs_of_catalogue()
    chosen = dice.choices(
        choice, [1 / (place + 1) ** 0.7 for place in range(len(choice))], k=number
    )
    last = campaign.participations.aggregate(last=Max("number"))["last"] or 0
    began, stay = timezone.now() - timedelta(days=DAYS), timedelta(days=DAYS)
    tasks = 0
    for start in range(0, number, CHUNK):
        group = chosen[start : start + CHUNK]
        people = [
            _Person(campaign, job, dice, last + 1 + place, began + stay * place / number)
            for place, job in enumerate(group, start)
        ]
        with left_to_the_sweep(), transaction.atomic():
            _save(campaign, people, is_pending=is_pending)
        tasks += sum(len(person.tasks) for person in people)
        bar.advance(len(group))
    bar.step("Counting for the review")
    queues.refresh_all()
    return tasks


class _Person:
    """One invented person's unsaved rows: who never began has only a participation.

    Before each answer stands a question; `answers` has the answer of each task.
    """

    def __init__(
        self, campaign: Campaign, job: Job, dice: random.Random, number: int, at: datetime
    ) -> None:
        is_silent, sends = dice.random() < SILENT, dice.random() >= LOST
        self.job = job
        self.tasks = [] if is_silent else _tasks(dice, job, sent=sends)
        step = dice.choice((1, 2, 2, 3))
        turns = [self.tasks[start : start + step] for start in range(0, len(self.tasks), step)]
        self.came_at = at
        self.sent_at = at + timedelta(minutes=2 * len(turns) + 6) if turns and sends else None
        self.taking = Participation(
            campaign=campaign,
            number=number,
            participant=Participant(),
            is_invented=True,
            started_at=at if turns else None,
            submitted_at=self.sent_at,
            finished_at=self.sent_at,
            turn_count=len(turns),
            task_count=len(self.tasks),
        )
        self.messages: list[Message] = []
        self.answers: list[Message] = []
        if not turns:
            return
        self.taking.response = response = self._response(len(turns))
        for number, turn in enumerate(turns):
            answer = " ".join(f"{task.quote}." for task in turn)
            utterances = ((Message.Role.ASSISTANT, QUESTION), (Message.Role.PERSON, answer))
            for seq, (role, text) in enumerate(utterances, start=2 * number + 1):
                row = Message(session=response.session, seq=seq, role=role, text=text)
                row.created_at = at + timedelta(minutes=seq)
                self.messages.append(row)
            self.answers += [self.messages[-1]] * len(turn)

    def _response(self, turns: int) -> SurveyResponse:
        code, title = self.job.code, self.job.title[:200]
        session = Session(
            participant=self.taking.participant,
            kind=KIND,
            title=title,
            created_at=self.came_at,
            state=SurveyState(job_title=title, occupation_code=code).model_dump(mode="json"),
            status=Session.Status.ENDED if self.sent_at else Session.Status.ACTIVE,
        )
        return SurveyResponse(
            session=session,
            campaign=self.taking.campaign,
            job_title=title,
            occupation_code=code,
            occupation_title=title,
            step=SurveyResponse.Step.DONE,
            basic_mode=True,
            processed_to_seq=2 * turns,
        )


def _tasks(dice: random.Random, job: Job, *, sent: bool) -> list[WorkTask]:
    """Some of the job's statements as a person told them; which ones is not told.

    Shares of time, of a list that was sent, add up to 100; a few take most.
    """
    count = min(len(job.statements), dice.randint(4, 16 if sent else 7))
    statements = dice.sample(list(job.statements), count)
    weights = [Decimal(dice.gammavariate(1.3, 1.0) + 0.05) for _ in statements]
    tasks = []
    for statement, hundredths in zip(
        statements, largest_remainder(weights, whole=10_000), strict=True
    ):
        group = statement.groups[0].value if statement.groups else ""
        ai_level = dice.choices(WorkTask.AiLevel.values, AI_LEVELS[group])[0]
        clause = statement.text.split(",")[0].rstrip(". ")
        quote = dice.choice(STARTS) + clause[:1].lower() + clause[1:]
        tasks.append(
            WorkTask(
                statement=clause[:TASK_STATEMENT_CHARS],
                raw=quote,
                quote=quote,
                time_share=Decimal(hundredths) / 100 if sent else None,
                ai_level=ai_level if sent else "",
            )
        )
    return tasks


def _save(campaign: Campaign, people: Sequence[_Person], *, is_pending: bool) -> None:
    """The rows of a group, each kind at once; a list that was sent is closed last of all."""
    takings = [person.taking for person in people]
    responses = [taking.response for taking in takings if taking.response is not None]
    Participant.objects.bulk_create(t.participant for t in takings if t.participant is not None)
    Session.objects.bulk_create(response.session for response in responses)
    messages = [message for person in people for message in person.messages]
    Message.objects.bulk_create(messages, batch_size=1_000)
    SurveyResponse.objects.bulk_create(responses)
    _write_lists(people, is_pending=is_pending)
    Participation.objects.bulk_create(takings)
    for person in people:
        person.taking.created_at = person.came_at  # the first save writes the time of the saving
        if person.taking.response is not None:
            person.taking.response.submitted_at = person.sent_at
    Participation.objects.bulk_update(takings, ["created_at"])
    SurveyResponse.objects.bulk_update(responses, ["submitted_at"])
    agreed = {"version": campaign.consent_version, "text": campaign.consent}
    Consent.objects.bulk_create(Consent(participation=taking, **agreed) for taking in takings)


def _write_lists(people: Sequence[_Person], *, is_pending: bool) -> None:
    """The tasks with their matches, a batch of the ledger a list, as the pipeline does it."""
    queries = [Query(task.statement, person.job.code) for person in people for task in person.tasks]
    codings = iter(code_many(queries, by_words_only=True))
    for person in people:
        response = person.taking.response
        if response is None:
            continue
        changes: list[Change] = []
        places = places_after(0, len(person.tasks))
        for task, answer, place in zip(person.tasks, person.answers, places, strict=True):
            task.response, task.message, task.position = response, answer, place
            coding = next(codings)
            activities.put_on(task, coding.activities)
            changes += creation(task, None if is_pending else match_values(coding))
        actor = owner_of(response, Kind.SYSTEM)
        perform(response, changes, actor=actor, title="List of an invented person")
