"""One turn after the other: what is kept, in which order, and how a turn can end."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection

from chat.actions import retry_run, send_message, start_session, stop_run
from chat.events.kinds import Token
from chat.events.log import tail
from chat.guides import DraftText, StageDone, StageStarted, Text
from chat.models import Message, Run, Session
from chat.queries import conversation
from chat.runs.perform import perform
from futura.errors import BadInput, Conflict, TooLong, TooMany
from tests.chat.echo import EchoState
from tests.event_log import replay_now


@pytest.fixture
def say(identity_for, alice):
    """Sends a message as alice."""

    def send(session, text, **more) -> Run:
        return send_message(identity=identity_for(alice), session=session, text=text, **more)

    return send


def texts(session: Session) -> list[tuple[str, str]]:
    found = session.messages.filter(superseded_at=None).order_by("seq")
    return [(message.role, message.text.strip()) for message in found]


def test_the_opening_is_answered_without_a_message(start, alice, drain):
    session = start(alice)
    drain()
    assert texts(session) == [("assistant", "You said: hello")]
    run = session.runs.get()
    assert run.status == Run.Status.COMPLETED
    assert run.trace[0]["name"] == "listening"
    assert run.trace[0]["by"] == "rules"


def test_a_message_is_answered_and_the_state_kept(start, alice, drain, say):
    session = start(alice, "I paint walls")
    drain()
    say(session, "and ceilings")
    drain()
    assert texts(session) == [
        ("user", "I paint walls"),
        ("assistant", "You said: I paint walls"),
        ("user", "and ceilings"),
        ("assistant", "You said: and ceilings"),
    ]
    session.refresh_from_db()
    assert session.state == {"heard": ["I paint walls", "and ceilings"]}


def test_the_same_client_id_is_one_message_and_one_run(start, alice, drain, say):
    session = start(alice)
    drain()
    client_id = uuid.uuid4()
    first = say(session, "once", client_id=client_id)
    drain()
    second = say(session, "once", client_id=client_id)
    assert first.pk == second.pk
    assert session.messages.filter(role="user").count() == 1


def test_messages_sent_meanwhile_wait_visibly_and_are_taken_in_order(start, alice, drain, say):
    session = start(alice)
    say(session, "one")
    say(session, "two")
    shown = conversation(session)
    assert [item.message.text for item in shown.waiting] == ["one", "two"]
    drain()
    assert [text for _role, text in texts(session)] == [
        "You said: hello",
        "one",
        "You said: one",
        "two",
        "You said: two",
    ]
    assert conversation(session).waiting == []


def test_a_run_waits_for_its_turn_in_the_session(start, alice, say):
    session = start(alice)
    later = say(session, "later")
    perform(later.pk)
    later.refresh_from_db()
    assert later.status == Run.Status.QUEUED


def test_a_run_delivered_twice_is_done_once(start, alice, drain):
    session = start(alice)
    run = session.runs.get()
    perform(run.pk)
    perform(run.pk)
    assert session.messages.count() == 1
    run.refresh_from_db()
    assert run.attempt == 1


@pytest.mark.parametrize(
    ("text", "code"), [("/model-down", "model_unavailable"), ("/broken", "error")]
)
def test_an_error_is_a_state_of_the_run_and_never_text(start, alice, drain, text, code, caplog):
    session = start(alice, text)
    drain()
    run = session.runs.get()
    assert run.status == Run.Status.FAILED
    assert run.error_code == code
    assert "secret" not in run.error_text
    assert run.reply is not None
    assert run.reply.text == "Half an "
    assert run.reply.status == Message.Status.FAILED
    assert "Traceback" in caplog.text


def test_no_answer_at_all_is_a_failure(start, alice, drain, caplog):
    session = start(alice, "/silent")
    drain()
    assert session.runs.get().status == Run.Status.FAILED


def test_failed_answers_stay_out_of_the_history(start, alice, drain, say, caplog):
    session = start(alice, "/broken")
    drain()
    say(session, "again")
    drain()
    last = session.runs.order_by("created_at").last()
    assert last is not None
    assert last.trace[0]["detail"] == {"history": 1}  # the person's words, not the broken answer


def test_a_retry_starts_from_the_state_before(start, alice, drain, identity_for, caplog):
    session = start(alice, "/broken")
    drain()
    session.refresh_from_db()
    assert session.state == {"heard": ["/broken"]}
    old = session.runs.get()
    new = retry_run(identity=identity_for(alice), run_id=old.pk)
    assert retry_run(identity=identity_for(alice), run_id=old.pk).pk == new.pk
    session.refresh_from_db()
    assert session.state == {"heard": []}
    drain()
    session.refresh_from_db()
    assert session.state == {"heard": ["/broken"]}
    assert [role for role, _text in texts(session)] == ["user", "assistant"]
    assert session.messages.filter(superseded_at__isnull=False).count() == 1


def test_only_the_last_failed_run_can_be_retried(start, alice, drain, say, identity_for, caplog):
    session = start(alice, "/broken")
    drain()
    broken = session.runs.get()
    done = say(session, "go on")
    drain()
    with pytest.raises(Conflict):
        retry_run(identity=identity_for(alice), run_id=broken.pk)
    with pytest.raises(Conflict):
        retry_run(identity=identity_for(alice), run_id=done.pk)


def test_a_queued_run_can_be_stopped_and_is_skipped(start, alice, drain, say, identity_for):
    session = start(alice)
    run = say(session, "never mind")
    stop_run(identity=identity_for(alice), run_id=run.pk)
    stop_run(identity=identity_for(alice), run_id=run.pk)
    drain()
    run.refresh_from_db()
    assert run.status == Run.Status.STOPPED
    assert texts(session) == [("user", "never mind"), ("assistant", "You said: hello")]


def test_the_end_is_told_after_the_commit(start, alice, drain, say, echo_guide):
    session = start(alice)
    say(session, "/end")
    drain()
    session.refresh_from_db()
    assert session.status == Session.Status.ENDED
    assert echo_guide.ended_sessions == [session.pk]


def test_parts_go_to_the_reply_or_to_the_message(start, alice, drain, say):
    session = start(alice, "/cards")
    drain()
    say(session, "/note paint")
    drain()
    reply = session.messages.get(seq=2)
    assert reply.parts == [{"type": "cards", "items": ["one", "two"]}]
    message = session.messages.get(seq=3)
    assert message.parts == [{"type": "noted", "spans": [[6, 11]]}]


def test_empty_and_endless_messages_are_refused_and_nothing_is_stored(start, alice, say):
    session = start(alice)
    for text, error in (("  \n ", BadInput), ("x" * 20_000, TooLong), (7, BadInput)):
        with pytest.raises(error):
            say(session, text)
    assert session.messages.count() == 0


def test_a_person_cannot_pile_up_runs(start, alice, say):
    session = start(alice)
    for number in range(4):
        say(session, f"message {number}")
    with pytest.raises(TooMany) as refusal:
        say(session, "one too many")
    assert refusal.value.retry_after_s > 0


def test_the_thirty_first_message_of_a_minute_is_refused(start, alice, say, drain):
    session = start(alice)
    for number in range(30):
        drain()
        say(session, f"message {number}")
    drain()
    with pytest.raises(TooMany):
        say(session, "one too many")


def test_a_session_can_start_with_words(participant_of, alice, drain):
    with pytest.raises(TooLong):
        start_session(
            participant=participant_of(alice),
            kind="echo",
            state=EchoState(),
            first_text="x" * 10_001,
        )
    assert Session.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_while_a_guide_speaks_its_worker_holds_no_connection(
    start, alice, drain, echo_guide, monkeypatch
):
    held = []

    def respond(turn):
        held.append(connection.connection is not None)
        yield Text("Good day.")

    monkeypatch.setattr(echo_guide, "respond", respond)
    start(alice, "hello")
    drain()
    assert held == [False]


def test_a_text_beside_the_reply_reaches_its_readers_and_is_not_stored(
    start, alice, drain, echo_guide, monkeypatch
):
    beside = uuid.uuid4()

    def respond(turn):
        yield DraftText(beside, "About me")
        yield Text("Good day.")

    session = start(alice, "hello")
    start_of_log = tail(session.pk)
    monkeypatch.setattr(echo_guide, "respond", respond)
    drain()
    told = [entry.event for entry in replay_now(session.pk, start_of_log).entries]
    tokens = [event for event in told if isinstance(event, Token) and event.is_beside]
    assert [(token.message_id, token.text) for token in tokens] == [(beside, "About me")]
    assert texts(session)[-1] == ("assistant", "Good day.")


def test_stages_within_a_stage_end_each_by_itself(start, alice, drain, echo_guide, monkeypatch):
    def respond(turn):
        yield StageStarted("reply", "Answering")
        yield StageStarted("search", "Searching")
        yield StageDone("reply", "model")
        yield StageDone("memory", "rules")
        yield StageDone("search", "rules")
        yield Text("Good day.")

    monkeypatch.setattr(echo_guide, "respond", respond)
    session = start(alice, "hello")
    drain()
    ended = [(step["name"], step["by"]) for step in session.runs.get().trace]
    assert ended == [("reply", "model"), ("search", "rules"), ("memory", "rules")]
