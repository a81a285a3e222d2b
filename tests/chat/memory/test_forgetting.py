"""How much of a long conversation reaches the model: forty planted facts in a hundred turns."""

import datetime as dt
import re

import pytest

from chat.memory.prompts import assemble
from chat.memory.queries import load
from chat.memory.shapes import BUDGET, COMPACT_AT
from chat.memory.summary import summarise
from chat.memory.tokens import count_message
from chat.models import Message, Session
from tests.chat.memory import planted
from tests.chat.memory.conftest import write

INSTRUCTIONS = "You help people plan the rebuilding of old houses. " * 20
RECORDS = '{"project": {"title": "The mill", "status": "active"}}'


def play(session, turns):
    """The turns one after the other; compaction as often as the engine would ask for it."""
    compactions = 0
    for turn in turns:
        write(session, [(planted.person_says(turn), planted.assistant_says(turn))])
        if turn % 5 == 0:
            compactions += summarise(session.pk, "over_budget")
            session.refresh_from_db()
    return compactions


def sent(session):
    """All that a model is sent for the next message."""
    asked = Message(session=session, seq=10_000, role="user", text="So where do we stand?")
    context = load(Session.objects.get(pk=session.pk), message=asked)
    return assemble(context, instructions=INSTRUCTIONS, state=RECORDS)


def kept_and_returned(prompt):
    """Which of the forty are in a prompt, and which corrected words are in its memory."""
    whole = "\n".join(message["content"] for message in prompt)
    memory = prompt[0]["content"]
    kept = [fact for fact in planted.FACTS if all(word in whole for word in fact.words)]
    back = [word for fact in planted.FACTS for word in fact.gone if word in memory]
    return kept, back


def missing(kept):
    return [fact.words for fact in planted.FACTS if fact not in kept]


def test_the_script_is_as_long_as_it_says():
    assert len(planted.FACTS) == 40
    assert len({fact.turn for fact in planted.FACTS} | set(planted.CORRECTIONS)) == 47


@pytest.mark.thorough
def test_first_sentences_keep_the_planted_facts_of_a_hundred_turns(talk):
    session = talk([])
    assert play(session, range(1, 101)) >= 2
    assert session.token_count > COMPACT_AT
    kept, _back = kept_and_returned(sent(session))
    assert len(kept) >= 38, missing(kept)


@pytest.mark.django_db(transaction=True)
def test_what_a_model_notes_and_replaces_is_what_is_sent(scripted, participant_of, alice):
    scripted.on("summary").json({"summary": "The person rebuilds a mill."})
    scripted.on("key_facts").json(faithful)
    session = Session.objects.create(participant=participant_of(alice), kind="echo")
    assert play(session, range(1, 101)) >= 2
    assert scripted.of("summary")
    kept, _back = kept_and_returned(sent(session))  # some corrections stand in recent messages
    assert len(kept) == 40, missing(kept)
    summarise(session.pk, "request")
    kept, back = kept_and_returned(sent(session))
    assert len(kept) == 40, missing(kept)
    assert back == []


@pytest.mark.django_db(transaction=True)
def test_a_model_is_told_on_which_day_of_the_person_something_was_said(
    scripted, participant_of, alice
):
    scripted.on("summary").json({"summary": "The person rebuilds a mill."})
    scripted.on("key_facts").json({"facts": []})
    person = participant_of(alice)
    person.time_zone = "Asia/Tokyo"
    person.save()
    session = Session.objects.create(participant=person, kind="echo")
    write(session, [("I order the millstone tomorrow.", "Good."), ("It has come.", "Good.")])
    late = dt.datetime(2026, 11, 6, 20, tzinfo=dt.UTC)  # Saturday there
    session.messages.filter(seq__lte=2).update(created_at=late)
    session.messages.filter(seq__gt=2).update(created_at=late + dt.timedelta(days=9))
    summarise(session.pk, "request")
    for stage in ("summary", "key_facts"):
        asked = scripted.of(stage)[-1].text
        assert "(Saturday, 2026-11-07)\n[1] person: I order the millstone tomorrow." in asked
        assert "(Monday, 2026-11-16)\n[3] person: It has come." in asked


def faithful(request):
    """Notes each planted fact, and each correction in place of the fact that it corrects."""
    known = dict(re.findall(r"^(\d+)\. (.+)$", request.text, re.MULTILINE))
    messages = re.findall(r"^\[(\d+)\] person: (.+)$", request.text, re.MULTILINE)
    facts = []
    for seq, text in messages:
        turn = (int(seq) + 1) // 2
        if turn in planted.CORRECTIONS:
            gone = next(item for item in planted.FACTS if item.turn == CORRECTED[turn])
            replaces = [int(number) for number, fact in known.items() if fact == gone.said]
            text = f"It is {' and '.join(gone.words)} now."
            facts.append(noted(text, int(seq), replaces))
        elif any(item.turn == turn for item in planted.FACTS):
            corrected = (c for c, fact in CORRECTED.items() if fact == turn)
            if not any(str(2 * later - 1) in dict(messages) for later in corrected):
                facts.append(noted(text, int(seq)))
    return {"facts": facts}


CORRECTED = {22: 7, 27: 14, 34: 21, 44: 28, 57: 33, 63: 50, 74: 60}
"""The turn of each correction and of the fact that it corrects."""


def noted(text, seq, replaces=()):
    return {"text": text, "kind": "statement", "message": seq, "replaces": list(replaces),
            "is_withdrawal": False}  # fmt: skip


@pytest.mark.thorough
def test_a_prompt_stays_within_its_budget_over_a_thousand_turns(talk):
    session = talk(
        [(planted.person_says(n % 100), planted.assistant_says(n)) for n in range(1_000)]
    )
    assert total(sent(session)) <= BUDGET  # before anybody summarised
    summarise(session.pk, "over_budget")
    session.refresh_from_db()
    assert session.summary_seq > 1_900
    prompt = sent(session)
    assert total(prompt) <= COMPACT_AT
    assert len(prompt) > 10
    assert prompt[-1]["content"] == "So where do we stand?"
    write(session, [("Go on.", "word " * 4_000)] * 30)
    assert total(sent(session)) <= BUDGET


def total(prompt):
    return sum(count_message(message["content"]) for message in prompt)
