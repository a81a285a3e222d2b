"""The statements that every turn waits for, written out: a dozen texts, each with its reason.

With the plain ORM in their place the first token of 40 answers begun at once came twice as late
(p95 1,099 ms against 550): compiling a query costs more than running it. Where several rows change
together one statement changes them, so that a turn costs the database 18 statements in place of 39
(`tests/chat/test_turn_cost.py` counts them). Everything else uses the ORM.

What a function gives are the models' own objects, as `Model.from_db` makes them.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.utils import timezone

from chat.memory.shapes import Utterance
from chat.models import Message, Participant, Run, Session
from futura.characters import clean_json
from futura.statements import SOON, Columns, rows


def _json(value: object) -> str | None:
    return None if value is None else clean_json(json.dumps(value))


_SESSION: Final = Columns.of(Session, "s")
_MESSAGE: Final = Columns.of(Message, "m")
_RUN: Final = Columns.of(Run, "r", without=("state_before", "trace"))  # long, and no page shows it

# A person's message ---------------------------------------------------------------------------

# Asked by every door of a conversation: whether it is the caller's.
_OWNED: Final = f"""
    SELECT {_SESSION.sql} FROM chat_session s
    WHERE id = %(session)s AND participant_id = ANY(%(people)s::uuid[])
"""  # noqa: S608 - constants, as in all of this module


def owned_session(session_id: uuid.UUID | str, people: Sequence[uuid.UUID]) -> Session | None:
    values = {"session": uuid.UUID(str(session_id)), "people": list(people)}
    return next((_SESSION.read(row) for row in rows(_OWNED, values)), None)


# Asked by every page and socket of somebody without an account: whose cookie it is.
_BY_KEY: Final = """
    SELECT id, time_zone, language, is_language_chosen FROM chat_participant
    WHERE key_hash = %s AND user_id IS NULL
"""
PERSON: Final = ("id", "time_zone", "language", "is_language_chosen")
"""What is read of who asks, in the order of the model."""


def participant_by_key(key_hash: str) -> Participant | None:
    """Nobody's participant with this key; with an account it is reached by signing in only."""
    people = rows(_BY_KEY, [key_hash])
    return Participant.from_db("default", PERSON, people[0]) if people else None


# Taken by whatever changes how a conversation stands: sending, ending, a changed state.
_LOCKED: Final = f"SELECT {_SESSION.sql} FROM chat_session s WHERE id = %s FOR UPDATE"  # noqa: S608


def locked_session(session_id: uuid.UUID) -> Session | None:
    """A session with its row locked until the transaction ends; None when it is gone."""
    return next((_SESSION.read(row) for row in rows(_LOCKED, [session_id])), None)


# A person's sending is taken one after the other, so that their limit holds over all their
# conversations: first the session is locked, then the person. What stands there then is read by a
# statement of its own, since one that waits for a lock reads what stood there before.
_LOCKED_TO_SEND: Final = f"""
    SELECT {_SESSION.sql}, pg_advisory_xact_lock({0x46757433}, hashtext(s.participant_id::text))
    FROM (SELECT * FROM chat_session WHERE id = %s FOR UPDATE) s
"""  # noqa: S608 (any fixed number: the advisory locks of persons)
_OPEN_RUNS: Final = """
    SELECT r.session_id FROM chat_run r JOIN chat_session s ON s.id = r.session_id
    WHERE s.participant_id = %s AND r.status IN ('queued', 'running')
"""


def locked_to_send(session_id: uuid.UUID) -> Session | None:
    """`locked_session`, whose person can add no run anywhere until the transaction ends."""
    return next((_SESSION.read(row) for row in rows(_LOCKED_TO_SEND, [session_id])), None)


def sessions_at_work(participant_id: uuid.UUID) -> list[uuid.UUID]:
    """The session of each open run of a person."""
    return [session_id for (session_id,) in rows(_OPEN_RUNS, [participant_id])]


# A message, its run and the emptied draft, which all stand or none: three statements in one. The
# same client id a second time gives no row. The place is right, since the session is locked.
_SEND: Final = """
    WITH message AS (
        INSERT INTO chat_message
            (id, session_id, seq, role, text, parts, status, client_id, token_count, created_at)
        SELECT %(message)s, %(session)s, coalesce(max(seq), 0) + 1, 'user', %(text)s,
            %(parts)s::jsonb, %(status)s, %(client)s::uuid, %(tokens)s, %(now)s
        FROM chat_message WHERE session_id = %(session)s
        ON CONFLICT (session_id, client_id) WHERE client_id IS NOT NULL DO NOTHING
        RETURNING id, seq),
    run AS (
        INSERT INTO chat_run (id, session_id, cause, message_id, status, attempt, basic_mode,
            state_before, trace, stage, log_cursor, error_code, error_text)
        SELECT %(run)s, %(session)s, 'sent', id, 'queued', 0, false, '{}'::jsonb,
            '[]'::jsonb, '', '', '', ''
        FROM message RETURNING created_at),
    emptied AS (
        UPDATE chat_session SET draft = '', updated_at = %(now)s
        WHERE id = %(session)s AND EXISTS (SELECT FROM message))
    SELECT message.seq, run.created_at FROM message, run
"""


def send(message: Message, run: Run) -> bool:
    """Inserts a new message and its run, and empties the draft of their session, which is locked.

    False, and nothing is written, when the message's client id is known.
    """
    values = {
        "message": message.pk,
        "session": message.session_id,
        "text": message.text,
        "parts": _json(message.parts),
        "status": str(message.status),
        "client": message.client_id,
        "tokens": message.token_count,
        "now": message.created_at,
        "run": run.pk,
    }
    written = rows(_SEND, values)
    for message.seq, run.created_at in written:
        message._state.adding = run._state.adding = False  # noqa: SLF001 (what the ORM does)
    return bool(written)


# A run at work -------------------------------------------------------------------------------

# What a run must know before it begins, in one: whose it is, how the conversation stands.
_LOCK_FOR_RUN: Final = f"""
    SELECT {_SESSION.sql}, p.time_zone, p.language, p.is_language_chosen
    FROM chat_session s JOIN chat_participant p ON p.id = s.participant_id
    WHERE s.id = (SELECT session_id FROM chat_run WHERE id = %(run)s
        AND (status = 'queued' OR status = 'running' AND lease = %(lease)s))
    FOR UPDATE OF s
"""  # noqa: S608


class Owner(NamedTuple):
    """What is known of a session's person: where they are and how they are spoken to."""

    time_zone: str
    language: str
    is_language_chosen: bool


def session_of_run(run_id: uuid.UUID, lease: uuid.UUID) -> tuple[Session, Owner] | None:
    """The session of a queued run, or of one under this lease, with its row locked."""
    for row in rows(_LOCK_FOR_RUN, {"run": run_id, "lease": lease}):
        return _SESSION.read(row), Owner(*_SESSION.after(row))
    return None


# The first in line of a session that is not at work, its reply where it has none yet, and
# the place of a message that waited: six statements in one. Needs the session's row locked. A claim
# that a crash of the database forgets leaves the run in the queue, for whoever comes next.
_CLAIM: Final = f"""
    WITH r AS (
        UPDATE chat_run SET
            status = 'running', lease = %(lease)s, attempt = attempt + (status = 'queued')::int,
            reply_id = coalesce(reply_id, %(reply)s), log_cursor = %(cursor)s,
            started_at = statement_timestamp(), heartbeat_at = statement_timestamp(),
            state_before = (SELECT state FROM chat_session WHERE id = chat_run.session_id)
        WHERE id = %(run)s AND (status = 'running' AND lease = %(lease)s
            OR status = 'queued' AND NOT EXISTS (
                SELECT FROM chat_run other WHERE other.session_id = chat_run.session_id AND (
                    other.status = 'running'
                    OR other.status = 'queued' AND other.created_at < chat_run.created_at)))
        RETURNING *),
    last AS (
        SELECT coalesce(max(seq), 0) AS seq FROM chat_message
        WHERE session_id = (SELECT session_id FROM r)),
    moved AS (
        UPDATE chat_message SET status = 'complete', seq = (SELECT seq + 1 FROM last)
        WHERE id = (SELECT message_id FROM r) AND status = 'queued' RETURNING seq),
    reply AS (
        INSERT INTO chat_message
            (id, session_id, seq, role, text, parts, status, token_count, created_at)
        SELECT %(reply)s, session_id, (SELECT seq + 1 FROM last) + (SELECT count(*) FROM moved),
            'assistant', '', '[]'::jsonb, 'streaming', 0, %(now)s
        FROM r WHERE reply_id = %(reply)s RETURNING seq)
    SELECT {_RUN.sql}, (SELECT seq FROM reply), (SELECT seq FROM moved), {SOON}, {_MESSAGE.sql}
    FROM r LEFT JOIN chat_message m ON m.id = r.message_id
"""  # noqa: S608


class Claimed(NamedTuple):
    """A run that was claimed with its message; `reply` is None where it had been made before.

    `has_waited`: the message waited, and came to its place only now.
    """

    run: Run
    message: Message | None
    reply: Message | None
    has_waited: bool


def claim(run_id: uuid.UUID, lease: uuid.UUID, cursor: str) -> Claimed | None:
    """Takes a run of a locked session under a lease; the same again for one that has it already."""
    reply = Message(
        role=Message.Role.ASSISTANT, status=Message.Status.STREAMING, created_at=timezone.now()
    )
    values = {
        "run": run_id,
        "lease": lease,
        "cursor": cursor,
        "reply": reply.pk,
        "now": reply.created_at,
    }
    for row in rows(_CLAIM, values):
        run: Run = _RUN.read(row)
        reply_seq, moved_to, _soon, *others = _RUN.after(row)
        message: Message | None = _MESSAGE.read(others)
        if message is not None and moved_to is not None:
            message.seq, message.status = moved_to, Message.Status.COMPLETE
        if reply_seq is not None:
            reply.seq, reply.session_id = reply_seq, run.session_id
            reply._state.adding = False  # noqa: SLF001 (what the ORM does)
        is_new = reply_seq is not None
        return Claimed(run, message, reply if is_new else None, moved_to is not None)
    return None


# Every later write of a run needs its lease and is a sign of life.
_RENEW: Final = """
    UPDATE chat_run SET heartbeat_at = statement_timestamp(), stage = coalesce(%(stage)s, stage),
        trace = coalesce(%(trace)s::jsonb, trace), log_cursor = coalesce(%(cursor)s, log_cursor)
    WHERE id = %(run)s AND lease = %(lease)s AND status = 'running' RETURNING 1
"""
_RENEW_SOON: Final = f"{_RENEW}, {SOON}"  # a stage is shown, and missed by nobody
_SAVE_MESSAGE: Final = f"""
    WITH held AS ({_RENEW})
    UPDATE chat_message SET text = coalesce(%(text)s, text),
        parts = coalesce(%(parts)s::jsonb, parts)
    WHERE id = %(message)s AND EXISTS (SELECT FROM held) RETURNING 1
"""  # noqa: S608
# The session before the run, as everybody locks them; a state that was changed from outside since
# gives no row, and is merged.
_SAVE_STATE: Final = """
    WITH s AS (SELECT id FROM chat_session WHERE id = %(session)s FOR UPDATE),
    held AS (
        UPDATE chat_run SET heartbeat_at = statement_timestamp(), trace = %(trace)s::jsonb
        WHERE id = %(run)s AND lease = %(lease)s AND status = 'running'
            AND session_id = (SELECT id FROM s) RETURNING 1)
    UPDATE chat_session SET state = %(state)s::jsonb, updated_at = statement_timestamp()
    WHERE id = %(session)s AND state = %(before)s::jsonb AND EXISTS (SELECT FROM held) RETURNING 1
"""
# What counts as said: nothing that still waits or grows, no answer that failed or broke off.
_IS_SAID: Final = """
    (role = 'user' AND status = 'complete'
     OR role = 'assistant' AND status IN ('complete', 'stopped'))
"""
# A third of the characters and a little: for messages of somebody who does not count.
_SIZE: Final = """
    SELECT coalesce(sum(tokens), 0) AS tokens,
        coalesce(sum(tokens) FILTER (WHERE seq > covered), 0) AS uncovered_tokens,
        count(*) FILTER (WHERE seq > covered) AS uncovered
    FROM (SELECT seq, covered, CASE WHEN token_count > 0 THEN token_count
        ELSE length(text) / 3 + 4 END AS tokens FROM said) AS counted
"""
_SIZE_OF: Final = f"""
    WITH said AS (
        SELECT seq, text, token_count, %(covered)s AS covered FROM chat_message
        WHERE session_id = %(session)s AND superseded_at IS NULL AND {_IS_SAID})
    {_SIZE}
"""  # noqa: S608
# The end of a turn: run, reply, session and what it has grown to, and who is next in line. Five
# statements in one; needs the session's row locked.
_END: Final = f"""
    WITH run AS (
        UPDATE chat_run SET status = %(status)s, stage = '', trace = %(trace)s::jsonb,
            basic_mode = %(basic_mode)s, log_cursor = %(cursor)s, error_code = %(error_code)s,
            error_text = %(error_text)s, finished_at = statement_timestamp()
        WHERE id = %(run)s AND lease = %(lease)s AND status = 'running' RETURNING reply_id),
    reply AS (
        UPDATE chat_message SET text = %(text)s, parts = %(parts)s::jsonb,
            status = %(message_status)s, token_count = %(tokens)s
        WHERE id = (SELECT reply_id FROM run) RETURNING *),
    said AS (
        SELECT seq, text, token_count, %(covered)s AS covered FROM (
            SELECT * FROM chat_message WHERE session_id = %(session)s
                AND id <> (SELECT reply_id FROM run)
            UNION ALL SELECT * FROM reply) AS now
        WHERE superseded_at IS NULL AND {_IS_SAID}),
    size AS ({_SIZE})
    UPDATE chat_session SET state = coalesce(%(state)s::jsonb, state), status = %(session_status)s,
        token_count = size.tokens, updated_at = statement_timestamp()
    FROM size WHERE id = %(session)s AND EXISTS (SELECT FROM run)
    RETURNING size.tokens, size.uncovered_tokens, size.uncovered, (
        SELECT id FROM chat_run WHERE session_id = %(session)s AND status = 'queued'
        ORDER BY created_at LIMIT 1)
"""  # noqa: S608


@dataclass(frozen=True)
class Size:
    """How much was said on the current branch, and how much of it is in no summary yet."""

    tokens: int
    uncovered_tokens: int
    uncovered: int


def size_of(session: Session) -> Size:
    values = {"session": session.pk, "covered": session.summary_seq}
    return Size(*map(int, rows(_SIZE_OF, values)[0]))


@dataclass(frozen=True)
class End:
    """How a run ended; `state` is None where the session keeps its own."""

    status: Run.Status
    message_status: Message.Status
    text: str
    parts: Sequence[Any]
    tokens: int
    trace: Sequence[Any]
    basic_mode: bool
    cursor: str
    error_code: str
    error_text: str
    state: object
    session_status: str


@dataclass(frozen=True)
class Holder:
    """A run and the lease under which its worker may write; what it writes is a sign of life.

    Every write says whether it was written: it is not when the lease is lost.
    """

    run_id: uuid.UUID
    lease: uuid.UUID

    def renew(self, *, stage: str | None = None, trace: Sequence[Any] | None = None) -> bool:
        """Writes what the run does now; nobody waits for the disk."""
        return bool(rows(_RENEW_SOON, self._values(stage=stage, trace=_json(trace), cursor=None)))

    def save_message(
        self,
        message_id: uuid.UUID,
        *,
        text: str | None = None,
        parts: Sequence[Any] | None = None,
        cursor: str | None = None,
        stage: str | None = None,
        trace: Sequence[Any] | None = None,
    ) -> bool:
        """Writes what is not None of a message and of the run."""
        run = self._values(stage=stage, trace=_json(trace), cursor=cursor)
        return bool(
            rows(_SAVE_MESSAGE, {**run, "message": message_id, "text": text, "parts": _json(parts)})
        )

    def save_state(
        self, session_id: uuid.UUID, *, state: object, before: object, trace: Sequence[Any]
    ) -> bool:
        """Writes a session's state where `before` still stands there."""
        values = {"state": _json(state), "before": _json(before), "trace": _json(trace)}
        return bool(rows(_SAVE_STATE, self._values(session=session_id, **values)))

    def end(self, session: Session, end: End) -> tuple[Size, uuid.UUID | None] | None:
        """Ends the run; gives what its session, which is locked, has grown to, and the next run.

        None when the lease is lost, or the run ended before.
        """
        as_json = {name: _json(getattr(end, name)) for name in ("trace", "parts", "state")}
        values = vars(end) | as_json | {"session": session.pk, "covered": session.summary_seq}
        values |= {name: str(values[name]) for name in values if name.endswith("status")}
        return next((_grown(row) for row in rows(_END, self._values(**values))), None)

    def _values(self, **others: Any) -> dict[str, Any]:
        return {"run": self.run_id, "lease": self.lease, **others}


def _grown(row: Sequence[Any]) -> tuple[Size, uuid.UUID | None]:
    *size, following = row
    return Size(*map(int, size)), following


# What a prompt has of the past: two index scans, and the words of the newest only.
_RECENT: Final = f"""
    SELECT seq, role, text, id, parts, token_count, superseded_at, created_at FROM chat_message
    WHERE session_id = %(session)s AND seq > %(after)s AND seq < %(before)s AND {_IS_SAID}
    ORDER BY seq DESC LIMIT %(limit)s
"""  # noqa: S608
_AND_KNOWN: Final = f"""
    ({_RECENT}) UNION ALL
    SELECT seq, role, '', id, '[]', token_count, NULL, created_at FROM chat_message
    WHERE id = ANY(%(known)s) AND session_id = %(session)s AND seq <= %(after)s
        AND superseded_at IS NULL AND {_IS_SAID}
"""  # noqa: S608


def recent(
    session_id: uuid.UUID,
    *,
    after: int,
    before: int,
    limit: int,
    known: Collection[uuid.UUID] = (),
) -> list[Utterance]:
    """The newest `limit` messages said in between, replaced ones included, newest first; behind
    them those of `known` that still stand, without their words.
    """
    values = {
        "session": session_id,
        "after": after,
        "before": before,
        "limit": limit,
        "known": list(known),
    }
    return [
        Utterance(role, text, message_id, tuple(json.loads(parts)), seq, tokens, *moments)
        for seq, role, text, message_id, parts, tokens, *moments in rows(
            _AND_KNOWN if known else _RECENT, values
        )
    ]


# A page -------------------------------------------------------------------------------------

# Read for every news of a turn: how a conversation stands, and the runs that explain its messages.
# They are those of these messages, the named ones with all of the same message, open ones, and the
# newest; one whose message was taken back or reworded counts as never asked for.
_STANDING: Final = f"""
    SELECT {_SESSION.sql}, {_RUN.sql}
    FROM chat_session s LEFT JOIN chat_run r ON r.session_id = s.id AND (
        r.status IN ('queued', 'running')
        OR r.reply_id = ANY(%(messages)s::uuid[]) OR r.message_id = ANY(%(messages)s::uuid[])
        OR r.id = ANY(%(runs)s::uuid[])
        OR r.message_id IN (SELECT message_id FROM chat_run WHERE id = ANY(%(runs)s::uuid[]))
        OR r.id = (
            SELECT newest.id FROM chat_run newest
            LEFT JOIN chat_message asked ON asked.id = newest.message_id
            WHERE newest.session_id = %(session)s AND asked.superseded_at IS NULL
            ORDER BY newest.created_at DESC LIMIT 1))
    WHERE s.id = %(session)s ORDER BY r.created_at
"""  # noqa: S608


def standing(
    session_id: uuid.UUID,
    *,
    messages: Sequence[uuid.UUID] = (),
    runs: Sequence[uuid.UUID] = (),
) -> tuple[Session, list[Run]]:
    """A session as it stands, and its runs around these, oldest first. Session.DoesNotExist."""
    values = {"session": session_id, "messages": list(messages), "runs": list(runs)}
    result = rows(_STANDING, values)
    if not result:
        raise Session.DoesNotExist
    read = [_RUN.read(_SESSION.after(row)) for row in result]
    return _SESSION.read(result[0]), [run for run in read if run is not None]


# Messages as their owner's page shows them: with what they said of an answer.
_DISPLAYED: Final = f"""
    SELECT {_MESSAGE.sql}, (
        SELECT json_build_object(
            'rating', f.rating, 'reasons', f.reasons, 'comment', f.comment)::text
        FROM chat_feedback f JOIN chat_session s ON s.id = m.session_id
        WHERE f.message_id = m.id AND f.participant_id = s.participant_id LIMIT 1)
    FROM chat_message m
    WHERE m.session_id = %(session)s AND m.superseded_at IS NULL AND m.id = ANY(%(ids)s::uuid[])
    ORDER BY m.seq
"""  # noqa: S608


def displayed(session_id: uuid.UUID, ids: Sequence[uuid.UUID]) -> list[Message]:
    """These messages but for replaced ones, in order; `rated` is what their owner said of each."""
    result = []
    for row in rows(_DISPLAYED, {"session": session_id, "ids": list(ids)}) if ids else ():
        message = _MESSAGE.read(row)
        (rated,) = _MESSAGE.after(row)
        message.rated = json.loads(rated) if rated else None
        result.append(message)
    return result
