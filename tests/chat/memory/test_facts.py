"""What is kept of the facts: within their room, as JSON, and without a model word for word."""

from chat.memory.facts import bounded, cost, from_json, to_json, with_sentences
from chat.memory.prompts import Line
from chat.memory.shapes import Fact


def said(*texts):
    return [Line(seq, True, text, f"m{seq}") for seq, text in enumerate(texts, start=1)]


def test_without_a_model_a_message_is_remembered_by_its_first_sentences():
    lines = said("ok. oh and the roof leaks", "Das Dach\nleckt. " + "Noch ein Satz. " * 40, " ")
    lines.append(Line(4, False, "The assistant says nothing of its own.", "m4"))
    facts = with_sentences([], lines)
    assert facts[0] == Fact("ok. oh and the roof leaks", "statement", "m1", 1)
    assert facts[1].text.startswith("Das Dach leckt. Noch ein Satz.")
    assert facts[1].text.endswith("Satz.")
    assert len(facts) == 2
    assert with_sentences(facts, lines) == facts


def test_facts_stay_within_their_room_and_the_newest_remain():
    facts = with_sentences([], said(*(f"We talked about shed {n} again." for n in range(400))))
    kept = bounded(facts, tokens=200)
    assert cost(kept) <= 200
    assert kept == facts[-len(kept) :]
    replaced = Fact("Gone.", "name", "m1", 1, superseded_by="m2", superseded_seq=2)
    assert bounded([replaced, *facts], tokens=200) == [replaced, *kept]


def test_facts_survive_their_json():
    facts = with_sentences([], said("My name is Ada. I live in Rome."))
    assert from_json(to_json(facts)) == facts
