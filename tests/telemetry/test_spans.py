"""Spans of turns, model calls and tools; contents only when asked for."""

from __future__ import annotations

import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import BaseModel

from chat import actions
from chat.models import Run
from chat.queries import session_for
from futura.llm.client import Llm
from futura.telemetry import names, tracing
from futura.telemetry.tracing import turn
from tasks.actions import start_survey

SECRET = "zirconium heirlooms"
PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def traced() -> Iterator[Any]:
    """Everything that is traced, in the order in which it ended."""
    exporter = InMemorySpanExporter()
    tracing.send_to([SimpleSpanProcessor(exporter)])
    yield exporter
    tracing.send_to([])


def named(exporter, beginning):
    return [span for span in exporter.get_finished_spans() if span.name.startswith(beginning)]


@pytest.fixture
def survey_run(transactional_db, scripted, alice, participant_of, identity_for, drain, settings):
    """A turn of a survey, played with the scripted model; the run."""

    def play(text: str) -> Run:
        response = start_survey(participant=participant_of(alice), job_title="Conservator")
        drain()
        identity = identity_for(alice)
        session = session_for(identity, response.pk)
        run = actions.send_message(identity=identity, session=session, text=text)
        drain()
        run.refresh_from_db()
        return run

    return play


def test_a_turn_holds_its_calls(traced, scripted, survey_run):
    scripted.default_survey()
    run = survey_run(f"I polish {SECRET} and write reports")
    (whole,) = [
        item for item in named(traced, "invoke_agent survey")
        if item.attributes[names.RUN] == str(run.pk)
    ]  # fmt: skip
    trace = whole.context.trace_id
    mine = [span for span in traced.get_finished_spans() if span.context.trace_id == trace]
    assert whole.parent is None
    assert whole.attributes[names.CONVERSATION] == str(run.session_id)
    assert whole.attributes[names.RUN] == str(run.pk)
    assert whole.attributes[names.ENDED] == "completed"
    assert whole.attributes[names.BASIC_MODE] is False
    calls = [item for item in mine if item.name.startswith("chat ")]
    assert len(calls) >= 3
    assert "message_analysis" in {item.attributes[names.STAGE_NAME] for item in calls}
    for call in calls:
        assert call.parent.span_id == whole.context.span_id
        assert call.start_time < call.end_time <= whole.end_time
        assert call.attributes[names.OPERATION] == "chat"
        assert call.attributes[names.REQUEST_MODEL] == "gpt-4o"
        assert call.attributes[names.INPUT_TOKENS] > 0
        assert call.attributes[names.OUTCOME] == "ok"
        assert call.attributes[names.COST_USD] > 0
    reply = next(item for item in calls if item.attributes[names.STAGE_NAME] == "response")
    assert reply.attributes[names.STREAM] is True
    assert reply.attributes[names.FIRST_CHUNK_S] >= 0


def test_contents_stay_at_home_unless_they_are_asked_for(traced, scripted, survey_run, settings):
    scripted.default_survey()
    survey_run(f"I polish {SECRET} and write reports")
    assert "zirconium" not in "".join(span.to_json() for span in traced.get_finished_spans())
    traced.clear()
    settings.TELEMETRY_CONTENTS = True
    survey_run(f"I polish {SECRET} and write reports")
    analysis = next(
        item for item in named(traced, "chat ")
        if item.attributes[names.STAGE_NAME] == "message_analysis"
    )  # fmt: skip
    assert SECRET in analysis.attributes[names.INPUT_MESSAGES]
    assert analysis.attributes[names.OUTPUT_MESSAGES].startswith("{")


def test_failed_attempts_say_how(traced, scripted, survey_run):
    scripted.default_survey()
    scripted.on("message_analysis").status(500).json({"strange": SECRET})
    survey_run("I polish silver and write reports")
    asked = [
        item for item in named(traced, "chat ")
        if item.attributes[names.STAGE_NAME] == "message_analysis"
    ]  # fmt: skip
    assert asked[0].attributes[names.ERROR] == "server_error"
    assert not asked[0].status.is_ok
    assert asked[1].attributes[names.ATTEMPT] == 2
    assert "zirconium" not in "".join(span.to_json() for span in traced.get_finished_spans())


def test_a_turn_that_breaks_is_marked_without_its_words(traced):
    def play() -> None:
        with turn(kind="echo", session_id=uuid.uuid4(), run_id=uuid.uuid4()):
            raise RuntimeError(SECRET)

    with pytest.raises(RuntimeError):
        play()
    (whole,) = traced.get_finished_spans()
    assert whole.attributes[names.ERROR] == "RuntimeError"
    assert "zirconium" not in whole.to_json()


@pytest.mark.thorough
def test_without_a_collector_nothing_is_traced_and_nothing_is_loaded():
    code = (
        "import sys, django; django.setup();"
        "from futura.telemetry import tracing;"
        "assert not tracing.is_on();"
        "print(sorted({'opentelemetry.sdk.trace'} & {*sys.modules}))"
    )
    done = _python(code)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.thorough
def test_a_collector_without_the_extra_stops_the_start_with_a_sentence():
    code = (
        "import sys; sys.modules['opentelemetry.sdk'] = None\n"
        "import django\n"
        "from django.core.exceptions import ImproperlyConfigured\n"
        "try:\n    django.setup()\nexcept ImproperlyConfigured as error:\n    print(error)"
    )
    done = _python(code, FUTURA_OTLP_ENDPOINT="http://127.0.0.1:4318")
    assert "extra `telemetry` is not installed" in done.stdout, done.stderr


def _python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT,
        env={
            "PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "futura.settings",
            "FUTURA_ENV_FILE": "none", "FUTURA_DATA_DIR": "/nonexistent",
            "SECRET_KEY": "b8J2xq0ZfW7n4LrT1sVdYpGc6MhKu3EoRiAaNtQmXeHy5UwPzS", **environment,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )  # fmt: skip


@pytest.mark.django_db
def test_a_tool_lies_within_its_turn(traced):
    from futura.llm.calls import Plan
    from futura.llm.cancel import CancelToken, FirstWord
    from futura.llm.stages import stage
    from futura.llm.tools import Tool
    from futura.llm.tools.loop import execute

    class Words(BaseModel):
        words: str

    tool = Tool(
        name="look_up", description="Looks up", arguments=Words, function=lambda a, call_id: SECRET
    )
    plan = Plan(stage("response"), CancelToken(), FirstWord())
    with turn(kind="echo", session_id=uuid.uuid4(), run_id=uuid.uuid4()):
        execute(tool, Words(words=SECRET), "call-7", plan)
    (called,) = named(traced, "execute_tool")
    assert called.name == "execute_tool look_up"
    assert called.attributes[names.TOOL_CALL] == "call-7"
    assert called.parent is not None
    assert "zirconium" not in called.to_json()


def test_every_name_stands_in_one_file_only():
    standard = ("gen_ai.", "error.type")
    found = [
        str(file)
        for file in (*(PROJECT / "futura").rglob("*.py"), *(PROJECT / "chat").rglob("*.py"))
        if file.name != "names.py"
        and any(f'"{name}' in file.read_text(encoding="utf-8") for name in standard)
    ]
    assert found == []


@pytest.mark.django_db
def test_calls_outside_of_turns_begin_traces_of_their_own(traced, scripted):
    scripted.on("*").text("Good morning.")
    session_id = uuid.uuid4()
    assert "".join(Llm(session_id=session_id).stream_text("response", [])) == "Good morning."
    (call,) = named(traced, "chat ")
    assert call.parent is None
    assert call.attributes[names.CONVERSATION] == str(session_id)
