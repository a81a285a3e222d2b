"""Conversations without a model: answers word for word, buttons, checklist; nothing is guessed."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from projects.portfolio.builder import starting
from projects.portfolio.builder.basic import keep_label
from projects.portfolio.builder.presenter import actions_for
from projects.portfolio.jobs import EMPTY_ENTRY_AGE, purge_empty
from projects.portfolio.models import Entry
from projects.portfolio.queries import session_of

pytestmark = pytest.mark.django_db

ANSWERS = {
    "what": "Eine Lese-App für die Stadtbibliothek — mit Ana, ab 2023!",
    "problem": "Nobody could find out which books were free.",
    "process": "First ten interviews. Then a prototype on paper; we tested it twice.",
    "outcome": "Calls dropped from 80 to 20 a day.",
    "role": "I led the design",
    "title": "The Quiet Shelf",
    "summary": "An app that shows which books are free.",
}


def texts(entry: Entry) -> list[str]:
    return [block["text"] for block in entry.blocks]


def chips(chat: Any) -> list[str]:
    return [action.key for action in actions_for(chat.session, chat.entry)]


def test_answers_stand_word_for_word_in_the_section_that_was_asked_for(talk):
    chat = talk(ANSWERS["what"])
    asked = []
    while topic := chat.state["open"]:
        asked.append(topic)
        chat.say(ANSWERS[topic])
    assert asked == ["problem", "process", "outcome", "role", "title", "summary"]
    entry = chat.entry
    assert texts(entry) == [
        ANSWERS["what"], "Starting point", ANSWERS["problem"], "Process",
        ANSWERS["process"], "Outcome", ANSWERS["outcome"],
    ]  # fmt: skip
    assert (entry.role, entry.title) == (ANSWERS["role"], ANSWERS["title"])
    assert entry.summary == ANSWERS["summary"]
    assert (entry.organization, entry.started, entry.materials) == ("", "", [])
    assert chat.parts("operations")[0]["done"] == 1
    # and that is what the page says of itself
    page = chat.page
    assert "each answer is added to the page word for word" in page
    assert "simple sentences" not in page


def test_an_answer_is_added_although_its_words_stand_somewhere_else_already(talk):
    chat = talk("We held ten interviews, for all of the library.")
    assert chat.state["open"] == "problem"
    assert "Added to “Starting point”" in chat.say("ten interviews")
    assert texts(chat.entry)[1:] == ["Starting point", "ten interviews"]


def test_what_no_question_asked_for_is_kept_and_stored_by_a_button_alone(talk):
    chat = talk(ANSWERS["what"])
    chat.say("no more questions")
    for text in ("that's not what I said", "kürze die Einleitung", "ok, but later"):
        before = chat.entry.blocks
        chat.say(text)
        assert chat.entry.blocks == before
        choices = chat.parts("clarify")[0]["alternatives"]
        assert keep_label("outcome") in choices
        assert chat.parts("operations")[0]["done"] == 0
        chat.say(keep_label("outcome"))
        assert text in texts(chat.entry)[-1]


def test_short_replies_are_known_as_everywhere_and_are_no_story(talk):
    chat = talk(ANSWERS["what"])
    for text in ("ok", "Not now.", "sure"):
        assert chat.say(text) == "There is nothing to apply this to. Nothing was changed."
        assert chat.state["open"] == "problem"
    assert chat.say("I don't know").endswith("Which decision mattered most?")
    assert chat.say("That's all.") == "OK, no more questions."
    assert texts(chat.entry) == [ANSWERS["what"]]


def test_questions_are_skipped_and_asked_again_on_demand(talk):
    chat = talk(ANSWERS["what"])
    assert chat.say("Skip this question.").endswith("Which decision mattered most?")
    chat.say("stop")
    assert chat.state["open"] == ""
    chat.say("Ask me more.")
    assert chat.state["open"] == "problem"
    assert "skip" in chips(chat)


def test_an_answer_too_long_for_its_field_is_refused_and_asked_again(talk):
    chat = talk(ANSWERS["what"])
    for topic in ("problem", "process", "outcome"):
        assert chat.state["open"] == topic
        chat.say("skip")
    assert "at most 200 characters" in chat.say("x" * 201)
    assert chat.state["open"] == "role"
    assert chat.entry.role == ""


def test_undo_takes_back_the_last_answer_and_asks_for_it_again(talk):
    chat = talk(ANSWERS["what"])
    chat.say(ANSWERS["problem"])
    assert "What was the situation before" in chat.say("undo")
    assert chat.state["open"] == "problem"
    assert texts(chat.entry) == [ANSWERS["what"]]
    assert chat.parts("operations")[0]["undone"] == 1


def test_the_checklist_names_each_rule_and_pictures_have_a_field(talk):
    chat = talk(ANSWERS["what"])
    reply = chat.say("What is missing?")
    assert "The title is missing." in reply
    assert "hero image" in reply
    chat.say("I want to add pictures.")
    assert chat.parts("images")
    assert {"check", "details"} & set(chips(chat))


def test_an_entry_has_one_conversation(talk, portfolio):
    chat = talk(ANSWERS["what"])
    again = starting.open_for(chat.entry)
    assert again.pk == chat.id
    assert session_of(chat.entry) == again


def test_an_entry_that_stayed_empty_goes_after_seven_days_with_its_talk(
    talk, make, portfolio, me, drain
):
    from tests.portfolio.builder.conftest import Talk

    row = make("portfolio_entry", portfolio=portfolio.pk, doc_id="e", slug="e")
    empty = Talk(starting.open_for(row), me, drain)
    full = talk(ANSWERS["what"])
    assert purge_empty() == 0
    later = timezone.now() + EMPTY_ENTRY_AGE
    assert purge_empty(now=later) == 1
    assert session_of(full.entry) is not None
    assert not Entry.objects.filter(pk=row.pk, deleted_at=None).exists()
    assert type(full.session).objects.filter(pk=empty.id).count() == 0
