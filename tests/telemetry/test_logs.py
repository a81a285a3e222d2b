"""Log lines: whose they are, in both formats, and that nothing anybody said stands in them."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import DatabaseError
from django.utils.module_loading import import_string
from psycopg.errors import DiskFull
from pydantic import BaseModel, TypeAdapter, ValidationError
from redis.exceptions import ResponseError

from chat import actions
from chat.models import Message, Session
from chat.queries import session_for
from futura import logs
from futura.errors import ModelUnavailable
from futura.llm import loop
from futura.llm.client import Parallel
from futura.llm.models import ModelCall
from futura.llm.outcomes import CallFailed, Outcome
from tasks.actions import start_survey

SECRET = "zirconium heirlooms"
SAID = f"I polish {SECRET} for a museum and write reports about {SECRET}"
log = logging.getLogger("tests.telemetry")


@contextmanager
def written_as(form: str, settings) -> Iterator[Callable[[], str]]:
    """What the product's own handler writes at INFO and above inside."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    formatter = settings.LOGGING["formatters"][form]
    assert formatter["contents"] is False
    handler.setFormatter(import_string(formatter["()"])(contents=False))
    for name in settings.LOGGING["handlers"]["console"]["filters"]:
        handler.addFilter(import_string(settings.LOGGING["filters"][name]["()"])())
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    yield stream.getvalue
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture(params=["text", "json"])
def written(request, settings) -> Iterator[Callable[[], str]]:
    """What is written, in each format."""
    with written_as(request.param, settings) as said:
        yield said


@pytest.fixture
def say(alice, participant_of, identity_for, drain):
    """Says something in a survey of alice's and lets it be answered; the run."""
    response = start_survey(participant=participant_of(alice), job_title="Conservator")
    drain()

    def said(text: str):
        identity = identity_for(alice)
        session = session_for(identity, response.pk)
        run = actions.send_message(identity=identity, session=session, text=text)
        drain()
        run.refresh_from_db()
        return run

    return said


def ids_of(line: str) -> dict[str, str]:
    """The ids of a line in either format."""
    if line.startswith("{"):
        found = json.loads(line)
        return {name: found[name] for name in ("run_id", "session_id") if name in found}
    where = line.rpartition("[")[2].rstrip("]").split()
    named = dict(part.split("=", 1) for part in where if "=" in part)
    return {f"{name}_id": named[name] for name in ("run", "session") if name in named}


FAULTS = {
    "answers": lambda model: model,
    "refusal quotes the prompt": lambda model: model.on("*").status(
        400, message=f"Invalid prompt: {SAID}", code="invalid_prompt", kind=SECRET
    ),
    "server error quotes the prompt": lambda model: model.on("*").status(500, message=SAID),
    "wrong schema": lambda model: model.on("*").json({"surprise": SECRET, SECRET: 1}),
    "truncated json": lambda model: model.on("*").truncated_json({"reply": SAID}, keep=30),
    "cut": lambda model: model.on("*").cut(text=SAID),
    "failed": lambda model: model.on("*").failed(text=SAID),
    "incomplete": lambda model: model.on("*").incomplete(text=SAID),
    "refused": lambda model: model.on("*").refuse(SAID),
    "not UTF-8": lambda model: model.on("*").invalid_utf8(),
}


def test_turns_leave_no_word_of_what_was_said_in_the_log(transactional_db, scripted, settings, say):
    settings.LLM_BREAKER_FAILURES = 1000
    with written_as("text", settings) as text, written_as("json", settings) as line:
        for fault in FAULTS.values():
            scripted.reset()
            fault(scripted.default_survey())
            run = say(SAID)
            assert ModelCall.objects.filter(run_id=run.pk).exists()
            mine = {"run_id": str(run.pk), "session_id": str(run.session_id)}
            for out in (text(), line()):
                ours = [item for item in out.splitlines() if str(run.pk) in item]
                assert ours
                assert [ids_of(item) for item in ours] == [mine] * len(ours)
    outcomes = set(ModelCall.objects.values_list("outcome", flat=True))
    assert {"ok", "bad_request", "server_error", "cut", "failed", "refused"} <= outcomes
    assert "model call stage=" in text()
    for word in (SECRET, "zirconium", "heirloom", "museum"):
        assert word not in text()
        assert word not in line()


@pytest.mark.django_db
def test_a_guide_that_breaks_on_the_words_of_a_person_does_not_tell_them(written):
    class Answer(BaseModel):
        number: int

    with pytest.raises(ValidationError) as wrong:
        Answer.model_validate({"number": SECRET})
    session_id = uuid.uuid4()
    with logs.bound(session_id=session_id):
        try:
            try:
                dict[str, int]()[SECRET]
            except KeyError as error:
                raise RuntimeError(f"no {SECRET}") from error
        except RuntimeError:
            log.exception("turn failed")
        log.warning("not read: %s", wrong.value)
        log.warning("not read: %(why)s", {"why": wrong.value})
        log.error(wrong.value, exc_info=wrong.value)
        log.error(f"future exception={wrong.value!r}", exc_info=wrong.value)  # noqa: G004
    out = written()
    assert "zirconium" not in out
    assert "KeyError" in out
    assert "RuntimeError" in out
    assert "test_logs.py" in out
    assert out.count(str(session_id)) == 5
    assert "pydantic_core._pydantic_core.ValidationError" in out


@pytest.mark.django_db
def test_a_row_that_the_database_refuses_is_told_by_its_code(written, participant_of, alice):
    session = Session.objects.create(participant=participant_of(alice), kind="survey")
    Message.objects.create(session=session, seq=1, role="user", text=SAID)
    try:
        Message.objects.create(session=session, seq=1, role="user", text=SAID)
    except DatabaseError:
        log.exception("message not stored")
    assert "sqlstate=23505" in written()
    assert str(session.pk) not in written()
    assert "zirconium" not in written()


def test_words_of_our_own_errors_are_kept(written):
    log.warning("asked again: %s", CallFailed(Outcome.RATE_LIMITED, "HTTP 429"))
    log.warning("by rules: %s", ModelUnavailable(reason="budget"))
    log.warning("mail: %s", ConnectionRefusedError(111, "Connection refused"))
    assert "rate_limited HTTP 429" in written()
    assert "ModelUnavailable (budget)" in written()
    assert "Connection refused" in written()


def test_a_full_disk_is_one_sentence_without_a_traceback(written):
    redis = ResponseError("MISCONF Errors writing to the AOF file: No space left on device")
    postgres = DiskFull('could not extend file "base/5/2619": No space left on device\nHINT: Check')
    for refusal in (redis, postgres):
        try:
            try:
                raise refusal
            except type(refusal) as error:
                raise DatabaseError(str(error)) from error
        except DatabaseError:
            log.exception("Internal Server Error: /projects")
    assert written().count("No space left on device") == 2
    assert "Traceback" not in written()
    assert "File " not in written()


def test_a_request_for_a_foreign_host_is_one_line(client, written):
    assert client.get("/", headers={"host": "foreign.example"}).status_code == 400
    (line,) = written().splitlines()
    assert "DisallowedHost" in line
    assert "File " not in line


def test_a_group_of_errors_is_told_in_all_its_members(written):
    try:
        raise ExceptionGroup(SECRET, [ValueError(SECRET), TypeError(SECRET)])
    except ExceptionGroup:
        log.exception("several")
    assert "zirconium" not in written()
    assert "ValueError" in written()
    assert "TypeError" in written()


def test_at_level_debug_everything_may_be_read():
    record = logging.makeLogRecord({"msg": "why: %s", "args": (ValueError(SECRET),)})
    assert SECRET in logs.TextFormat(contents=True).format(record)
    assert SECRET not in logs.TextFormat().format(record)


def test_the_ids_follow_the_work_onto_the_gateways_loop_and_into_its_threads(written):
    run_id = uuid.uuid4()

    async def work() -> None:
        await asyncio.sleep(0)
        log.info("on the loop")

    with logs.bound(run_id=run_id), Parallel() as calls:
        loop.submit(work()).result(5)
        calls.start(lambda: log.info("in a thread"))()
    log.info("outside")
    lines = written().splitlines()
    assert [ids_of(line) for line in lines] == [{"run_id": str(run_id)}] * 2 + [{}]


@pytest.mark.django_db
def test_a_request_has_an_id_in_its_answer_and_in_its_lines(client, written, alice):
    session_id = uuid.uuid4()
    client.force_login(alice)
    missing = client.get(f"/staff/sessions/{session_id}")
    assert missing.status_code == 404
    line = next(line for line in written().splitlines() if "/staff/sessions" in line)
    assert missing["X-Request-ID"] in line
    assert ids_of(line) == {"session_id": str(session_id)}


def test_a_json_line_is_one_object_with_time_level_and_what_was_added(settings):
    formatter = logs.JsonFormat()
    record = logging.makeLogRecord(
        {"msg": "two\nlines %d", "args": (2,), "levelname": "INFO", "name": "x", "stage": "reply"}
    )
    line = formatter.format(record)
    assert "\n" not in line
    found = TypeAdapter(dict[str, object]).validate_json(line)
    assert found["message"] == "two\nlines 2"
    assert (found["level"], found["logger"], found["stage"]) == ("INFO", "x", "reply")
    assert str(found["time"]).endswith("+00:00")


def test_readiness_stays_out_of_the_log(rf):
    record = logging.makeLogRecord({"request": rf.get("/readyz")})
    assert not logs.NotReadiness().filter(record)
