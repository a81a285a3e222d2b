"""One run from claim to finish: feeds the guide, keeps what it yields, says how it ended."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final, NoReturn

import orjson
from django.conf import settings
from django.db import DatabaseError, InterfaceError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from pydantic import BaseModel

from chat import events, languages
from chat.events.kinds import Reference
from chat.guides import (
    DraftText,
    Ended,
    GuideEvent,
    Part,
    StageDone,
    StageStarted,
    StateChanged,
    Text,
    TextWithdrawn,
    Turn,
    guide_for,
)
from chat.memory.queries import load
from chat.memory.shapes import CALL, RESULT
from chat.memory.summary import settle
from chat.memory.tokens import count_message
from chat.models import Message, Run, Session
from chat.presenters import presenter_for
from chat.queries import locked_session
from chat.runs.lease import (
    Claim,
    LeaseLost,
    claim,
    held,
    release,
    renew,
    wake_next,
)
from chat.runs.watch import Hold, watched
from chat.runs.writer import ReplyWriter
from chat.zones import place_of
from futura.characters import clean
from futura.errors import FuturaError
from futura.llm import redaction
from futura.llm.cancel import FirstWord, first_word_within
from futura.llm.client import Cancelled, CancelToken, Llm
from futura.llm.database import AWAY, outlasting
from futura.statements import NOW, update
from futura.telemetry.tracing import Observation, turn

PLACES: Final = 3  # while one computes the others wait for the database
LONGEST_WAIT_S: Final = 3.0  # nobody is kept out for good, whatever keeps those inside

_places = threading.BoundedSemaphore(PLACES)


@contextmanager
def turnstile() -> Iterator[None]:
    """Around what begins or ends an answer; not around waiting for a model."""
    has_place = _places.acquire(timeout=LONGEST_WAIT_S)
    try:
        yield
    finally:
        if has_place:
            _places.release()


log = logging.getLogger(__name__)

CHECKPOINT_S: Final = 1.0
CLAIM_PATIENCE_S: Final = 5.0
STEP_PATIENCE_S: Final = 20.0
END_PATIENCE_S: Final = 60.0
"""How long a run waits for a database that is away; an answer that is there is given up last."""

_HOW_MESSAGES_END: Final = {
    Run.Status.COMPLETED: Message.Status.COMPLETE,
    Run.Status.STOPPED: Message.Status.STOPPED,
    Run.Status.FAILED: Message.Status.FAILED,
    Run.Status.INTERRUPTED: Message.Status.INTERRUPTED,
}


def perform(run_id: uuid.UUID) -> None:
    """Does one run. Nothing happens when it is not queued any more; safe to call twice."""
    lease, cancel = uuid.uuid4(), CancelToken()
    try:
        with watched(run_id, lease, cancel) as hold:
            since = time.monotonic()
            with turnstile():
                claimed = outlasting(partial(claim, run_id, lease), patience_s=CLAIM_PATIENCE_S)
            if claimed is not None:
                hold.renewed(since)
                session = claimed.session
                with turn(kind=session.kind, session_id=session.pk, run_id=run_id) as observed:
                    _Performance(claimed, hold, observed).play()
    except LeaseLost:
        log.warning("run %s was taken away while it worked", run_id)
    except (DatabaseError, InterfaceError):
        # how it ended cannot be written; the sweep or the reaper will see the silence
        log.exception("run %s lost the database", run_id)
    finally:
        release()


class _Performance:
    def __init__(self, claimed: Claim, hold: Hold, observed: Observation) -> None:
        self.claim = claimed
        self.observed = observed
        self.hold = hold
        self.run_id = claimed.run_id
        self.lease = claimed.lease
        self.session_id = claimed.session.pk
        self.cancel = hold.cancel
        self.guide = guide_for(claimed.session.kind)
        self.turn: Turn[Any] | None = None
        self.state_before: Mapping[str, Any] = claimed.session.state
        self.continues = claimed.reply.text
        self.writer = ReplyWriter(
            self.session_id,
            claimed.reply.pk,
            claimed.lease,
            said=self.continues,
            may_log=lambda: hold.is_fresh,
        )
        self.beside: dict[uuid.UUID, ReplyWriter] = {}
        self.saved_text = self.continues
        self.parts: list[dict[str, Any]] = list(claimed.reply.parts)
        self.trace: list[dict[str, Any]] = []
        self.basic_mode = False
        self.has_ended = False
        self.first_word = FirstWord()
        self.started = self.saved_at = time.monotonic()

    def play(self) -> None:
        try:
            session = self.claim.session
            place = place_of(session.participant_id)
            own = presenter_for(session.kind).language(session, chosen=place.chosen_language)
            with (
                timezone.override(place.zone),
                translation.override(languages.known(own) or place.language),
                redaction.working_for(self.session_id),
                first_word_within(settings.LLM_FIRST_WORD_S) as self.first_word,
            ):
                self._respond()
            self._finish(Run.Status.COMPLETED)
        except Cancelled:
            if self.hold.is_handed_over:
                self._finish(Run.Status.INTERRUPTED, code="interrupted")
            else:
                self._finish(Run.Status.STOPPED)
        except LeaseLost:
            raise
        except FuturaError as error:
            log.exception("run %s failed", self.run_id)
            self._finish(Run.Status.FAILED, code=error.code, text=str(error))
        except Exception:  # a broken guide must not leave a run that never ends
            log.exception("run %s failed", self.run_id)
            with translation.override(place_of(self.claim.session.participant_id)[1]):
                text = str(FuturaError.default_message)
            self._finish(Run.Status.FAILED, code="error", text=text)

    def _respond(self) -> None:
        with turnstile():
            self.turn = self._prepare()
            release()
        stream = iter(self.guide.respond(self.turn))
        try:
            for event in stream:
                if self.cancel.cancelled:
                    self._end_early(event, stream)
                self._keep(event)
        finally:
            close = getattr(stream, "close", None)
            if close is not None:
                close()
        is_new = self.writer.taken()[0] != self.continues or self.parts != self.claim.reply.parts
        if not is_new and not self.has_ended:
            raise FuturaError(_("Futura could not reply. Your message is saved."))

    def _end_early(self, event: GuideEvent, stream: Iterator[GuideEvent]) -> NoReturn:
        """Keeps what had arrived when the person stopped it, words held back too. Raises Cancelled.

        A guide that a call has told of it yields those words as this event, and raises at the next.
        A run that is handed over keeps nothing more: who goes on with it says that again.
        """
        if not self.hold.is_handed_over:
            self._keep_arrived(event)
            if isinstance(stream, Generator):
                with suppress(StopIteration):
                    self._keep_arrived(stream.throw(Cancelled()))
        raise Cancelled

    def _keep_arrived(self, event: GuideEvent) -> None:
        """Words, and what tells of things done; nothing that begins or ends something."""
        if isinstance(event, Text | Part):
            self._keep(event)

    def _prepare(self) -> Turn[Any]:
        message = self.claim.message
        llm = Llm(session_id=self.session_id, run_id=self.run_id, cancel=self.cancel)
        self.basic_mode = not llm.is_configured
        before = message.seq if message else self.claim.reply.seq
        past = load(self.claim.session, message=message, before=before)
        return Turn(
            session_id=self.session_id,
            run_id=self.run_id,
            message=past.message,
            history=past.messages,
            context=past,
            state=self.guide.state_model.model_validate(self.claim.session.state),
            llm=llm,
            continues=self.continues,
            stages_done=self.claim.stages_done,
        )

    def _keep(self, event: GuideEvent) -> None:
        match event:
            case Text(delta):
                self._text(delta)
            case TextWithdrawn(instead):
                self.writer.withdraw(clean(instead))
            case DraftText(key, delta):
                self._draft_text(key, delta)
            case StageStarted(name, label):
                self._stage_started(name, label)
            case StageDone(name, by, detail):
                self._stage_done(name, by, detail)
            case Part(part, to):
                self._part(dict(part), to)
            case StateChanged(what):
                self._state_changed(what)
            case Ended():
                self.has_ended = True

    def _text(self, delta: str) -> None:
        if delta.strip():
            self.first_word.came()
        self.writer.add(clean(delta))
        if time.monotonic() - self.saved_at >= CHECKPOINT_S:
            self._checkpoint()

    def _draft_text(self, key: uuid.UUID, delta: str) -> None:
        if key not in self.beside:
            self.beside[key] = ReplyWriter(
                self.session_id, key, self.lease, may_log=lambda: self.hold.is_fresh, is_beside=True
            )
        self.beside[key].add(clean(delta))

    def _checkpoint(self) -> None:
        """Saves the text so far; with the database away, the next one does."""
        try:
            self._save()
        except AWAY as error:
            log.warning("run %s goes on unsaved: %s", self.run_id, error)
            self.saved_at = time.monotonic()

    def _save(self, *, parts: bool = False, **changes: Any) -> None:
        """Writes changes of the run and what the reply has got since; readers that missed some of
        it are sent to look. Raises LeaseLost.
        """
        text, cursor = self.writer.taken()
        missed, self.writer.has_hole = self.writer.has_hole, False
        fresh: dict[str, Any] = {"parts": self.parts} if parts else {}
        if text != self.saved_text:
            fresh["text"] = text
            changes["log_cursor"] = cursor
        since = time.monotonic()
        try:
            if fresh:
                with held(self.run_id, self.lease, **changes):
                    update(Message, {"pk": self.claim.reply.pk}, **fresh)
            else:
                renew(self.run_id, self.lease, soon=True, **changes)
        except AWAY:
            self.writer.has_hole = missed
            raise
        self.hold.renewed(since)
        self.saved_at, self.saved_text = time.monotonic(), text
        if missed:
            events.append(self.session_id, Reference("message", str(self.claim.reply.pk)))

    def _stage_started(self, name: str, label: str) -> None:
        self.observed.stage_started(name)
        self.trace.append({"name": name, "label": label, "at_ms": self._elapsed_ms()})
        self._surely(partial(self._save, stage=label[:200], trace=self.trace))
        events.append(self.session_id, Reference("stage", str(self.run_id), len(self.trace)))

    def _surely(self, write: Callable[[], None]) -> None:
        """A write that the run does not go on without."""
        outlasting(write, patience_s=STEP_PATIENCE_S)

    def _stage_done(self, name: str, by: str, detail: Mapping[str, Any]) -> None:
        self.observed.stage_done(name, by)
        open_ones = [step for step in self.trace if step["name"] == name and "by" not in step]
        fresh: dict[str, Any] = {"name": name, "at_ms": self._elapsed_ms()}
        step = open_ones[-1] if open_ones else fresh
        if not open_ones:
            self.trace.append(step)
        step.update(by=by, took_ms=self._elapsed_ms() - step["at_ms"], detail=_plain(detail))
        self.basic_mode = self.basic_mode or bool(detail.get("fallback"))

    def _part(self, part: dict[str, Any], to: str) -> None:
        if to == "message" and self.claim.message is not None:
            message = self.claim.message
            message.parts = [*message.parts, part]
            self._surely(self._save_message)
            events.append(self.session_id, Reference("message", str(message.pk)))
            return
        if part.get("type") not in {CALL, RESULT}:  # which nobody sees
            self.first_word.came()
        self.parts.append(part)
        self._surely(partial(self._save, parts=True))
        events.append(self.session_id, Reference("part", str(self.claim.reply.pk), len(self.parts)))

    def _save_message(self) -> None:
        message = self.claim.message
        if message is not None:
            with held(self.run_id, self.lease):
                update(Message, {"pk": message.pk}, parts=message.parts)

    def _state_changed(self, what: str) -> None:
        self._surely(self._save_state)
        events.append(self.session_id, Reference(what, str(self.session_id)))

    def _save_state(self) -> None:
        with held(self.run_id, self.lease, locking=self.session_id, trace=self.trace) as session:
            if session is None:
                raise LeaseLost
            session.state = self._state(session.state)
            session.save(update_fields=["state", "updated_at"])
        self.state_before = session.state

    def _state(self, saved: Mapping[str, Any]) -> dict[str, Any]:
        """The guide's state to save; `saved` is what stands there now, under lock."""
        if self.turn is None:
            return dict(saved)
        state: BaseModel = self.guide.merge_saved(
            before=self.state_before, saved=saved, state=self.turn.state
        )
        return state.model_dump(mode="json", by_alias=True)

    def _finish(self, status: Run.Status, *, code: str = "", text: str = "") -> None:
        """Writes how it ended, tells the log, wakes the next one. Raises LeaseLost."""
        write = partial(self._write_end, status, code=code, text=text)
        with turnstile():
            outlasting(write, patience_s=END_PATIENCE_S)
        self.observed.ended(status, basic_mode=self.basic_mode, error=code)

    def _write_end(self, status: Run.Status, *, code: str, text: str) -> None:
        said, cursor = self.writer.taken()
        completed = status == Run.Status.COMPLETED
        with transaction.atomic():
            session = locked_session(self.session_id)
            if session is None:
                raise LeaseLost
            ended = completed and self.has_ended
            self._tell(ended=ended)
            if not self._close_run(status, code=code, text=text, cursor=cursor):
                return  # written before by this very run, which did not learn of the commit
            update(
                Message,
                {"pk": self.claim.reply.pk},
                text=said,
                parts=self.parts,
                status=_HOW_MESSAGES_END[status],
                token_count=count_message(said, self.parts),
            )
            settle(session, ended=ended)
            if completed:
                session.state = self._state(session.state)
            if ended:
                session.status = Session.Status.ENDED
            update(
                Session,
                {"pk": session.pk},
                state=session.state,
                status=session.status,
                token_count=session.token_count,
                updated_at=timezone.now(),
            )
            if ended:
                self.guide.ended(self.session_id)
        release()

    def _close_run(self, status: Run.Status, *, code: str, text: str, cursor: str) -> bool:
        """True the first time; False when it stands there already. Raises LeaseLost."""
        claimed = {"pk": self.run_id, "lease": self.lease}
        changed = update(
            Run,
            {**claimed, "status": Run.Status.RUNNING},
            status=status,
            stage="",
            trace=self.trace,
            basic_mode=self.basic_mode,
            log_cursor=cursor,
            error_code=code,
            error_text=text,
            finished_at=NOW,
        )
        if not changed and not Run.objects.filter(**claimed, status=status).exists():
            raise LeaseLost
        return bool(changed)

    def _tell(self, *, ended: bool) -> None:
        news = [
            Reference("message", str(self.claim.reply.pk)),
            Reference("run", str(self.run_id)),
        ]
        if ended:
            news.append(Reference("ended", str(self.session_id)))
        transaction.on_commit(partial(events.append, self.session_id, *news))
        transaction.on_commit(partial(wake_next, self.session_id), robust=True)

    def _elapsed_ms(self) -> int:
        return round((time.monotonic() - self.started) * 1000)


def _plain(detail: Mapping[str, Any]) -> dict[str, Any]:
    normalized: dict[str, Any] = orjson.loads(orjson.dumps(dict(detail), default=str))
    return normalized
