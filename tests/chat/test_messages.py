"""What a person can do with their messages and the answers: in order, twice, and all at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connections

from chat.actions import (
    continue_run,
    edit_last,
    edit_queued,
    rate_message,
    regenerate,
    remove_queued,
    retry_run,
    send_message,
    start_session,
    withdraw_rating,
)
from chat.models import Feedback, Message, Run, Session
from chat.queries import conversation
from chat.runs.perform import perform
from futura.errors import BadInput, Conflict, FuturaError, TooLong
from tests.chat.carry import CarryState


@pytest.fixture
def me(identity_for, participant_of, alice):
    """Alice, who has something of her own already."""
    participant_of(alice)
    return identity_for(alice)


@pytest.fixture
def talk(participant_of, alice, identity_for, drain):
    """A session of kind "carry" after these messages, all answered."""

    def start(*said: str) -> Session:
        session = start_session(
            participant=participant_of(alice), kind="carry", state=CarryState(), first_text=said[0]
        )
        drain()
        for text in said[1:]:
            send_message(identity=identity_for(alice), session=session, text=text)
            drain()
        return session

    return start


def branch(session: Session) -> list[tuple[str, str, str]]:
    """What stands in the conversation now."""
    current = session.messages.filter(superseded_at=None).order_by("seq")
    return [(item.role, item.status, item.text) for item in current]


def last_run(session: Session) -> Run:
    run = session.runs.order_by("created_at").last()
    assert run is not None
    return run


def state(session: Session) -> dict[str, list[str]]:
    return Session.objects.get(pk=session.pk).state


def tap(session: Session, what: str) -> None:
    fresh = Session.objects.get(pk=session.pk)
    fresh.state["tapped"].append(what)
    fresh.save()


# Waiting messages ---------------------------------------------------------------------------


def test_a_waiting_message_is_reworded_in_its_place_and_answered_so(start, alice, me, drain):
    session = start(alice)
    first = send_message(identity=me, session=session, text="one")
    send_message(identity=me, session=session, text="two")
    edit_queued(identity=me, message_id=first.message_id, text=" won ")
    assert [item.message.text for item in conversation(session).waiting] == ["won", "two"]
    drain()
    assert [text.strip() for role, _status, text in branch(session) if role == "assistant"] == [
        "You said: hello",
        "You said: won",
        "You said: two",
    ]


def test_a_removed_message_is_forgotten_never_answered_and_removed_twice_alike(
    start, alice, me, drain
):
    session = start(alice)
    run = send_message(identity=me, session=session, text="a slip of the tongue")
    for _ in "ab":
        gone = remove_queued(identity=me, message_id=run.message_id)
        assert (gone.text, gone.status) == ("", Message.Status.STOPPED)
    drain()
    run.refresh_from_db()
    assert run.status == Run.Status.STOPPED
    assert [role for role, *_ in branch(session)] == ["assistant"]
    assert not Message.objects.filter(text__contains="slip").exists()
    with pytest.raises(Conflict):
        edit_queued(identity=me, message_id=run.message_id, text="but no")
    with pytest.raises(Conflict):
        retry_run(identity=me, run_id=run.pk)


def test_what_was_taken_up_is_neither_reworded_nor_removed(start, alice, me, drain):
    session = start(alice, "one")
    drain()
    message = session.messages.get(text="one")
    for attempt in (
        lambda: edit_queued(identity=me, message_id=message.pk, text="two"),
        lambda: remove_queued(identity=me, message_id=message.pk),
    ):
        with pytest.raises(Conflict, match="already replying"):
            attempt()
    message.refresh_from_db()
    assert message.text == "one"


def test_a_removed_message_does_not_keep_the_answer_before_it_from_going_on(talk, me, drain):
    session = talk("/stop 3")
    stopped = last_run(session)
    run = send_message(identity=me, session=session, text="never mind")
    remove_queued(identity=me, message_id=run.message_id)
    shown = conversation(session).messages[-1]
    assert shown.can_retry
    assert shown.can_continue
    continue_run(identity=me, run_id=stopped.pk)
    drain()
    assert branch(session)[-1] == ("assistant", "complete", "abcdefgh")


# Going on -----------------------------------------------------------------------------------


def test_a_stopped_answer_is_kept_and_another_comes_below_it(talk, me, drain):
    session = talk("/stop 3")
    stopped = last_run(session)
    assert branch(session)[-1] == ("assistant", "stopped", "abc")
    more = continue_run(identity=me, run_id=stopped.pk)
    assert continue_run(identity=me, run_id=stopped.pk).pk == more.pk
    drain()
    more.refresh_from_db()
    assert (more.cause, more.status) == ("continue", "completed")
    assert branch(session)[1:] == [
        ("assistant", "stopped", "abc"),
        ("assistant", "complete", "abcdefgh"),
    ]
    assert state(session)["heard"] == ["/stop 3"]  # heard once, not twice


def test_an_interrupted_answer_is_kept_and_another_comes_below_it(
    start, alice, me, drain, echo_guide
):
    session = start(alice, "/gate half")
    run = session.runs.get()
    Run.objects.filter(pk=run.pk).update(
        status=Run.Status.INTERRUPTED, started_at=run.created_at, state_before={"heard": []}
    )
    half = Message.objects.create(
        session=session, seq=2, role="assistant", text="Before the gate. ", status="interrupted"
    )
    Run.objects.filter(pk=run.pk).update(reply=half)
    echo_guide.gate("half").open.set()
    continue_run(identity=me, run_id=run.pk)
    drain()
    roles = [(role, status) for role, status, _text in branch(session)]
    assert roles == [("user", "complete"), ("assistant", "interrupted"), ("assistant", "complete")]
    assert state(session) == {"heard": ["/gate half"]}


def test_there_is_nothing_to_go_on_from_without_words_or_after_the_end(talk, me):
    session = talk("/stop 0", "hello")
    first, second = session.runs.order_by("created_at")
    for run in (first, second):
        with pytest.raises(Conflict):
            continue_run(identity=me, run_id=run.pk)


# Another answer ------------------------------------------------------------------------------


def test_another_answer_sets_the_first_aside_and_begins_from_the_state_before(talk, me, drain):
    session = talk("one", "two")
    old = last_run(session)
    tap(session, "a card")
    new = regenerate(identity=me, run_id=old.pk)
    assert regenerate(identity=me, run_id=old.pk).pk == new.pk
    assert state(session) == {"heard": ["one"], "tapped": ["a card"]}
    assert [role for role, *_ in branch(session)] == ["user", "assistant", "user"]
    drain()
    assert state(session) == {"heard": ["one", "two"], "tapped": ["a card"]}
    assert [role for role, *_ in branch(session)] == ["user", "assistant", "user", "assistant"]
    assert (new.cause, new.retry_of_id) == (Run.Cause.REGENERATE, old.pk)
    assert session.messages.get(text="two").parts == [
        {"type": "noted", "spans": [], "count": 0}
    ]  # once
    kept = session.messages.get(superseded_at__isnull=False)
    assert kept.text == "abcdefgh"


def test_a_retry_keeps_what_was_tapped_too(talk, me, drain):
    session = talk("/stop 2")
    tap(session, "a card")
    retry_run(identity=me, run_id=last_run(session).pk)
    assert state(session) == {"heard": [], "tapped": ["a card"]}


def test_only_the_last_complete_answer_can_be_had_anew(talk, me, drain):
    session = talk("one", "/stop 2")
    first, last = session.runs.order_by("created_at")
    with pytest.raises(Conflict, match="has continued"):
        regenerate(identity=me, run_id=first.pk)
    with pytest.raises(Conflict, match="not complete"):
        regenerate(identity=me, run_id=last.pk)
    send_message(identity=me, session=session, text="three")
    with pytest.raises(Conflict, match="is replying"):
        regenerate(identity=me, run_id=last.pk)


# The last own message -----------------------------------------------------------------------


def test_the_last_message_is_reworded_and_its_branch_stays_for_staff(talk, me, drain):
    session = talk("one", "two")
    tap(session, "a card")
    old = session.messages.get(text="two")
    run = edit_last(identity=me, message_id=old.pk, text="too")
    assert edit_last(identity=me, message_id=old.pk, text="too").pk == run.pk
    assert state(session) == {"heard": ["one"], "tapped": ["a card"]}
    drain()
    assert [text for role, _status, text in branch(session) if role == "user"] == ["one", "too"]
    assert state(session)["heard"] == ["one", "too"]
    assert run.message is not None
    assert (run.cause, run.message.replaces_id) == (Run.Cause.EDIT, old.pk)
    replaced = session.messages.filter(superseded_at__isnull=False).order_by("seq")
    assert [(item.role, item.text) for item in replaced] == [
        ("user", "two"),
        ("assistant", "abcdefgh"),
    ]
    assert replaced[0].parts == [{"type": "noted", "spans": [], "count": 0}]
    with pytest.raises(Conflict):
        edit_last(identity=me, message_id=old.pk, text="something else")
    edit_last(identity=me, message_id=run.message.pk, text="two!")  # and again, from there
    drain()
    assert state(session)["heard"] == ["one", "two!"]


def test_what_came_with_a_message_stays_with_its_rewording(talk, me, drain):
    session = talk("one")
    run = send_message(
        identity=me, session=session, text="see this", parts=[{"type": "file", "id": 7}]
    )
    drain()
    again = edit_last(identity=me, message_id=run.message_id, text="see that")
    drain()
    assert Message.objects.get(pk=again.message_id).parts == [
        {"type": "file", "id": 7, "sent": True},
        {"type": "noted", "spans": [], "count": 0},
    ]


def test_an_earlier_message_or_an_answer_cannot_be_reworded(talk, me, start, alice):
    session = talk("one", "two")
    with pytest.raises(Conflict, match="has continued"):
        edit_last(identity=me, message_id=session.messages.get(text="one").pk, text="won")
    reply = session.messages.order_by("seq").last()
    with pytest.raises(Conflict, match="your own"):
        edit_last(identity=me, message_id=reply.pk, text="won")
    for text, error in ((" ", BadInput), ("x" * 20_000, TooLong)):
        with pytest.raises(error):
            edit_last(identity=me, message_id=session.messages.get(text="two").pk, text=text)
    send_message(identity=me, session=session, text="three")
    with pytest.raises(Conflict, match="is replying"):
        edit_last(identity=me, message_id=session.messages.get(text="two").pk, text="too")


@pytest.mark.parametrize(("title", "words"), [("closed", "closed"), ("taken over", "taken over")])
def test_a_feature_can_refuse_to_turn_back(talk, me, title, words):
    session = talk("one")
    run = last_run(session)
    Session.objects.filter(pk=session.pk).update(title=title)
    attempts: list[Callable[[], object]] = [
        lambda: regenerate(identity=me, run_id=run.pk),
        lambda: edit_last(identity=me, message_id=run.message_id, text="won"),
    ]
    if title == "closed":
        attempts.append(lambda: rate_message(identity=me, message_id=run.reply_id, rating="good"))
    for attempt in attempts:
        with pytest.raises(Conflict, match=words):
            attempt()
    assert [role for role, *_ in branch(session)] == ["user", "assistant"]


# Ratings -------------------------------------------------------------------------------------


def test_a_rating_is_kept_changed_and_taken_back(talk, me):
    session = talk("one")
    reply = last_run(session).reply_id
    rate_message(identity=me, message_id=reply, rating="good")
    rate_message(
        identity=me,
        message_id=reply,
        rating="bad",
        reasons=["repeated", "missed"],
        comment=" not about letters ",
    )
    kept = Feedback.objects.get()
    assert (kept.rating, kept.reasons, kept.comment) == (
        "bad",
        ["missed", "repeated"],
        "not about letters",
    )
    assert conversation(session).messages[-1].rated["reasons"] == ["missed", "repeated"]
    for _ in "ab":
        withdraw_rating(identity=me, message_id=reply)
    assert not Feedback.objects.exists()
    assert conversation(session).messages[-1].rated == {}


def test_only_answers_that_stand_are_rated_and_only_with_known_reasons(talk, me, drain):
    session = talk("one")
    run = last_run(session)
    with pytest.raises(Conflict):
        rate_message(identity=me, message_id=run.message_id, rating="good")
    for rating, reasons in (("great", []), ("bad", ["<script>"])):
        with pytest.raises(BadInput):
            rate_message(identity=me, message_id=run.reply_id, rating=rating, reasons=reasons)
    with pytest.raises(TooLong):
        rate_message(identity=me, message_id=run.reply_id, rating="bad", comment="x" * 2_000)
    regenerate(identity=me, run_id=run.pk)
    with pytest.raises(Conflict, match="replaced"):
        rate_message(identity=me, message_id=run.reply_id, rating="good")
    assert not Feedback.objects.exists()


# Whose it is, and who is faster ---------------------------------------------------------------


def at_once(*works: Callable[[], object]) -> list[object]:
    """Does all of it at the same moment; what each returned, or the error it met."""
    barrier = threading.Barrier(len(works))
    results: list[object] = [None] * len(works)

    def work(place: int) -> None:
        barrier.wait(10)
        try:
            results[place] = works[place]()
        except FuturaError as error:
            results[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(place,)) for place in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return results


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", ["reword", "remove"])
def test_a_worker_and_a_person_reach_for_a_message_and_one_of_them_gets_it(start, alice, me, what):
    for _round in range(4):
        session = start(alice, "as it was")
        run = session.runs.get()

        def change(run=run) -> object:
            if what == "remove":
                return remove_queued(identity=me, message_id=run.message_id)
            return edit_queued(identity=me, message_id=run.message_id, text="as it is now")

        refused, _none = at_once(change, lambda run=run: perform(run.pk))
        answers = [text.strip() for role, _s, text in branch(session) if role == "assistant"]
        if isinstance(refused, FuturaError):
            assert isinstance(refused, Conflict)
            assert answers == ["You said: as it was"]
        elif what == "remove":
            assert answers == []
        else:
            assert answers == ["You said: as it is now"]


@pytest.mark.django_db(transaction=True)
def test_pressed_in_two_tabs_at_once_it_happens_once(talk, me):
    session = talk("one")
    run = last_run(session)
    made = at_once(*[lambda: regenerate(identity=me, run_id=run.pk)] * 3)
    assert len({item.pk for item in made if isinstance(item, Run)}) == 1
    assert session.runs.count() == 2
    perform(last_run(session).pk)
    message = session.messages.get(text="one")
    edits = at_once(
        *[lambda: edit_last(identity=me, message_id=message.pk, text="won")] * 2,
        lambda: edit_last(identity=me, message_id=message.pk, text="wan"),
    )
    winners = {edit.pk for edit in edits if isinstance(edit, Run)}
    assert len(winners) == 1
    assert all(isinstance(edit, Run | Conflict) for edit in edits)
    assert session.messages.filter(superseded_at=None, role="user").count() == 1
