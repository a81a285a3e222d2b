"""What the rules take for a fact, and what they do when the person takes one back."""

import pytest

from chat.memory.corrections import Said
from chat.memory.facts import bounded, cost, from_json, holding, learned, to_json
from chat.memory.sentences import read, sentences


def told(*messages):
    """What holds after these messages of the person, as one text."""
    said = [Said(f"m{seq}", seq, text) for seq, text in enumerate(messages, start=1)]
    facts = learned([], said)
    again = [fact.text for fact in holding(learned(facts, said))]
    assert again == [fact.text for fact in holding(facts)]  # reading twice learns nothing new
    return "\n".join(again)


@pytest.mark.parametrize(
    ("before", "after", "holds", "gone"),
    [
        ("My sister is called Lena and comes on Thursday.", "It's Lina, not Lena.",
         ["Lina and comes on Thursday"], ["Lena"]),
        ("Our budget is 5,000 euros for the flat.", "Actually, the budget is 7,000 euros.",
         ["7,000 euros for the flat"], ["5,000"]),
        ("Our budget is 5,000 euros.", "Our budget is 7,500 euros.", ["7,500"], ["5,000"]),
        ("The party is on Friday in the barn.", "We moved the party from Friday to Saturday.",
         ["Saturday in the barn"], ["Friday"]),
        ("The treads are pine.", "We'll use oak instead of pine.", ["oak"], ["pine"]),
        ("The deadline is 1 March.", "Sorry, the deadline is the 4th of April.",
         ["4th of April"], ["1 March"]),
        ("We meet at 9:30 in the hall.", "Change of plan, we meet at 10:15 in the hall.",
         ["10:15"], ["9:30"]),
        ("I need 18 chairs.", "Not 18 chairs but 22 chairs, I counted.", ["22 chairs"], ["18"]),
        ("The city gave 45,000 kronor.", "The city raised it from 45,000 to 52,000 kronor.",
         ["52,000 kronor"], ["45,000"]),
        ("We have a cat named Miso.", "Forget what I said about the cat named Miso.", [],
         ["Miso"]),
        ("I eat meat on Sundays.", "I no longer eat meat.", ["no longer eat meat"], ["Sundays"]),
        ("I live in Oslo with Per.", "Wait, I mean I live in Bergen with Per.",
         ["Bergen with Per"], ["Oslo"]),
    ],
)  # fmt: skip
def test_a_correction_takes_the_place_of_what_it_corrects(before, after, holds, gone):
    kept = told(before, after)
    assert all(words in kept for words in holds), kept
    assert not any(words in kept for words in gone), kept


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I grew up in Helsinki.", "Parcels should go to Turku, not Oulu."),
        ("The door is red.", "It's not red, I think, it is rather faded."),
        ("I eat meat.", "I do not eat fish."),
        ("We have 40 books about boats.", "The budget is 900 euros now."),
        ("The ramp is 3 metres long.", "Actually the stair has 14 steps."),
        ("My brother lives in Rome.", "My sister lives in Paris."),
    ],
)
def test_what_is_no_correction_takes_nothing_away(before, after):
    assert before in told(before, after)


def test_only_the_fact_that_is_meant_gives_way():
    kept = told("I grew up in Helsinki.", "Parcels go to Helsinki too.",
                "Parcels should go to Turku, not Helsinki.")  # fmt: skip
    assert "grew up in Helsinki" in kept
    assert "Parcels go to Turku too." in kept
    assert "Parcels go to Helsinki" not in kept


@pytest.mark.parametrize(
    "text", ["ok", "Thanks a lot!", "Yes, sounds good.", "hm", "What do you think?", "lol ok then"]
)
def test_small_talk_is_no_fact(text):
    assert told(text) == ""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We decided to keep the stove.", "decision"),
        ("I prefer tea.", "preference"),
        ("The vet comes on 3 May.", "date"),
        ("It weighs 40 kilos.", "number"),
        ("I work with Ines Duarte.", "name"),
        ("The parcel came from Lisbon.", "place"),
    ],
)
def test_facts_have_a_kind(text, kind):
    assert read(text).kind == kind


def test_abbreviations_and_numbers_do_not_end_a_sentence():
    text = "Dr. Meyer paid 3.50 euros at 9.30. He came back, e.g. on Monday.\nThen; nothing."
    assert list(sentences(text)) == [
        "Dr. Meyer paid 3.50 euros at 9.30.",
        "He came back, e.g. on Monday.",
        "Then",
        "nothing.",
    ]


def test_facts_stay_within_their_room_and_the_weighty_ones_remain():
    chatter = [f"We talked about the {word} shed again." for word in "abcdefghijklmnop" * 30]
    facts = learned([], [Said(str(n), n, text) for n, text in enumerate(chatter, start=2)])
    facts = learned(facts, [Said("1", 1, "I am allergic to 3 kinds of nuts, says Dr. Meyer.")])
    kept = bounded(facts, tokens=200)
    assert sum(cost(fact) for fact in kept) <= 200
    assert any("allergic" in fact.text for fact in kept)


def test_facts_survive_their_json_and_foreign_rows_are_left_out():
    facts = learned([], [Said("m1", 1, "My name is Ada. I live in Rome.")])
    assert from_json(to_json(facts)) == facts
    assert from_json([{"text": "x"}, 5, None, *to_json(facts)]) == facts
    assert from_json({"not": "a list"}) == []
