"""What the product offers to type or click in basic mode does the same in every language."""

from __future__ import annotations

import datetime as dt
import re
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext as _
from redis import Redis

from chat.models import Participant
from futura.language.commands import openings
from futura.language.row_words import WORDS
from projects.concierge import greeting, snapshot
from projects.concierge.basic.turn import ABILITIES
from projects.models import Task
from projects.modes.basic import Tap, help_text, taps_in
from projects.modes.create.guards import choices
from projects.modes.talking import yes_or_no
from tests.extent import every, some

pytestmark = pytest.mark.django_db

OTHERS = ("de", "es", "fr")
ALL = ("en", *OTHERS)
DAY = dt.timedelta(days=1)
QUOTED = re.compile(r"[“„«]\s*(?P<text>[^“”„«»]+?)\s*[”“»]")


@pytest.fixture
def world(task, project, monday):
    """Every kind of to-do and project that a suggestion is about."""
    today = monday.date()
    launch = project("Launch", end_date=today + 30 * DAY)
    project("Lanzamiento")
    project("Lancement")
    task("Call Ana", due_date=today - DAY)
    task("Call Bob", due_date=today - 2 * DAY)
    task("Fix login", priority="critical", due_date=today)
    task("Send the offer", due_date=today + DAY, priority="high")
    task("Wait for the permit", status="blocked")
    task("Book the hall")
    task("Report, Bericht, informe, rapport", project=launch)
    task("Buy pens", status="completed")
    task("Old plan", status="dropped")


@contextmanager
def undone():
    """What is written within is not kept, and counts for no rate."""
    point = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(point)
        with Redis.from_url(settings.REDIS_URL) as redis:
            for key in redis.scan_iter("rate:*"):
                redis.delete(key)


@pytest.fixture
def does(talk, owner):
    """What lines do, said one after the other to the assistant: steps, calls, and all is undone."""

    def do(language, *said):
        with undone(), translation.override(language):
            Participant.objects.filter(pk=owner.pk).update(language=language)
            chat = talk()
            done = []
            for text in said:
                chat.say(text)
                step = next(
                    item for item in chat.run.trace if item.get("name") == "concierge_rules"
                )
                calls = [
                    (part["name"], _plain(part["arguments"])) for part in chat.parts("tool_call")
                ]
                done.append((step["detail"]["kind"], calls))
            return done

    return do


def _plain(arguments):
    """What a call is about, without the person's own words."""
    words = {"title", "text", "says", "append_details", "name"}
    return {key: key if key in words else value for key, value in arguments.items()}


def in_language(language, make):
    with translation.override(language):
        return make()


def _suggested(owner):
    """What every suggestion says, whoever it is for, and those of “did you mean”."""
    briefing = snapshot.build(owner)
    of_greeting = [*greeting._personal(briefing), *greeting._first_steps(), *greeting._always()]
    title, name = {"t": "Book the hall", "title": "Call Ana"}, {"name": "Launch"}
    nearby = [
        _("Mark “%(t)s” as done") % title, _("Show to-dos about “%(t)s”") % title,
        _("Update the project “%(name)s”") % name, _("Forecast “%(name)s”") % name,
        _("Audit “%(name)s”") % name, _("Move “%(title)s” to today") % title, _("Undo"),
        _("Mark “%(title)s” complete") % title,
    ]  # fmt: skip
    return [*(item.say for item in of_greeting if item.say), *nearby]


@pytest.mark.thorough
@every(12)
def test_every_suggestion_does_what_its_english_twin_does(does, owner, world, every):
    """A quarter of them, each in the next of the other languages; when thorough, all in all."""
    own = {language: in_language(language, lambda: _suggested(owner)) for language in ALL}
    for place, english in enumerate(own["en"]):
        if not (languages := OTHERS[place % every :: every]):
            continue
        expected = does("en", english)
        assert expected[0][0] not in {"unknown", "question"}
        for language in languages:
            assert does(language, own[language][place]) == expected, own[language][place]


@pytest.mark.thorough
@pytest.mark.parametrize("language", some(ALL, 4))
def test_every_command_that_the_help_names_is_one(language, does, world):
    told = in_language(language, lambda: f"{ABILITIES}\n{help_text()}")
    lines = [item["text"].replace("…", "Call Ana") for item in QUOTED.finditer(told)]
    assert len(lines) >= 8
    unread = [line for line in lines if does(language, line)[0][0] in {"unknown", "greet"}]
    assert not [line for line in unread if "project" not in line]  # of a project's own page


@every(32)
@pytest.mark.parametrize(("place", "language"), list(enumerate(ALL)))
def test_every_completion_is_a_command(place, language, preview, world, every):
    """Each opening in one of the languages; in all of them when thorough."""
    for opening in openings(language)[place % every :: every]:
        lines = _completed(preview, language, opening.words)
        assert lines, opening.words
        for line in lines:
            answer = preview(line, language)
            names = {command["name"] for command in answer["commands"]}
            is_add = line.startswith(f"{openings(language)[0].words} ")
            assert ("create_todo" in names) == is_add, line
            assert names or answer["sentences"], line


def _completed(preview, language, words):
    """The whole lines that the beginning of a command becomes by taking completions."""
    whole, begun = [], [words[:-1]]
    while begun:
        line = begun.pop()
        offered = [completion["line"] for completion in preview(line, language)["completions"]]
        longer = [item for item in offered if item.startswith(words)]
        begun += [item for item in longer if item.endswith(" ")]
        whole += [item for item in longer if not item.endswith(" ")]
        whole += [f"{line}Ana"] if not longer else []
    return whole


@pytest.fixture
def preview(alice):
    """What a line would do, as the page asks while somebody types."""
    client = Client()
    client.force_login(alice)

    def ask(text, language):
        with undone():
            body = {"text": text, "language": language, "today": "2026-11-23"}
            answer = client.post("/api/commands/preview", body, content_type="application/json")
        return answer.json()

    return ask


LISTS = ("today", "overdue", "this week", "waiting", "inbox", "done")


@pytest.mark.thorough
@every(3)
def test_every_list_is_the_one_that_its_english_name_shows(does, world, every):
    expected = [does("en", f"show {name}") for name in LISTS]
    assert WORDS["en"].names == LISTS
    shows = {"de": "zeige", "es": "mostrar", "fr": "montrer"}
    for place, shown in enumerate(expected):
        for language in OTHERS[place % every :: every]:
            line = f"{shows[language]} {WORDS[language].names[place]}"
            assert does(language, line) == shown, line


def test_every_example_of_a_new_todo_is_read_like_its_english_twin(preview, project, monday):
    for name in ("launch", "lanzamiento", "lancement"):
        project(name)
    examples = ("Call the printer Friday 3pm", "Call the printer Friday 3pm #launch !high")
    for text in examples:
        for language in ALL:
            own = in_language(language, lambda: _(text))  # noqa: B023 - called at once
            command = preview(own, language)["commands"][0]
            assert (command["name"], command["due_date"]) == ("create_todo", "2026-11-27"), own
            assert command["due_time"] == "15:00", own
            assert command["priority"] == ("high" if "!high" in text else None), own
            assert bool(command["project"]) == ("#" in text), own
            assert "#" not in command["title"], own


@pytest.mark.parametrize("language", some(ALL, 4))
def test_the_first_page_keeps_its_example_with_date_and_time(language, db):
    client = Client(headers={"accept-language": language})
    with translation.override(language):  # a request leaves its language to the test after it
        page = client.get("/").content.decode()
        text = re.search(r'name="text" value="([^"]+)"', page)[1]
        client.post("/begin", {"do": "todo", "text": text, "seen": "1"}, follow=True)
    added = Task.objects.get()
    assert added.due_date.weekday() == 4
    assert added.due_time == dt.time(15)


@pytest.mark.parametrize("language", some(ALL, 4))
def test_the_buttons_of_a_question_are_answers_when_they_are_typed(language, does, world):
    def buttons():
        return [offer["say"] for offer in yes_or_no().data["offers"]], [
            label for _tap, label in choices(1)["buttons"]
        ]

    (yes, no), (later, review) = in_language(language, buttons)
    with translation.override(language):
        assert Tap.YES in taps_in(yes)
        assert Tap.NO in taps_in(no)
        assert Tap.LATER in taps_in(later)
        assert Tap.FINISH in taps_in(review)
    asked, agreed = does(language, "1 2 3 Ana", yes)
    assert (asked[0], agreed[0]) == ("question", "calls")
    assert does(language, "1 2 3 Ana", no)[1] == ("unknown", [])
