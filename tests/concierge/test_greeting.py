"""Five suggestions: personal, actionable, once a day, never as something the person said."""

from __future__ import annotations

import datetime as dt

import pytest

from chat.models import Run
from chat.operations.changes import Actor, Update
from chat.operations.review import propose
from projects.concierge import greeting, snapshot
from projects.concierge.basic.lines import understand
from projects.concierge.snapshot import Snapshot
from projects.concierge.state import Memory
from projects.todos.basic import nameable_rows
from tests import project_rows

DAY = dt.timedelta(days=1)


@pytest.fixture
def busy(owner, task, project, monday):
    """The tasks and projects of the specification's example, and more."""
    project("Q4 Launch")
    task("Fix production bug", priority="critical")
    task("Waiting for design assets", status="blocked")
    for title in ("Call with Sarah", "Read the brief"):
        task(title)
    task("Review quarterly metrics", priority="high", status="available",
         due_date=monday.date() - DAY)  # fmt: skip


@pytest.mark.django_db
def test_five_numbered_suggestions_name_what_is_really_there(owner, busy):
    found = greeting.suggest(snapshot.build(owner))
    texts = [item.text for item in found]
    assert len(texts) == 5
    assert texts[0] == "Move “Review quarterly metrics” to today, it was due yesterday"
    assert "Mark “Fix production bug” complete if it is done" in texts
    assert "Sort 3 to-dos in your inbox" in texts
    assert any("Waiting for design assets" in text for text in texts)
    assert all(bool(item.say) != bool(item.href) for item in found)


@pytest.mark.django_db
def test_what_waits_and_what_is_half_done_comes_up_too(owner, task, monday):
    one = task("Buy pens", status="available")
    propose(
        actor=Actor(owner.pk, kind="agent"), title="Rename it", reasons=["Asked."],
        changes=[Update("task", one.pk, {"title": "Pens"})],
    )  # fmt: skip
    draft = project_rows.start_draft(actor=Actor(owner.pk), values={"name": "Probe spares"}).row
    found = {item.text: item.href for item in greeting.suggest(snapshot.build(owner))}
    assert found["Review one change"].startswith("/operations/")
    words = "Continue the draft “Probe spares”, 0 of 9 dimensions covered"
    assert found[words] == f"/projects/drafts/{draft.pk}"


def test_a_newcomer_gets_first_steps():
    empty = Snapshot(now=dt.datetime(2026, 11, 23, 9, tzinfo=dt.UTC))
    found = greeting.greet(empty)
    assert "Welcome" in found.intro
    assert len(found.suggestions) == 5
    hrefs = [suggestion.href for suggestion in found.suggestions if suggestion.href]
    assert hrefs == ["/projects/agent/new", "/survey"]


@pytest.mark.django_db
def test_the_rules_understand_every_suggestion_that_they_make(owner, busy):
    briefing = snapshot.build(owner)
    known = nameable_rows(briefing.owner_ids, briefing.now)
    empty = Snapshot(now=briefing.now)
    for one in [*greeting.suggest(briefing), *greeting.suggest(empty), *greeting._always()]:
        if not one.say:
            continue
        found = understand(one.say, now=briefing.now, briefing=known, earlier=Memory())
        assert found.kind in {"calls", "focus", "help"}, one.say
        assert found.calls or found.kind != "calls", one.say
        assert (found.kind == "help") == (one.say == "What can you do?")


@pytest.mark.django_db
def test_it_greets_once_a_day_and_again_on_request(talk, busy, monkeypatch):
    chat = talk(has_greeting=True)
    assert next(offer["text"] for offer in chat.offers).startswith("Move “Review")
    assert chat.message.role == "assistant"
    assert not chat.session.messages.filter(role="user").exists()
    assert chat.greet() is None
    assert chat.greet(again=True) is not None
    assert chat.session.messages.count() == 2
    tomorrow = dt.date(2026, 11, 24)
    monkeypatch.setattr("projects.concierge.actions.timezone.localdate", lambda: tomorrow)
    assert chat.greet() is not None
    assert Run.objects.filter(session=chat.id, message=None).count() == 3


@pytest.mark.django_db
def test_a_number_chooses_a_suggestion_in_basic_mode(talk, busy):
    chat = talk(has_greeting=True)
    place = 1 + [offer["text"] for offer in chat.offers].index("Sort 3 to-dos in your inbox")
    assert "Call with Sarah" in chat.say(str(place))


@pytest.mark.django_db(transaction=True)
def test_the_models_suggestions_stand_word_for_word_and_are_made_up_to_five(scripted, talk, busy):
    words = ["Fix “Fix production bug” first", "„Don't panic“ an Ben schreiben"]
    suggestions = [{"text": text} for text in (*words, " ")]
    scripted.on("concierge_greeting").json({"intro": "Good morning!", "suggestions": suggestions})
    chat = talk(has_greeting=True)
    texts = [offer["text"] for offer in chat.offers]
    assert chat.reply == "Good morning!"
    assert texts[:2] == words
    assert len(texts) == 5
    assert chat.offers[0]["say"] == texts[0]
    assert "Review quarterly metrics" in scripted.of("concierge_greeting")[0].text


@pytest.mark.django_db(transaction=True)
def test_without_the_model_the_rules_greet(scripted, talk, busy):
    scripted.on("concierge_greeting").status(400)
    chat = talk(has_greeting=True)
    assert len(chat.offers) == 5
    assert chat.run.basic_mode


@pytest.mark.django_db(transaction=True)
def test_the_model_greets_in_the_language_of_the_person(scripted, talk, busy, owner):
    answer = {"intro": "Guten Morgen!", "suggestions": [{"text": "Zeig mir den Eingang"}]}
    scripted.on("concierge_greeting").json(answer)
    type(owner).objects.filter(pk=owner.pk).update(language="de")
    talk(has_greeting=True)
    assert "Write in German" in scripted.of("concierge_greeting")[0].text


@pytest.mark.django_db(transaction=True)
def test_one_suggestion_that_is_too_long_takes_no_other_along(scripted, talk, busy):
    texts = ["Fix the bug first", "x" * 161, ""]
    suggestions = [{"text": text} for text in texts]
    scripted.on("concierge_greeting").json({"intro": "Hello!", "suggestions": suggestions})
    chat = talk(has_greeting=True)
    assert (chat.reply, chat.offers[0]["text"]) == ("Hello!", "Fix the bug first")
    assert len(chat.offers) == 5
    assert "x" * 161 not in [offer["text"] for offer in chat.offers]
    assert len(scripted.of("concierge_greeting")) == 1


@pytest.mark.django_db
def test_a_number_after_an_empty_list_is_no_suggestion_of_before(talk):
    chat = talk()
    assert chat.offers
    assert "No to-dos match" in chat.say("what is overdue?")
    assert "Created" not in chat.say("1")
    assert not Run.objects.filter(batches__isnull=False).exists()
