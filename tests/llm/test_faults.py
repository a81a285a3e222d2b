"""Every row of the fault table through the engine: what the person sees, what the ledger keeps."""

from __future__ import annotations

import pytest

from chat import actions
from chat.models import Run
from chat.queries import session_for
from futura.llm import quirks, stages, transport
from futura.llm.models import ModelCall
from tasks.actions import start_survey
from tests.llm import faults
from tests.llm.faults import Fault
from tests.llm.toolguide import RULES, ErrandsState

pytestmark = pytest.mark.django_db(transaction=True)  # a turn's calls go out from several threads

NOTHING_NEW = {
    "newTaskCount": 0,
    "newActivities": [],
    "underexploredActivities": [],
    "gwaUpdates": {
        "informationInput": None,
        "mentalProcesses": None,
        "workOutput": None,
        "interactingWithOthers": None,
    },
    "engagement": "medium",
    "wantsToStop": False,
}
GAP = {"gapArea": "seasonal rhythm", "suggestedQuestion": "What happens in the harvest months?"}


def on_its_wires(rows: tuple[Fault, ...], nth: int = 1):
    """Each row once per wire on which it may differ; every day the first one of every `nth`."""
    return pytest.mark.parametrize(
        ("fault", "wire"),
        [
            pytest.param(
                row,
                wire,
                id=f"{row.name} ({wire})",
                marks=[pytest.mark.thorough] if wire != row.wires[0] or place % nth else [],
            )
            for place, row in enumerate(rows)
            for wire in row.wires
        ],
    )


@pytest.fixture
def played(settings, monkeypatch, scripted, alice, participant_of, identity_for, drain):
    """Plays one row through a conversation that went well so far, and gives its run."""

    def conversation(kind):
        if kind == "errands":
            return actions.start_session(
                participant=participant_of(alice), kind=kind, state=ErrandsState()
            ).pk
        return start_survey(participant=participant_of(alice), job_title="Gardener").pk

    def answers_well():
        scripted.on("message_analysis").json(NOTHING_NEW)
        scripted.on("tool_selection").json(faults.TOOL)
        scripted.on("gap_analysis").json(GAP)
        scripted.on("response").text("Welcome. What fills your week?")

    def play(fault, wire, kind="survey"):
        settings.LLM_WIRE = wire
        answers_well()
        session_id = conversation(kind)
        drain()
        quirks.forget()
        scripted.on("response").text(faults.WORDS)
        for name, value in fault.times.items():
            monkeypatch.setenv(f"FUTURA_STAGE_{fault.stage.upper()}_{name.upper()}", str(value))
        stages.all_stages.cache_clear()
        fault.play(scripted)
        run = actions.send_message(
            identity=identity_for(alice),
            session=session_for(identity_for(alice), session_id),
            text="I sharpen the saws",
        )
        drain()
        run.refresh_from_db()
        return run

    yield play
    monkeypatch.undo()
    stages.all_stages.cache_clear()
    quirks.forget()


def ledger(run, stage):
    rows = ModelCall.objects.filter(run_id=run.pk, stage=stage).order_by("id")
    return list(rows.values_list("outcome", flat=True))


def step(run, name):
    return next((item for item in reversed(run.trace) if item["name"] == name), {})


def check(fault, run, stage):
    """The row against what happened."""
    assert ledger(run, fault.stage) == list(fault.ledger)
    assert (run.status, run.error_text) == (fault.status, fault.notice)
    if fault.shows is not None:
        assert run.reply.text.strip() == fault.shows
    assert step(run, stage).get("by", "") == fault.by
    assert run.basic_mode is (fault.by == "rules")
    assert run.reply.status == ("complete" if fault.status == faults.COMPLETED else "failed")


@on_its_wires(faults.BEFORE_THE_ANSWER + faults.IN_THE_STREAM + faults.IN_A_FORM, nth=9)
def test_a_survey_goes_on_whatever_the_model_does(fault, wire, played):
    run = played(fault, wire)
    check(fault, run, fault.stage)
    assert (
        len(run.reply.text)
        <= transport.CHARS_PER_TOKEN * stages.stage("response").max_output_tokens
    )
    if fault.status == faults.COMPLETED:
        assert run.reply.text.count("?") == 1, "the person is asked something in any case"
        assert len(run.reply.text) < 600
    for word in ("scripted", "HTTP", "model server", "Traceback"):
        assert word not in run.reply.text + run.error_text


@on_its_wires(faults.WITH_TOOLS, nth=2)
def test_a_conversation_with_tools_goes_on_whatever_the_model_calls(fault, wire, played):
    run = played(fault, wire, kind="errands")
    check(fault, run, "errands")
    assert step(run, "errands")["detail"].get("calls", []) == list(fault.calls)
    if fault.by == "rules":
        assert run.reply.text == RULES
    assert "secret" not in run.reply.text + run.error_text


def test_a_missing_server_costs_the_person_no_seconds(played, settings):
    settings.LLM_BACKOFF_S = 0.4  # as in production
    fault = next(row for row in faults.BEFORE_THE_ANSWER if row.name == "connect refused")
    run = played(fault, "responses")
    assert run.status == Run.Status.COMPLETED
    assert (run.finished_at - run.started_at).total_seconds() < 2
