"""One run of the pipeline: claims a response, goes through the steps, writes the tasks at once.

Nothing is written before the last step, so a run that dies leaves the list as it was, and the next
one starts from the conversation again. The lease decides who may write.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import Max, Q
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from chat import events
from chat.models import Message
from chat.operations.changes import Change, Kind
from futura.errors import ModelUnavailable
from futura.limits import TASK_STATEMENT_CHARS
from futura.llm.client import Llm
from onet.classify import activities_of, groups_of
from tasks import changes, places
from tasks.elicitation.analysis import without_cards
from tasks.elicitation.state import Card, SurveyState
from tasks.language.duplicates import Merged, is_duplicate
from tasks.language.normalise import statement_of
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tasks.pipeline.cards import fresh_cards
from tasks.pipeline.deduplication import deduplicate_by_rules, deduplicate_with_model
from tasks.pipeline.extraction import (
    RawTask,
    SourceTurn,
    extract_by_rules,
    extract_with_model,
)
from tasks.pipeline.heart import SILENT_FOR, beating
from tasks.pipeline.normalisation import normalise_by_rules, normalise_with_model
from tasks.writing import owner_of, perform

log = logging.getLogger(__name__)

Step = SurveyResponse.Step
ResultT = TypeVar("ResultT")

RUNNING: Final = (Step.QUEUED, Step.EXTRACTING, Step.NORMALISING, Step.DEDUPLICATING)


class LeaseLost(Exception):
    """Another worker has the response, or the person began again: this run writes nothing."""


@dataclass(frozen=True)
class Source:
    """What one run reads: new messages with their context, picked cards, what is listed."""

    job_title: str
    turns: Sequence[SourceTurn]
    cards: Sequence[Card]
    card_messages: dict[str, uuid.UUID]
    listed: Sequence[WorkTask]
    last_seq: int


@dataclass(frozen=True)
class NewTask:
    """A task about to be written, with those that were merged into it."""

    statement: str
    raw: str
    quote: str
    message_id: uuid.UUID | None
    suggestion_id: str = ""
    merged_from: list[dict[str, Any]] = field(default_factory=list)


def process(response_id: uuid.UUID) -> bool:
    """Does what is to be done for a response; False when there was nothing or another has it."""
    lease = uuid.uuid4()
    if not _claim(response_id, lease):
        return False
    run = _Run(response_id, lease)
    try:
        with run, beating(run.mine()):
            run.perform()
    except LeaseLost:
        log.info("pipeline of %s went to somebody else", response_id)
        return False
    return True


def _claim(response_id: uuid.UUID, lease: uuid.UUID) -> bool:
    stale = Now() - SILENT_FOR
    return bool(
        SurveyResponse.objects.filter(pk=response_id, step__in=RUNNING)
        .filter(Q(lease=None) | Q(heartbeat_at=None) | Q(heartbeat_at__lt=stale))
        .update(lease=lease, heartbeat_at=Now())
    )


def tell(response_id: uuid.UUID) -> None:
    """Open pages fetch the state of the pipeline and the list."""
    events.append(response_id, events.Feature(kind="pipeline", id=str(response_id), version=0))


class _Run:
    """One claimed run. As a context it marks the response failed when an error leaves it."""

    def __init__(self, response_id: uuid.UUID, lease: uuid.UUID) -> None:
        self._id = response_id
        self._lease = lease
        self._llm = Llm(session_id=response_id)
        self._by_rules = not self._llm.is_configured

    def __enter__(self) -> _Run:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None or isinstance(error, LeaseLost) or not isinstance(error, Exception):
            return
        log.error("pipeline of %s stopped half way", self._id, exc_info=error)
        with transaction.atomic():
            failed = self.mine().update(
                step=Step.FAILED,
                step_error=_("Something went wrong on our side. Your words are kept; try again."),
                lease=None,
            )
            if failed:
                transaction.on_commit(partial(tell, self._id))

    def perform(self) -> None:
        """All steps, one after the other."""
        self._enter(Step.EXTRACTING)
        source = _read(self._id)
        raws = self._either(
            partial(extract_with_model, source.turns, job_title=source.job_title, llm=self._llm),
            partial(extract_by_rules, source.turns),
        )
        self._enter(Step.NORMALISING)
        words = [task.raw for task in raws]
        statements = self._either(
            partial(normalise_with_model, words, llm=self._llm), partial(normalise_by_rules, words)
        )
        self._enter(Step.DEDUPLICATING)
        merged = self._either(
            partial(deduplicate_with_model, statements, llm=self._llm),
            partial(deduplicate_by_rules, statements),
        )
        tasks = [_new_task(result, statements, raws) for result in merged]
        tasks = [task for task in tasks if not _is_listed(task, source.listed)]
        tasks += _from_cards(source, [task.statement for task in tasks])
        self._write(source, tasks)

    def mine(self) -> Any:
        """The response, as long as this run has it."""
        return SurveyResponse.objects.filter(pk=self._id, lease=self._lease)

    def _enter(self, step: Step) -> None:
        """Shows the step; LeaseLost when this run is no longer the one to show it."""
        with transaction.atomic():
            if not self.mine().update(step=step, heartbeat_at=Now()):
                raise LeaseLost
            transaction.on_commit(partial(tell, self._id))

    def _either(
        self, with_model: Callable[[], ResultT], by_rules: Callable[[], ResultT]
    ) -> ResultT:
        """The model's work, or that of the rules when it is not there or gives nothing usable."""
        if self._llm.is_configured:
            try:
                return with_model()
            except ModelUnavailable as error:
                log.warning("pipeline of %s goes on by rules: %s", self._id, error.reason)
                self._by_rules = True
        return by_rules()

    def _write(self, source: Source, tasks: Sequence[NewTask]) -> None:
        """Adds the tasks behind those there are, each with its match to be looked up."""
        rows = [_row(self._id, task) for task in tasks]
        with transaction.atomic():
            mine = self.mine().select_related("session").select_for_update(of=("self",))
            response = mine.first()
            if response is None:
                raise LeaseLost
            if response.submitted_at is None:
                self._add(response, rows)
            response.step, response.step_error, response.lease = Step.DONE, "", None
            response.basic_mode = self._by_rules
            response.processed_to_seq = source.last_seq
            response.save()
            transaction.on_commit(partial(tell, self._id))

    def _add(self, response: SurveyResponse, rows: Sequence[WorkTask]) -> None:
        known = set(
            response.tasks.exclude(suggestion_id="").values_list("suggestion_id", flat=True)
        )
        last = response.tasks.aggregate(last=Max("position"))["last"] or 0
        new = [row for row in rows if not row.suggestion_id or row.suggestion_id not in known]
        for position, row in zip(places.after(last, len(new)), new, strict=True):
            row.position = position
        wanted: list[Change] = [change for row in new for change in changes.made(row)]
        again = TaskMatch.objects.filter(
            task__response=response, deleted_at=None, status=TaskMatch.Status.FAILED
        )
        wanted += [changes.match_put(one, changes.WAITING) for one in again]
        if wanted:
            actor = owner_of(response, Kind.AGENT)
            perform(response, wanted, actor=actor, title=_("Wrote the list from the talk"))


# Reading -----------------------------------------------------------------------------------------
def _read(response_id: uuid.UUID) -> Source:
    response = SurveyResponse.objects.select_related("session").get(pk=response_id)
    state = SurveyState.model_validate(response.session.state or {})
    said = list(
        Message.objects.filter(session_id=response_id).exclude(text="", parts=[]).order_by("seq")
    )
    messages = [message for message in said if message.superseded_at is None]
    return Source(
        job_title=response.job_title,
        turns=_turns(messages, state.cards, after=response.processed_to_seq),
        cards=state.selected_cards,
        # a card may have been picked from an answer that was replaced since
        card_messages={**_card_messages(said), **_card_messages(messages)},
        listed=list(response.tasks.all()),
        last_seq=max((m.seq for m in messages if m.role == Message.Role.PERSON), default=0),
    )


def _turns(messages: Sequence[Message], cards: Sequence[Card], *, after: int) -> list[SourceTurn]:
    """Messages not yet taken over, and the question before them.

    Cards shown before are blanked out where the person names them: they count as cards.
    """
    turns: list[SourceTurn] = []
    shown: set[str] = set()
    question: Message | None = None
    for message in messages:
        is_person = message.role == Message.Role.PERSON
        if message.seq <= after:
            question = None if is_person else message
        else:
            if question is not None and not turns:
                turns.append(SourceTurn("assistant", question.text, question.pk, question.seq))
            text = message.text
            if is_person and shown:
                text, _named = without_cards(text, [card for card in cards if card.id in shown])
            turns.append(SourceTurn(message.role, text, message.pk, message.seq))
        shown.update(_cards_in(message))
    return turns if any(turn.role == "user" for turn in turns) else []


def _cards_in(message: Message) -> list[str]:
    parts = [part for part in message.parts if part.get("type") == "suggestions"]
    return [str(card.get("id", "")) for part in parts for card in part.get("cards", ())]


def _card_messages(messages: Sequence[Message]) -> dict[str, uuid.UUID]:
    """Which message showed a card first: card id → message id."""
    shown: dict[str, uuid.UUID] = {}
    for message in messages:
        for card_id in _cards_in(message):
            shown.setdefault(card_id, message.pk)
    return shown


# Putting together --------------------------------------------------------------------------------
def _new_task(result: Merged, statements: Sequence[str], raws: Sequence[RawTask]) -> NewTask:
    """The task of one result: the words of the member whose statement stays, else of the first."""
    chosen = next(
        (i for i in result.members if statements[i] == result.statement), result.members[0]
    )
    raw = raws[chosen]
    return NewTask(
        statement=result.statement,
        raw=raw.raw,
        quote=raw.quote,
        message_id=raw.message_id,
        merged_from=[
            {
                "statement": statements[index],
                "quote": raws[index].quote,
                "message_id": str(raws[index].message_id),
                "reason": result.reason,
            }
            for index in result.members
            if index != chosen
        ],
    )


def _is_listed(task: NewTask, listed: Sequence[WorkTask]) -> bool:
    """Whether the list has the task already, be it reworded or deleted by the person."""
    for row in listed:
        known = [row.statement, *(one.get("statement", "") for one in row.merged_from)]
        if row.raw:
            known.append(statement_of(row.raw))
        if any(is_duplicate(one, task.statement) for one in known if one):
            return True
    return False


def _from_cards(source: Source, statements: Sequence[str]) -> list[NewTask]:
    """Picked cards that are not on the list; their quote is the card's text (DECISIONS 16)."""
    known = {row.suggestion_id for row in source.listed if row.suggestion_id}
    listed = [row.statement for row in source.listed]
    cards = [card for card in source.cards if card.id not in known]
    return [
        NewTask(
            statement=card.statement,
            raw=card.statement,
            quote=card.statement,
            message_id=source.card_messages.get(card.id),
            suggestion_id=card.id,
        )
        for card in fresh_cards(cards, [*listed, *statements])
    ]


def _row(response_id: uuid.UUID, task: NewTask) -> WorkTask:
    groups = [group.value for group in groups_of(task.statement)]
    return WorkTask(
        response_id=response_id,
        statement=task.statement[:TASK_STATEMENT_CHARS],
        raw=task.raw,
        quote=task.quote,
        message_id=task.message_id,
        source=WorkTask.Source.SUGGESTION if task.suggestion_id else WorkTask.Source.CHAT,
        suggestion_id=task.suggestion_id[:64],
        merged_from=task.merged_from,
        group=groups[0] if groups else "",
        groups=groups,
        activity_ids=list(activities_of(task.statement)),
    )
