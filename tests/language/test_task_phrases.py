"""The phrase finder: laws over any text, and the turns of phrase it must read rightly."""

from __future__ import annotations

from collections import namedtuple
from itertools import pairwise
from time import thread_time

import pytest
from hypothesis import example, given, settings, strategies as st

from futura.language.task_phrases import phrases_of, tasks_in
from futura.text import content_overlap
from tests.extent import examples, some

Turn = namedtuple("Turn", "role text")

ANY_TEXT = st.text(max_size=400)
WORDY = st.lists(
    st.sampled_from(
        "i I we my boss the and or but not don't write writing reports report clean , ; . ?"
        " then both no yes first two all of those \n - clients it them do did used to would if when"
        " meetings data analysis except for with & “ ’ <b> 12 café 日本 🙂".split(" ")
    ),
    max_size=60,
).map(" ".join)
QUESTIONS = st.sampled_from(
    ["", "Do you write reports or clean floors?", "What do you do?", "Which tools?"]
)


@given(text=st.one_of(ANY_TEXT, WORDY), question=st.one_of(QUESTIONS, WORDY))
@example(text="All ", question="Do you write reports or clean floors?")
@settings(max_examples=examples(300), deadline=None)
def test_every_span_is_an_exact_stretch_and_none_overlap(text, question):
    spans = tasks_in(text, question=question)
    for span in spans:
        assert 0 <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == span.quote
        assert span.raw.strip() == span.raw != ""
    stretches = sorted({(span.start, span.end) for span in spans})
    for (_, end), (start, _) in pairwise(stretches):
        assert end <= start


@given(turns=st.lists(st.tuples(st.sampled_from(["user", "assistant"]), WORDY), max_size=6))
@settings(max_examples=examples(100), deadline=None)
def test_every_phrase_points_into_a_message_of_the_person(turns):
    talk = [Turn(role, text) for role, text in turns]
    for task in phrases_of(talk):
        assert talk[task.turn_index].role == "user"
        assert talk[task.turn_index].text[task.start : task.end] == task.quote


@pytest.mark.thorough
@pytest.mark.parametrize(
    "unit",
    some(
        [
            "I write reports and ",
            "a",
            "i i i ",
            "and ",
            "the boss ",
            "if ",
            "x, ",
            "( ",
            "I did it. ",
        ],
        4,
    ),
)
def test_time_grows_with_the_length_and_not_faster(unit):
    def seconds(size: int) -> float:
        text = (unit * size)[:size]
        best = 1e9
        for _ in range(3):
            started = thread_time()
            tasks_in(text)
            best = min(best, thread_time() - started)
        return best

    seconds(1_000)
    short, long = seconds(2_500), seconds(10_000)
    assert long < 12 * short + 0.05


def raws(text: str, question: str = "") -> list[str]:
    return [span.raw for span in tasks_in(text, question=question)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I write and review reports", ["write reports", "review reports"]),
        ("mostly reports and analysis", ["reports", "analysis"]),
        ("I season with salt and pepper", ["season with salt and pepper"]),
        ("I draft terms and conditions", ["draft terms and conditions"]),
        ("I run research and development", ["run research and development"]),
        ("data analysis w/ sql & sometimes python", ["data analysis w/ sql"]),
        ("I'm responsible for hiring and payroll", ["hiring", "payroll"]),
        ("My job is to keep the books", ["keep the books"]),
        ("I get to feed the lions", ["feed the lions"]),
        ("We paint houses", ["paint houses"]),
        ("I help the nurse lift patients", ["help the nurse lift patients"]),
        ("I do everything except invoicing", []),
        ("stakeholder meetings, writing specs", ["stakeholder meetings", "writing specs"]),
        ("i check temps i order stock", ["check temps", "order stock"]),
        (
            "The bees: I feed them and plan which hives go where",
            ["feed them", "plan which hives go where"],
        ),
        ("I work in a ward where I assess patients", ["assess patients"]),
        ("I've also been writing wall texts", ["writing wall texts"]),
        ("<p>I prepare <b>accounts</b></p><script>alert(1)</script>", ["prepare accounts"]),
        ("I am clean the offices", ["clean the offices"]),
        ("I clean data that the sales team exports", ["clean data"]),
        ("I sign off the plans, then I file them", ["sign off the plans", "file them"]),
        ("- sorting mail\n- filing letters", ["sorting mail", "filing letters"]),
    ],
)
def test_own_tasks_are_found_and_split_only_where_two_actions_are(text, expected):
    assert raws(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "My boss decides the prices.",
        "Mechanic repairs car.",
        "Vet comes on Tuesdays to check the cows",
        "customers complain about late deliveries",
        "Underwriting decides on approval",
        "Hiring decisions are made by the heads",
        "a company in Korea sequences the DNA",
        "Most people think we just cuddle animals",
        "salary negotiations (no - that's my manager)",
        "They want me to work weekends",
        "I once assisted a photographer",
        "I've been thinking about directing",
        "No cleaning, there's a crew for that",
        "dunno",
        "those fit",
        "continue",
        "the other team handles returns",
        "The waiters take the orders.",
        "Forensics analyses the samples",
        "Payroll is done by HR.",
        "I do not clean.",
        "I don't weld, rivet or grind parts",
        "I never answer the phones",
        "I no longer teach classes",
        "I used to weld ships and paint hulls",
        "In my last job I managed a team and ran payroll.",
        "I'd like to manage a team",
        "I want to design games one day",
        "If I had time I would garden",
        "I can speak four languages",
        "I know Excel and SAP",
        "I work in an office in Leeds",
        "I am a nurse",
        "I have a degree in law",
        "I love my team and the office is great",
        "As I mentioned, that's everything",
        "Good question!",
        "I think that covers it",
        "thanks for asking",
        "",
        "   \n ",
        "🙂🙂",
    ],
)
def test_what_is_not_the_persons_own_present_work_is_left_out(text):
    assert raws(text) == []


THREE = "Do you plan lessons, mark homework, or run the choir?"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("all of those", ["plan lessons", "mark homework", "run the choir"]),
        ("All three!", ["plan lessons", "mark homework", "run the choir"]),
        ("the first two", ["plan lessons", "mark homework"]),
        ("the first", ["plan lessons"]),
        ("only the second", ["mark homework"]),
        ("the last one", ["run the choir"]),
        ("neither", []),
        ("none of those", []),
        ("no", []),
        ("No, my colleague does.", []),
    ],
)
def test_an_answer_takes_what_the_question_offered(answer, expected):
    assert raws(answer, THREE) == expected


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Do you gather market research or customer insights?", "both",
         ["gather market research", "gather customer insights"]),
        ("Do you write letters or answer calls?", "the latter", ["answer calls"]),
        ("Do you also train colleagues?", "yes, weekly", ["train colleagues"]),
        ("Do you also train colleagues?", "I do", ["train colleagues"]),
        ("Do you also train colleagues?", "not really", []),
        ("What tools do you use?", "Mostly SQL and sometimes Python", []),
        ("Is there anything else?", "no, that's all", []),
    ],
)  # fmt: skip
def test_yes_no_and_both_are_read_from_the_question(question, answer, expected):
    assert raws(answer, question) == expected


def test_a_confirmation_quotes_the_confirming_words():
    (first, second) = tasks_in("Both, sadly.", question="Do you bake bread or ice cakes?")
    assert first.quote == second.quote == "Both, sadly"


def test_the_same_task_told_twice_counts_once():
    talk = [Turn("user", "I write weekly reports."), Turn("user", "and I write weekly reports")]
    (task,) = phrases_of(talk)
    assert content_overlap(task.raw, "write weekly reports") >= 0.5
    assert task.turn_index == 0


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Do you read plans or does someone else do that?", "Someone else does that.", []),
        ("Do you mow lawns, prune trees or dig?", "neither of the first two, just dig", ["dig"]),
        ("Do you order parts or fix cars?", "no, only fix cars", ["fix cars"]),
        ("Who orders the stock?", "the boss", []),
        ("How do you greet guests?", "yes", []),
        ("What do you do when you greet guests?", "yes", []),
        ("Would you like to continue or look at your tasks now?", "continue", []),
        ("Would you like to wrap up and review your task list?", "yes", []),
        ("Or should I take you to the review?", "yes please", []),
        ("Anything to add before we move on?", "the stocktake", ["the stocktake"]),
    ],
)
def test_answers_take_from_the_question_what_they_name_and_nothing_of_the_talk(
    question, answer, expected
):
    assert raws(answer, question) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bienen füttern, Honig schleudern; Rähmchen reparieren",
         ["Bienen füttern", "Honig schleudern", "Rähmchen reparieren"]),
        ("- alimentar las abejas\n- vender miel", ["alimentar las abejas", "vender miel"]),
        ("蜂に餌をやる、蜂蜜を採る", ["蜂に餌をやる", "蜂蜜を採る"]),
        ("Ich füttere Bienen. Am 12. Juni schleudere ich Honig!",
         ["Ich füttere Bienen", "Am 12. Juni schleudere ich Honig"]),
        ("...\n, 12", []),
    ],
)  # fmt: skip
def test_in_other_languages_a_line_or_a_comma_separates_tasks(text, expected):
    phrases = tasks_in(text, language="de")
    assert [phrase.raw for phrase in phrases] == expected
    assert all(text[phrase.start : phrase.end] == phrase.quote for phrase in phrases)


def test_english_words_from_a_german_browser_are_read_as_english():
    text = "I repair the pumps and order spare parts for my team"
    assert [p.raw for p in tasks_in(text, language="de")] == [p.raw for p in tasks_in(text)]
    assert len(tasks_in("Ich repariere Pumpen, bestelle Teile", language="de")) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I plan lessons, and honestly I rather like that part.", ["plan lessons"]),
        ("There is always something going on here. I rather like sorting mail.", ["sorting mail"]),
    ],
)
def test_what_somebody_thinks_of_the_work_is_no_task(text, expected):
    assert [phrase.raw for phrase in tasks_in(text)] == expected
