"""Quick add: what a line says, what stays in its title, and that no word is ever lost."""

from __future__ import annotations

import datetime as dt
import uuid
from time import perf_counter
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projects.language.quick import parse
from tests.extent import examples

LAUNCH, SITE, KITCHEN = (uuid.UUID(int=number) for number in (1, 2, 3))
PROJECTS = [(LAUNCH, "Q4 Launch"), (SITE, "Website Redesign"), (KITCHEN, "Kitchen renovation")]
NOW = dt.datetime(2026, 11, 25, 10, 0, tzinfo=ZoneInfo("Europe/London"))  # a Wednesday


def read(line, now=NOW):
    return parse(line, now=now, projects=PROJECTS)


@pytest.mark.parametrize(
    ("line", "title", "due"),
    [
        ("buy milk tomorrow", "Buy milk", "2026-11-26"),
        ("tomorrow call mum", "Call mum", "2026-11-26"),
        ("CALL MUM TMRW!!!", "CALL MUM!!!", "2026-11-26"),
        ("lunch tomorrow with Ana", "Lunch with Ana", "2026-11-26"),
        ("Friday: retro notes", "Retro notes", "2026-11-27"),
        ("fix bug (Friday)", "Fix bug", "2026-11-27"),
        ("gym fri", "Gym", "2026-11-27"),
        ("buy iPhone friday", "Buy iPhone", "2026-11-27"),
        ("iPhone repair friday", "iPhone repair", "2026-11-27"),
        ("🎉 party friday 🎉", "🎉 party 🎉", "2026-11-27"),
        ("release v2.5 friday", "Release v2.5", "2026-11-27"),
        ("send by Friday the report", "Send the report", "2026-11-27"),
        ("meet Bob on Friday about the budget", "Meet Bob about the budget", "2026-11-27"),
        ("submit it on or before Friday", "Submit it", "2026-11-27"),
        ("submit thesis before Friday", "Submit thesis", "2026-11-26"),
        ("order cake for Saturday", "Order cake", "2026-11-28"),
        ("call mum Sun", "Call mum", "2026-11-29"),
        ("Christmas shopping this weekend", "Christmas shopping", "2026-11-29"),
        ("send deck next Friday", "Send deck", "2026-12-04"),
        ("dentist friday week", "Dentist", "2026-12-04"),
        ("a week on Friday: gym", "Gym", "2026-12-04"),
        ("call Bob next week", "Call Bob", "2026-12-06"),
        ("in 3 days call the bank", "Call the bank", "2026-11-28"),
        ("call the bank in 3 days", "Call the bank", "2026-11-28"),
        ("return books in a week", "Return books", "2026-12-02"),
        ("email eod", "Email", "2026-11-25"),
        ("taxes end of month", "Taxes", "2026-11-30"),
        ("taxes by end of month", "Taxes", "2026-11-30"),
        ("pay rent by the 1st", "Pay rent", "2026-12-01"),
        ("pay on 5th", "Pay", "2026-12-05"),
        ("1st of next month pay rent", "Pay rent", "2026-12-01"),
        ("dentist 25 Dec", "Dentist", "2026-12-25"),
        ("dentist December 25th", "Dentist", "2026-12-25"),
        ("dentist 25/12", "Dentist", "2026-12-25"),
        ("dentist 12/25", "Dentist", "2026-12-25"),
        ("order 3 chairs by 12.12.", "Order 3 chairs", "2026-12-12"),
        ("invoice due 2026-12-01", "Invoice", "2026-12-01"),
        ("finish slides, due tomorrow, then rest", "Finish slides, then rest", "2026-11-26"),
        ("Mon 30 Nov call bank", "Call bank", "2026-11-30"),
        ("renew passport by June", "Renew passport", "2027-06-30"),
        ("review Q4 launch by Q1", "Review Q4 launch", "2027-03-31"),
        ("see https://x.org/2026-12-01/a eod", "See https://x.org/2026-12-01/a", "2026-11-25"),
        ("port to .net friday", "Port to .net", "2026-11-27"),
    ],
)  # fmt: skip
def test_a_date_leaves_the_title(line, title, due):
    task = read(line)
    assert (task.title, str(task.due), task.due_time) == (title, due, None)


@pytest.mark.parametrize(
    "line",
    [
        "Friday retro notes",
        "Prepare notes for the Friday retro",
        "Write notes on Friday retro",
        "Report on Friday's numbers",
        'Read "Friday" by Heinlein',
        "Watch Saturday Night Fever",
        "Watch the Sunday Times crossword",
        "Book Easter Sunday lunch",
        "Plan for Black Friday",
        "Notes from Friday",
        "Move the retro to Friday",
        "Move retro from Thursday to Friday",
        "Think about tomorrow",
        "Plan Q3",
        "Plan next week",
        "Budget for 2027",
        "Budget for next year",
        "Renew passport in June",
        "Join the march",
        "Enjoy the sun",
        "May the fourth party",
        "Ask May about June",
        "Prepare 2026-12-01 report",
        "Give Tom 5 Jan books",
        "Eat 1/2 apple now",
        "Buy 24/7 sign",
        "Read John 3:16",
        "Run 5k in 3:30",
        "Study 15h",
        "Ask for 20% off",
        "Pay #42 invoice",
        "Decide what is urgent",
        "Read the urgent care letter",
        "Add high priority flag to the form",
        "Wake up!!!",
        "Friday",
        "Tomorrow",
        "#launch",
    ],
)
def test_what_only_looks_like_a_date_or_mark_stays_in_the_title(line):
    task = read(line)
    assert (task.title, task.due, task.start, task.priority) == (line, None, None, None)
    assert task.spans == ()


@pytest.mark.parametrize(
    ("line", "title", "due"),
    [
        ("call the printer Friday 3pm", "Call the printer", "2026-11-27 15:00"),
        ("call the printer at 3:30 pm", "Call the printer", "2026-11-25 15:30"),
        ("call the printer at 9am", "Call the printer", "2026-11-26 09:00"),
        ("call Bob at 3pm about taxes", "Call Bob about taxes", "2026-11-25 15:00"),
        ("dentist 25/12 at 15h", "Dentist", "2026-12-25 15:00"),
        ("train 15h30 friday", "Train", "2026-11-27 15:30"),
        ("train at 15h", "Train", "2026-11-25 15:00"),
        ("lunch with Ana at noon", "Lunch with Ana", "2026-11-25 12:00"),
        ("lunch tomorrow at noon with Ana", "Lunch with Ana", "2026-11-26 12:00"),
        ("call mum sun 4pm", "Call mum", "2026-11-29 16:00"),
        ("call Ana tomorrow morning", "Call Ana", "2026-11-26 09:00"),
        ("call bank Monday, 30 November at 9:30", "Call bank", "2026-11-30 09:30"),
        ("meet on 3rd of December at 10:00 in room 4", "Meet in room 4", "2026-12-03 10:00"),
        ("party Friday 7pm at Ben's", "Party at Ben's", "2026-11-27 19:00"),
        ("call Joe in 2 hours", "Call Joe", "2026-11-25 12:00"),
        ("ask for 20% off by 5pm", "Ask for 20% off", "2026-11-25 17:00"),
    ],
)
def test_a_time_goes_with_its_day(line, title, due):
    task = read(line)
    assert (task.title, f"{task.due} {task.due_time:%H:%M}") == (title, due)


@pytest.mark.parametrize(
    ("line", "title", "priority"),
    [
        ("fix login !high", "Fix login", "high"),
        ("!low fix login", "Fix login", "low"),
        ("fix !critical login", "Fix login", "critical"),
        ("fix login !!!", "Fix login", "critical"),
        ("fix login !!", "Fix login", "high"),
        ("urgent: fix login", "Fix login", "critical"),
        ("fix login, urgent", "Fix login", "critical"),
        ("fix login (urgent)", "Fix login", "critical"),
        ("write docs high priority", "Write docs", "high"),
        ("write docs with low priority please", "Write docs please", "low"),
        ("priority: high write docs", "Write docs", "high"),
    ],
)
def test_a_priority_leaves_the_title(line, title, priority):
    task = read(line)
    assert (task.title, task.priority) == (title, priority)


@pytest.mark.parametrize(
    ("line", "project"),
    [
        ("order tiles #kitchen", KITCHEN),
        ("#kichen order tiles", KITCHEN),
        ("order tiles #KitchenRenovation", KITCHEN),
        ("order tiles #kitchen-renovation.", KITCHEN),
        ('order tiles #"Kitchen renovation"', KITCHEN),
        ("order tiles #redesign", SITE),
        ("order tiles #q4", LAUNCH),
    ],
)
def test_a_tag_names_a_project(line, project):
    task = read(line)
    assert (task.title.rstrip("."), task.project, task.unclear) == ("Order tiles", project, ())


def test_a_tag_that_names_nothing_stays_and_is_reported():
    task = read("fix #unknown thing")
    assert (task.title, task.project, task.project_words) == ("Fix #unknown thing", None, "unknown")
    assert task.unclear == ("You have no project called “unknown”.",)


def test_a_tag_that_may_be_two_projects_stays_and_names_both():
    both = [(LAUNCH, "Garden shed"), (SITE, "Garden party")]
    task = parse("mow #garden", now=NOW, projects=both)
    assert (task.title, task.project) == ("Mow #garden", None)
    assert task.unclear == ("“#garden” may be “Garden shed” or “Garden party”.",)


def test_everything_at_once_with_its_places():
    line = "call the printer Friday 3pm #launch !high"
    task = read(line)
    assert [(one.kind, line[one.start : one.end]) for one in task.spans] == [
        ("due", "Friday 3pm"),
        ("project", "#launch"),
        ("priority", "!high"),
    ]
    assert (task.title, task.priority, task.project) == ("Call the printer", "high", LAUNCH)


@pytest.mark.parametrize(
    ("line", "start", "due"),
    [
        ("learn Spanish starting Monday", "2026-11-30", "None"),
        ("workshop 1 Dec - 3 Dec", "2026-12-01", "2026-12-03"),
        ("holiday from Monday to Friday", "2026-11-30", "2026-12-04"),
        ("audit between 1 December and 5 December", "2026-12-01", "2026-12-05"),
        ("write report starting Monday due Friday week", "2026-11-30", "2026-12-04"),
    ],
)
def test_a_start_is_told_from_the_end(line, start, due):
    task = read(line)
    assert (str(task.start), str(task.due)) == (start, due)


@pytest.mark.parametrize(
    ("line", "title", "note"),
    [
        ("dentist 12/5", "Dentist 12/5", "may be"),
        ("pay tax due 2020-01-01", "Pay tax", "in the past"),
        ("review minutes 2020-01-01", "Review minutes 2020-01-01", "stays in the title"),
        ("standup every Monday", "Standup every Monday", "repeat"),
        ("call bank Tue 30 Nov", "Call bank", "no Tue"),
        ("meeting friday at 3", "Meeting", "15:00"),
        ("fix it !high !low", "Fix it !low", "one priority"),
        ("#kitchen tiles #website", "Tiles #website", "one project"),
    ],
)
def test_what_is_not_clear_is_said(line, title, note):
    task = read(line)
    assert task.title == title
    assert any(note in one for one in task.unclear)


def test_the_day_is_the_persons_own():
    late = dt.datetime(2026, 11, 25, 23, 30, tzinfo=dt.UTC)
    there = late.astimezone(ZoneInfo("Pacific/Auckland"))
    assert read("buy milk tomorrow", there).due == dt.date(2026, 11, 27)
    assert read("buy milk tomorrow", late).due == dt.date(2026, 11, 26)


_WORDS = st.sampled_from(
    """call friday Friday's tomorrow 3pm at on by due 12/5 25 Dec #launch #x !high !!! !! urgent
    every from to - – ( ) "a b" “c in 3 days next week month the 1st 2026-12-01 15h noon , . : ; 🎉
    #42 before starting end of 2020-01-01 high priority ! #
    \ue000 ʼn ß İ ½ ٣ 31.12. 29 February""".split()
)  # fmt: skip


def _letters(text):
    return sorted(one for one in text.casefold() if one.isalnum())


@settings(max_examples=examples(150), deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(_WORDS, max_size=14).map(" ".join)))
def test_no_word_is_lost_and_spans_are_in_order(line):
    task = read(line)
    said = "".join(line[one.start : one.end] for one in task.spans)
    assert _letters(task.title + said) == _letters(line)
    places = [place for one in task.spans for place in (one.start, one.end)]
    assert places == sorted(places)
    assert all(0 <= one.start < one.end <= len(line) for one in task.spans)
    if task.due_time:
        assert task.due
    if any(one.isalnum() for one in line):
        assert task.title.strip()


@pytest.mark.parametrize("piece", ["word ", "Friday 3pm ", "#launch !high ", "🎉", "#", "-", ". "])
def test_a_very_long_line_is_read_at_once(piece):
    line = (piece * 20_000)[:20_000]
    before = perf_counter()
    task = read(line)
    assert perf_counter() - before < 5
    said = "".join(line[one.start : one.end] for one in task.spans)
    assert _letters(task.title + said) == _letters(line)
