"""Many played conversations: no question twice, every reply within its limits."""

import itertools
import random
import re

import pytest

from futura.text import content_overlap, content_stems
from onet.models import Occupation
from tasks.interview.bank import bank
from tasks.interview.reply import SENTENCE_END, question_in
from tasks.interview.state import Tool
from tests.extent import every
from tests.tasks.interview.talking import Talk, midway

CONVERSATIONS = 26
TURNS = 18

PERSONAS = {
    "terse": ["yes", "no", "sometimes", "reports", "meetings", "not really", "ok", "emails", "nope",
              "yes, the ledger", "maybe", "phone", "I guess", "some stuff", "no idea"],
    "steady": ["I check the meters every morning", "I write the shift report", "No, others do that",
               "I order parts when stock runs low", "I show new people how the press works",
               "I talk to the suppliers about late deliveries", "yes, twice a month",
               "I plan who works when", "not really", "I keep the logbook", "no"],
    "chatty": ["I answer forty mails a day, sort out who gets which room, calm down parents.",
               "Oh yes, and I prepare the minutes for the board, book flights and order lunch.",
               "I used to do payroll but now I only check the timesheets and chase people.",
               "My boss decides the budget, I just collect the figures from each team."],
    "sarcastic": ["oh great, another survey", "I push paper from left to right", "why?",
                  "why do you need to know?", "lol", "I survive meetings", "what do you mean?",
                  "I fix what others break", "no comment"],
    "card picker": ["*", "those fit", "*", "dunno", "*", "yes", "*", "I also do invoices"],
}  # fmt: skip


def _played(persona: str, title: str, code: str, seed: int) -> Talk:
    dice = random.Random(seed)
    talk = Talk(title, seed=seed, occupation_code=code)
    talk.say()
    lines = PERSONAS[persona]
    for turn in range(TURNS):
        line = lines[turn % len(lines)] if dice.random() < 0.5 else dice.choice(lines)
        if line == "*":
            open_cards = [c.id for c in talk.state.cards]
            unpicked = [i for i in open_cards if i not in talk.state.selected_suggestion_ids]
            talk.state.selected_suggestion_ids += unpicked[: dice.randint(1, 3)]
            line = "I picked some" if unpicked else "what else is there"
        talk.say(line)
    return talk


def sentences_of(text: str) -> list[str]:
    return [part for part in SENTENCE_END.split(text.strip()) if part]


def _questions(talk: Talk) -> list[str]:
    return [
        sentence
        for reply in talk.replies
        for sentence in sentences_of(reply)
        if sentence.endswith("?")
    ]


def _conversations(every: int):
    jobs = list(Occupation.objects.order_by("code").values_list("title", "code"))
    dice = random.Random(7)
    for seed in range(0, CONVERSATIONS, every):
        title, code = dice.choice(jobs)
        persona = list(PERSONAS)[seed % len(PERSONAS)]
        yield _played(persona, title, code if seed % 4 else "", seed)


@every(13)
def test_in_long_conversations_nothing_is_asked_twice_and_limits_hold(starter, every):
    played = 0
    for talk in _conversations(every):
        played += 1
        assert talk.state.turn_count == TURNS
        questions = _questions(talk)
        for left, right in itertools.combinations(questions, 2):
            assert content_overlap(left, right) < 0.6, (left, right)
            assert left.lower() != right.lower()
        areas = [item.area for item in talk.state.asked if item.area]
        assert len(areas) == len(set(areas))
        for tool, reply in zip(talk.tools, talk.replies, strict=True):
            _within_limits(tool, reply)
        assert talk.state.suggestions_shown <= 3
        for first, second in itertools.pairwise(talk.tools):
            assert (first, second) not in {
                ("show_suggestions", "show_suggestions"),
                ("follow_up", "follow_up"),
                ("offer_to_proceed", "offer_to_proceed"),
            }
        statements = [text.lower() for text in talk.state.shown_suggestion_statements]
        assert len(statements) == len(set(statements))
    assert played >= CONVERSATIONS // every


def _within_limits(tool: str, reply: str) -> None:
    sentences = sentences_of(reply)
    most = {"open_ended_prompt": 3, "offer_to_proceed": 4, "encourage_more": 3}.get(tool, 2)
    assert 1 <= len(sentences) <= most, reply
    assert reply.count("?") <= 1, reply
    if tool not in {"proceed", "offer_to_proceed", "encourage_more"}:
        assert reply.count("?") == 1, reply
    assert not re.match(r"(?i)(hi|hello|hey|welcome|good (morning|afternoon))\b", reply)
    assert "  " not in reply
    assert "{" not in reply


def test_no_two_questions_of_the_bank_are_near_duplicates():
    texts = bank()
    questions = [(area.id, text) for area in texts.area for text in (*area.open, *area.closed)]
    questions += [(f"more {key}", text) for key, text in texts.more.items()]
    for name in ("offer", "suggest"):
        questions += [(f"{name} {n}", question_in(t)) for n, t in enumerate(texts.wordings[name])]
    for (one, left), (other, right) in itertools.combinations(questions, 2):
        if one != other:
            assert content_overlap(left, right) < 0.6, (left, right)
    assert all(content_stems(text) for _, text in questions)


@pytest.mark.django_db
def test_a_plain_yes_confirms_what_a_closed_question_names():
    talk = midway(tasks=3, turns=2, pending_suggestions=["mentor colleagues"])
    talk.say("yes")
    assert talk.state.activity_texts[-1] == "mentor colleagues"


def test_the_intro_of_the_cards_names_no_task(starter):
    talk = Talk("Data Analyst", occupation_code="15-2051.00")
    talk.say()
    reply = talk.say("dunno")
    assert talk.tool == Tool.SUGGEST
    for card in talk.shown("suggestions")["cards"]:
        assert len(content_stems(card["statement"]) & content_stems(reply)) <= 1
