"""Summaries as jobs: when they are made, that one writer wins, what failures and edits do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from chat.actions import send_message
from chat.hot import size_of
from chat.memory import summary, tokens
from chat.memory.facts import from_json, holding
from chat.memory.queries import load
from chat.memory.shapes import COMPACT_AT, KEPT, Memory
from chat.memory.summary import summarise, sweep
from chat.models import Message, Session
from futura.llm.models import AnswerCheck
from tests.chat.memory import planted
from tests.extent import some

LONG = "so " * 500


def turns(count, reply=LONG):
    return [(f"I want to mend window {n} soon.", f"{reply}{n}") for n in range(count)]


def texts(facts):
    return [fact.text for fact in facts]


def say(session, text, **changes):
    """One more message of the person."""
    last = session.messages.order_by("-seq").values_list("seq", flat=True).first() or 0
    return Message.objects.create(session=session, seq=last + 1, role="user", text=text, **changes)


def fresh(session):
    return Session.objects.get(pk=session.pk)


def test_a_short_conversation_is_left_alone_until_asked(talk):
    session = talk(turns(6, "Good. "))
    assert summarise(session.pk, "over_budget") == 0
    assert summarise(session.pk, "request") == 1
    assert fresh(session).summary_seq == 12
    past = load(fresh(session))
    assert len(past.messages) == 12
    assert not past.summary


def test_over_budget_the_last_messages_stay_and_all_else_is_covered(talk):
    session = talk(turns(60))
    assert size_of(session).tokens > COMPACT_AT
    assert summarise(session.pk, "over_budget") > 0
    after = fresh(session)
    assert 120 - after.summary_seq >= KEPT
    assert size_of(after).uncovered_tokens < COMPACT_AT / 2
    past = load(after)
    assert past.messages[0].seq == after.summary_seq + 1
    assert past.tokens <= COMPACT_AT


def test_a_summary_made_twice_changes_nothing(talk):
    session = talk(turns(60))
    summarise(session.pk, "over_budget")
    once = fresh(session)
    assert summarise(session.pk, "over_budget") == 0
    Session.objects.filter(pk=session.pk).update(summary_seq=0)  # as if the write had got lost
    summarise(session.pk, "over_budget")
    again = fresh(session)
    assert again.summary_seq == once.summary_seq
    assert texts(from_json(again.key_facts)) == texts(from_json(once.key_facts))
    assert again.updated_at == once.updated_at


def test_of_two_summarisers_one_wins(talk):
    session = talk(turns(60))
    first = summary.next_stretch(session.pk, "over_budget", is_begun=False)
    second = summary.next_stretch(session.pk, "over_budget", is_begun=False)
    assert first
    assert second
    assert summary.write(first, Memory("The first.", ()))
    assert not summary.write(second, Memory("The second.", ()))
    assert fresh(session).summary == "The first."


def test_what_still_waits_or_grows_is_not_covered(talk):
    session = talk(turns(8, "Good. "))
    Message.objects.filter(session=session, seq=10).update(status="streaming")
    summarise(session.pk, "request")
    assert fresh(session).summary_seq == 9


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fault", some(["refuse", "failed"], 2))
def test_a_failing_model_leaves_the_history_and_first_sentences_are_kept(talk, scripted, fault):
    session = talk([(planted.person_says(n), LONG) for n in range(1, 61)])
    getattr(scripted.on("summary"), fault)()
    getattr(scripted.on("key_facts"), fault)()
    before = list(session.messages.order_by("seq").values_list("text", "parts", "status"))
    summarise(session.pk, "over_budget")
    assert fresh(session).summary_seq > 0
    assert any("Fagerlund" in fact.text for fact in from_json(fresh(session).key_facts))
    after = list(session.messages.order_by("seq").values_list("text", "parts", "status"))
    assert after == before


@pytest.mark.django_db(transaction=True)
def test_a_models_facts_name_a_message_of_the_person_and_facts_that_exist(talk, scripted):
    session = talk([("Die Fähre legt früh ab.", "Noted."), *turns(8, "Good. ")])
    noted = [
        fact("The ferry leaves early in the morning.", 1),
        fact("The person owns a ferry.", 999),
        fact("The assistant noted it.", 2),
        fact("The ferry leaves late.", 3, replaces=[7]),
        fact("so " * 300, 3),
        fact(" ", 3),
    ]
    scripted.on("key_facts").json({"facts": noted})
    scripted.on("summary").json({"summary": "The person asks about the ferry."})
    summarise(session.pk, "request")
    after = fresh(session)
    assert texts(holding(from_json(after.key_facts))) == [noted[0]["text"]]
    assert after.summary == "The person asks about the ferry."
    counted = AnswerCheck.objects.filter(stage="key_facts").values_list("reason", "items")
    assert dict(counted) == {
        AnswerCheck.USED: 1,
        "not_the_persons_message": 2,
        "unknown_id": 1,
        "too_long": 1,
        "empty": 1,
    }


def fact(text, message, replaces=(), is_withdrawal=False):
    return {"text": text, "kind": "statement", "message": message,
            "replaces": list(replaces), "is_withdrawal": is_withdrawal}  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_a_fact_that_a_message_takes_back_goes_and_returns_with_it(talk, scripted):
    session = talk([("We have a cat named Miso.", "Lovely."), *turns(60)])
    scripted.on("summary").json({"summary": "About a house."})
    scripted.on("key_facts").json({"facts": [fact("They have a cat named Miso.", 1)]})
    summarise(session.pk, "request")
    assert texts(load(fresh(session)).facts) == ["They have a cat named Miso."]
    gone = say(session, "Please forget the cat.")
    scripted.on("key_facts").json({"facts": [fact("", gone.seq, [1], is_withdrawal=True)]})
    summarise(session.pk, "request")
    assert texts(load(fresh(session)).facts) == []
    gone.superseded_at = timezone.now()
    gone.save()
    assert texts(load(fresh(session)).facts) == ["They have a cat named Miso."]


def test_a_fact_goes_with_the_message_that_said_it(talk):
    session = talk([("The vault is 12 metres long.", "Noted."), *turns(60)])
    summarise(session.pk, "over_budget")
    assert any("12 metres" in text for text in texts(load(fresh(session)).facts))
    Message.objects.filter(session=session, seq=1).update(superseded_at=timezone.now())
    assert not any("12 metres" in text for text in texts(load(fresh(session)).facts))
    summarise(session.pk, "request")
    assert "12 metres" not in f"{fresh(session).key_facts} {fresh(session).summary}"


def test_a_summary_of_a_replaced_message_is_not_sent_and_made_anew(talk):
    session = talk(turns(60))
    wrong = say(session, "I want to give up and sell the house, please help me with that.")
    summarise(session.pk, "request")
    assert "sell the house" in f"{fresh(session).summary} {fresh(session).key_facts}"
    wrong.superseded_at = timezone.now()
    wrong.save()
    assert load(fresh(session)).summary == ""
    summarise(session.pk, "request")
    after = fresh(session)
    assert after.summary
    assert "sell the house" not in f"{after.summary} {after.key_facts}"


def test_quiet_sessions_are_found(talk, drain):
    quiet, busy, short = talk(turns(8)), talk(turns(8)), talk(turns(2))
    past = timezone.now() - timedelta(minutes=16)
    Session.objects.filter(pk__in=[quiet.pk, short.pk]).update(updated_at=past)
    assert sweep() == 1
    drain()
    assert fresh(quiet).summary_seq == 16
    assert fresh(busy).summary_seq == fresh(short).summary_seq == 0
    assert sweep() == 0


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_turns_count_their_tokens_and_a_long_talk_is_compacted_behind_them(
    start, alice, identity_for, echo_guide, drain
):
    session = start(alice)
    drain()
    opening = session.messages.get()
    assert opening.token_count == tokens.count_message(opening.text, opening.parts)
    for number in range(12):
        text = f"I need {number}. {LONG}{LONG}"
        send_message(identity=identity_for(alice), session=session, text=text)
        drain()
    after = fresh(session)
    assert after.token_count == sum(session.messages.values_list("token_count", flat=True))
    assert after.summary_seq > 0
    send_message(identity=identity_for(alice), session=session, text="/end")
    drain()
    assert fresh(session).summary_seq == session.messages.count()
