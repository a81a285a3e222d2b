"""Quick add over a set of lines: no wrong date, no lost word, and only what was read is marked."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import uuid
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings, strategies as st

from futura.language.quick_add import read
from tests.extent import examples

PROJECTS = {"Kitchen": uuid.UUID(int=1), "Website": uuid.UUID(int=2)}
NAMES = [(PROJECTS["Kitchen"], "Kitchen renovation"), (PROJECTS["Website"], "Website Redesign")]
SETS = ("quick_add.jsonl", "quick_add_languages.jsonl")
LINES = [
    json.loads(line)
    for name in SETS
    for line in (Path(__file__).parents[1] / "eval" / name).read_text().splitlines()
]
TODAY = dt.date(2026, 11, 25)  # a Wednesday


def is_unseen(case):
    """A third that no rule was written for, by the hash of its text."""
    return int(hashlib.sha256(case["text"].encode()).hexdigest(), 16) % 3 == 0


def fields_of(case):
    """What is read of a line, named as in the set."""
    todo = read(
        case["text"],
        today=dt.date.fromisoformat(case["today"]),
        language=case["language"],
        projects=NAMES,
    )
    project = next((name for name, pk in PROJECTS.items() if pk == todo.project), None)
    values = {
        "title": todo.title,
        "due_date": todo.due_date and str(todo.due_date),
        "start_date": todo.start_date and str(todo.start_date),
        "due_time": todo.due_time and f"{todo.due_time:%H:%M}",
        "repeat": todo.repeat,
        "priority": todo.priority,
        "project": project,
        "estimate_days": todo.estimate_days and str(todo.estimate_days.normalize()),
    }
    return {name: value for name, value in values.items() if value}, todo


def letters(text):
    return sorted(letter for letter in text.casefold() if letter.isalnum())


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_a_line_is_read_as_the_set_says(language):
    wrong = {}
    for case in (item for item in LINES if item["language"] == language):
        asked = {"text", "today", "language"}
        expected = {name: value for name, value in case.items() if name not in asked}
        values = fields_of(case)[0]
        if values != expected:
            wrong[case["text"]] = (values, expected)
    assert wrong == {}


def test_the_set_has_four_hundred_lines_and_a_third_unseen():
    assert len(LINES) >= 400
    assert all(sum(case["language"] == item for case in LINES) >= 60 for item in ("de", "es", "fr"))
    assert sum(map(is_unseen, LINES)) >= len(LINES) // 4
    assert {case["language"] for case in LINES} == {"en", "de", "es", "fr"}


_WORDS = st.sampled_from(
    """call friday Friday's tomorrow 3pm 3pm-5pm at on by due 12/5 25 Dec #website #x !high !!! !!
    every from to - – ( ) "a b" “c in 3 days next week month the 1st 2026-12-01 15h noon , . : ; 🎉
    #42 before starting end of 2020-01-01 high priority ! # 2h bis morgen el lunes le 5 mars
    montags am 5. nächsten Monats 15–17 Uhr von de 15 a 17h los lunes les mardis du soir sur deux
    \ue000 ʼn ß İ ½ ٣ 31.12. 29 February""".split()
)  # fmt: skip


@settings(max_examples=examples(150), deadline=None)
@given(
    st.one_of(st.text(max_size=300), st.lists(_WORDS, max_size=14).map(" ".join)),
    st.sampled_from(["en", "de", "es", "fr"]),
)
def test_no_word_is_lost_and_spans_are_in_order(line, language):
    todo = read(line, today=TODAY, language=language, projects=NAMES)
    marked = "".join(line[span.start : span.end] for span in todo.spans)
    assert letters(todo.title + marked) == letters(line)
    places = [place for span in todo.spans for place in (span.start, span.end)]
    assert places == sorted(places)
    assert all(0 <= span.start < span.end <= len(line) for span in todo.spans)
    assert todo.due_date or not (todo.due_time or todo.repeat)
    if any(letter.isalnum() for letter in line):
        assert todo.title.strip()


@pytest.mark.parametrize("piece", ["word ", "Friday 3pm ", "#launch !high ", "🎉", "#", "-", ". "])
def test_a_line_of_500_characters_is_read_at_once(piece):
    before = process_time()
    read((piece * 500)[:500], today=TODAY, projects=NAMES)
    assert process_time() - before < 1


@pytest.mark.parametrize(
    ("clock", "day"), [(dt.time(8), TODAY), (dt.time(16), TODAY + dt.timedelta(1))]
)
def test_a_time_without_a_day_is_the_next_time_that_the_clock_says_so(clock, day):
    assert read("call Bob at 3pm", today=TODAY, clock=clock).due_date == day
