"""One run from claim to finish: feeds the guide, keeps what it yields, says how it ended."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, NoReturn

import orjson
from django.conf import settings
from django.db import DatabaseError, InterfaceError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from opentelemetry.trace import Span
from pydantic import BaseModel

from chat import events, hot, languages
from chat.events.kinds import Reference, ReplyStart
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
from chat.memory.summary import summarise_when_due
from chat.memory.tokens import count_message
from chat.models import Message, Run, Session
from chat.presenters import presenter_for
from chat.runs.lease import (
    Claim,
    LeaseLost,
    claim,
    held,
    release,
    wake_next,
    wake_worker,
)
from chat.runs.lease_renewal import Hold, watched
from chat.runs.writer import ReplyWriter
from futura.characters import clean
from futura.errors import FuturaError
from futura.llm import redaction, server
from futura.llm.cancel import FirstWord, first_word_within
from futura.llm.client import Cancelled, CancelToken, Llm
from futura.llm.database import AWAY, outlasting
from futura.telemetry.tracing import ended, turn

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


def perform(run_id: uuid.UUID, after: str = "") -> None:
    """Does one run. Nothing happens when it is not queued any more; safe to call twice.

    `after` is a place in the log before all that it will say, where one is known.
    """
    lease, cancel = uuid.uuid4(), CancelToken()
    try:
        with watched(run_id, lease, cancel) as hold:
            since = time.monotonic()
            claimed = outlasting(partial(claim, run_id, lease, after), patience_s=CLAIM_PATIENCE_S)
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
    def __init__(self, claimed: Claim, hold: Hold, observed: Span) -> None:
        self.claim = claimed
        self.observed = observed
        self.hold = hold
        self.run_id = claimed.run_id
        self.lease = claimed.lease
        self.holder = hot.Holder(claimed.run_id, claimed.lease)
        self.session_id = claimed.session.pk
        self.cancel = hold.cancel
        self.guide = guide_for(claimed.session.kind)
        self.turn: Turn[Any] | None = None
        self.state_before: Mapping[str, Any] = claimed.session.state
        self.writer = ReplyWriter(
            self.session_id,
            claimed.reply.pk,
            claimed.lease,
            may_log=lambda: hold.is_fresh,
        )
        self.beside: dict[uuid.UUID, ReplyWriter] = {}
        self.saved_text = ""
        self.parts: list[dict[str, Any]] = []
        self.trace: list[dict[str, Any]] = []
        self.stage = ""
        self.basic_mode = False
        self.is_announced = False
        self.has_ended = False
        self.first_word = FirstWord()
        self.started = self.saved_at = time.monotonic()

    def play(self) -> None:
        try:
            session = self.claim.session
            place = self.claim.place
            first_word_s = settings.LLM_FIRST_WORD_S * server.current().patience
            own = presenter_for(session.kind).language(session, chosen=place.chosen_language)
            with (
                timezone.override(place.zone),
                translation.override(languages.known(own) or place.language),
                redaction.working_for(self.session_id, session.kind),
                first_word_within(first_word_s) as self.first_word,
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
            with translation.override(self.claim.place.language):
                text = str(FuturaError.default_message)
            self._finish(Run.Status.FAILED, code="error", text=text)

    def _respond(self) -> None:
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
        if not (self.writer.text or self.parts or self.has_ended):
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
        if not self.is_announced:
            self._announce()  # its place on the page comes before its words
        self.writer.add(clean(delta))
        if time.monotonic() - self.saved_at >= CHECKPOINT_S:
            self._checkpoint()

    def _draft_text(self, key: uuid.UUID, delta: str) -> None:
        if not self.is_announced:
            self._announce()
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

    def _save(self, *, parts: bool = False, stage: str | None = None) -> None:
        """Writes what the run does and what the reply has got since; readers that missed some of
        it are sent to look. Raises LeaseLost.
        """
        text, cursor = self.writer.text, str(self.writer.cursor or "")
        missed, self.writer.has_hole = self.writer.has_hole, False
        is_new = text != self.saved_text
        trace = None if stage is None else self.trace
        since = time.monotonic()
        try:
            if parts or is_new:
                is_held = self.holder.save_message(
                    self.claim.reply.pk,
                    text=text if is_new else None,
                    parts=self.parts if parts else None,
                    cursor=cursor if is_new else None,
                    stage=stage,
                    trace=trace,
                )
            else:
                is_held = self.holder.renew(stage=stage, trace=trace)
        except AWAY:
            self.writer.has_hole = missed
            raise
        if not is_held:
            raise LeaseLost
        self.hold.renewed(since)
        self.saved_at, self.saved_text = time.monotonic(), text
        if missed:
            self._announce(Reference("message", str(self.claim.reply.pk)))

    def _stage_started(self, name: str, label: str) -> None:
        self.trace.append({"name": name, "label": label, "at_ms": self._elapsed_ms()})
        self.stage = label[:200]
        self._surely(partial(self._save, stage=self.stage))
        if self.is_announced:
            self._announce(Reference("stage", str(self.run_id), len(self.trace)))
        else:
            self._announce()  # the reply is shown with its stage

    def _surely(self, write: Callable[[], None]) -> None:
        """A write that the run does not go on without."""
        outlasting(write, patience_s=STEP_PATIENCE_S)

    def _stage_done(self, name: str, by: str, detail: Mapping[str, Any]) -> None:
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
            self._announce(Reference("message", str(message.pk)))
            return
        if part.get("type") not in {CALL, RESULT}:  # which nobody sees
            self.first_word.came()
        self.parts.append(part)
        self._surely(partial(self._save, parts=True))
        self._announce(Reference("part", str(self.claim.reply.pk), len(self.parts)))

    def _save_message(self) -> None:
        message = self.claim.message
        if message is not None and not self.holder.save_message(message.pk, parts=message.parts):
            raise LeaseLost

    def _state_changed(self, what: str) -> None:
        self._surely(self._save_state)
        self._announce(Reference(what, str(self.session_id)))

    def _save_state(self) -> None:
        """Writes the state, merged with what was changed from outside meanwhile."""
        before, state = self.state_before, self._state(self.state_before)
        if self.holder.save_state(self.session_id, state=state, before=before, trace=self.trace):
            self.state_before = state
            return
        with held(self.run_id, self.lease, locking=self.session_id) as session:
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
        outlasting(write, patience_s=END_PATIENCE_S)
        ended(self.observed, status, basic_mode=self.basic_mode, error=code)

    def _write_end(self, status: Run.Status, *, code: str, text: str) -> None:
        reply = self.writer.text
        completed = status == Run.Status.COMPLETED
        has_ended = completed and self.has_ended
        with transaction.atomic():
            session = hot.locked_session(self.session_id)
            if session is None:
                raise LeaseLost
            end = hot.End(
                status=status,
                message_status=_HOW_MESSAGES_END[status],
                text=reply,
                parts=self.parts,
                tokens=count_message(reply, self.parts),
                trace=self.trace,
                basic_mode=self.basic_mode,
                cursor=str(self.writer.cursor or ""),
                error_code=code,
                error_text=text,
                state=self._state(session.state) if completed else None,
                session_status=Session.Status.ENDED if has_ended else session.status,
            )
            written = self.holder.end(session, end)
            transaction.on_commit(partial(self._tell_end, has_ended=has_ended))
            if written is None:
                same = Run.objects.filter(pk=self.run_id, lease=self.lease, status=status)
                if not same.exists():
                    raise LeaseLost
                # written before by this very run, which did not learn of the commit
                transaction.on_commit(partial(wake_next, self.session_id), robust=True)
                return
            size, following = written
            if following is not None:
                transaction.on_commit(partial(wake_worker, following), robust=True)
            summarise_when_due(session, size, ended=has_ended)
            if has_ended:
                self.guide.ended(self.session_id)
        release()

    def _tell_end(self, *, has_ended: bool) -> None:
        references = [
            Reference("message", str(self.claim.reply.pk)),
            Reference("run", str(self.run_id)),
        ]
        if has_ended:
            references.append(Reference("ended", str(self.session_id)))
        self.is_announced = True
        self._announce(*references)

    def _announce(self, *references: Reference) -> None:
        """Tells the log, and first of all that the run has begun, where nothing has told it yet."""
        if not self.is_announced:
            self.is_announced = True
            references = (Reference("run", str(self.run_id), start=self._start()), *references)
        events.append(self.session_id, *references)

    def _start(self) -> ReplyStart | None:
        reply = self.claim.reply
        if reply.text or reply.parts or self.parts:
            return None
        return ReplyStart(reply.pk, reply.seq, self.lease, self.stage)

    def _elapsed_ms(self) -> int:
        return round((time.monotonic() - self.started) * 1000)


def _plain(detail: Mapping[str, Any]) -> dict[str, Any]:
    normalized: dict[str, Any] = orjson.loads(orjson.dumps(dict(detail), default=str))
    return normalized
