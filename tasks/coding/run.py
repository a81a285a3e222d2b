"""One run of the pipeline: claims a response, goes through the steps, writes the tasks at once.

Nothing is written before the last step, so a run that dies leaves the list as it was, and the next
one starts from the conversation again. The lease decides who may write.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import Final

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Now
from django.utils import translation
from django.utils.translation import gettext as _

from chat import events
from chat.models import Session
from chat.operations.changes import Change, Kind
from chat.zones import place_of
from futura.durable import LeaseLost, Work
from futura.errors import ModelUnavailable
from futura.llm.client import Llm, Parallel
from onet.matching import code_taken
from onet.translations import is_english
from tasks import activities, changes
from tasks.changes import owner_of, perform
from tasks.coding import basic
from tasks.coding.duplicates import find_duplicates, merge_duplicates, merge_equal
from tasks.coding.extraction import extract
from tasks.coding.matching import match_values
from tasks.coding.prompts import DeduplicationAnswer
from tasks.coding.records import Source, card_task, read
from tasks.coding.statements import word_statements
from tasks.models import SurveyResponse, TaskMatch, WorkTask

log = logging.getLogger(__name__)

Step = SurveyResponse.Step

PIPELINE: Final = Work(
    "tasks.process_response",
    SurveyResponse,
    waits=Q(step__in=SurveyResponse.RUNNING),
    announced="updated_at",
)


def process(response_id: uuid.UUID) -> bool:
    """Does what is to be done for a response; False when there was nothing or another has it."""

    def work(held: QuerySet[SurveyResponse]) -> None:
        with _Run(response_id, held) as run:
            run.perform()

    return PIPELINE.perform(response_id, work)


def tell(response_id: uuid.UUID) -> None:
    """Open pages fetch the state of the pipeline and the list."""
    events.append(response_id, events.Reference(kind="pipeline", id=str(response_id), version=0))


class _Run:
    """One claimed run. As a context it marks the response failed when an error leaves it."""

    def __init__(self, response_id: uuid.UUID, held: QuerySet[SurveyResponse]) -> None:
        self._id = response_id
        self._held = held
        self._llm = Llm(session_id=response_id)
        self._is_basic = not self._llm.is_configured

    def __enter__(self) -> _Run:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, LeaseLost) or not isinstance(error, Exception):
            return
        log.error("pipeline of %s stopped half way", self._id, exc_info=error)
        owner = Session.objects.values_list("participant_id", flat=True).get(pk=self._id)
        with transaction.atomic(), translation.override(place_of(owner)[1]):
            failed = self._held.update(
                step=Step.FAILED,
                step_error=_("Something went wrong. Your answers are saved; try again."),
                lease=None,
            )
            if failed:
                transaction.on_commit(partial(tell, self._id))

    def perform(self) -> None:
        self._enter(Step.EXTRACTING)
        source = read(self._id)
        with translation.override(source.state.basic_language):  # of the reasons that it reads
            tasks = self._by_model(source) if self._llm.is_configured else None
            tasks = basic.new_tasks(source) if tasks is None else tasks
            self._write(source, [*tasks, *source.added_tasks()])

    def _by_model(self, source: Source) -> list[WorkTask] | None:
        """The model's tasks; None when it does not understand the talk now.

        A later step that fails leaves what the model understood: the person's words are the
        statements then, and nothing is merged but equal words.
        """
        try:
            extraction = extract(source, llm=self._llm)
        except ModelUnavailable as error:
            self._note_failure(error)
            return None
        tasks = extraction.tasks
        if extraction.failure is not None:
            self._note_failure(extraction.failure)
            by_rules = basic.extract(source.only(extraction.unread))
            tasks = source.in_order([*tasks, *filter(extraction.is_unread, by_rules)])
        tasks = source.undecided(tasks)
        self._enter(Step.NORMALISING)
        cards = {card.id: card_task(card, source) for card in source.new_cards}
        # the catalogue's own need no search, and so no English
        own = [cards[card.id] for card in source.new_cards if not card.task_id]
        language = source.state.basic_language
        every = [*tasks, *cards.values()]

        def find() -> DeduplicationAnswer:
            return find_duplicates(every, source.listed, llm=self._llm, language=language)

        with Parallel(1) as pool:
            duplicates = pool.start(find)
            try:
                word_statements(
                    [*tasks, *(() if is_english(language) else own)],
                    llm=self._llm,
                    job_title=source.job_title,
                    language=language,
                )
            except ModelUnavailable as error:
                self._note_failure(error)
        self._enter(Step.DEDUPLICATING)
        answer = duplicates()
        try:
            if isinstance(answer, ModelUnavailable):  # beside the wording was no room, perhaps
                answer = find()
            every = merge_duplicates(every, source.listed, answer, llm=self._llm)
        except ModelUnavailable as error:
            self._note_failure(error)
        return merge_equal(every, source.listed)

    def _note_failure(self, error: ModelUnavailable) -> None:
        log.warning("pipeline of %s is in basic mode: %s", self._id, error.reason)
        self._is_basic = True

    def _enter(self, step: Step) -> None:
        """Shows the step; LeaseLost when this run is no longer the one to show it."""
        with transaction.atomic():
            if not self._held.update(step=step, heartbeat_at=Now()):
                raise LeaseLost
            transaction.on_commit(partial(tell, self._id))

    def _write(self, source: Source, tasks: Sequence[WorkTask]) -> None:
        """Adds the tasks behind those there are, each with its match to be looked up."""
        with transaction.atomic():
            claimed = self._held.select_related("session").select_for_update(of=("self",))
            response = claimed.first()
            if response is None:
                raise LeaseLost
            if response.submitted_at is None:
                self._add(response, tasks, source)
            response.step, response.step_error, response.lease = Step.DONE, "", None
            response.basic_mode = self._is_basic
            response.processed_to_seq = source.last_seq
            response.save()
            transaction.on_commit(partial(tell, self._id))

    def _add(self, response: SurveyResponse, tasks: Sequence[WorkTask], source: Source) -> None:
        existing = set(
            response.tasks.exclude(suggestion_id="").values_list("suggestion_id", flat=True)
        )
        last = response.tasks.aggregate(last=Max("position"))["last"] or 0
        new = [task for task in tasks if task.suggestion_id not in existing]
        for position, row in zip(changes.places_after(last, len(new)), new, strict=True):
            row.response, row.position = response, position
        activities.code(new, response.occupation_code)
        taken = code_taken(_from_catalogue(row, source) for row in new)
        group_of = {card.id: card.group.value for card in source.state.cards}
        additions: list[Change] = []
        for row in new:
            coding = taken.get(_from_catalogue(row, source))
            if coding is not None:
                activities.put_on(row, coding.activities)
            if not row.groups and row.suggestion_id in group_of:  # no statement shares its words
                row.group = group_of[row.suggestion_id]
                row.groups = [row.group]
            additions += changes.creation(row, match_values(coding) if coding else None)
        again = TaskMatch.objects.filter(
            task__response=response, deleted_at=None, status=TaskMatch.Status.FAILED
        )
        additions += [changes.match_put(item, changes.WAITING) for item in again]
        if additions:
            actor = owner_of(response, Kind.AGENT)
            perform(response, additions, actor=actor, title=_("Created the task list"))


def _from_catalogue(row: WorkTask, source: Source) -> str:
    """The statement that a picked card was taken from; empty for other tasks."""
    if row.source != WorkTask.Source.SUGGESTION or not row.suggestion_id:
        return ""
    return next((card.task_id for card in source.state.cards if card.id == row.suggestion_id), "")
