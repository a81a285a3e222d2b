"""What is asked of the concierge for the portfolio is handed over to the builder."""

from __future__ import annotations

import pytest

from chat.models import Session
from projects import hooks
from projects.models import Task
from projects.portfolio.models import Entry, Portfolio
from tests.scripted import ScriptedCall as Call

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def portfolio(make) -> Portfolio:
    made: Portfolio = make(
        "portfolio", slug="mara", owner_name="Mara Lindqvist", domain_label="joiner"
    )
    return made


def builders() -> list[Session]:
    return list(Session.objects.filter(kind="portfolio_builder").order_by("created_at"))


def test_a_project_is_put_into_the_portfolio_once(talk, project, portfolio):
    shed = project("Garden shed")
    project("Website")
    chat = talk()
    assert "Garden shed" in chat.say("portfolio entry for the garden shed")
    entry = Entry.objects.get()
    assert (entry.project_id, entry.portfolio_id) == (shed.pk, portfolio.pk)
    (session,) = builders()
    (opened,) = chat.parts("opened")
    assert opened["url"] == f"/portfolio/{portfolio.pk}/entries/{entry.pk}"
    chat.say("portfolio entry for the garden shed")
    assert builders() == [session]
    assert not Task.objects.exists()


def test_a_new_piece_of_work_goes_along_in_the_persons_words(talk, portfolio):
    chat = talk()
    chat.say("add a portfolio entry about a kiln that I built for 40 studios")
    (session,) = builders()
    said = session.messages.filter(role="user").get()
    assert said.text == "a kiln that I built for 40 studios"
    chat.say("make a portfolio entry")
    assert [part["url"] for part in chat.parts("opened")] == [f"/portfolio/{portfolio.pk}/tell"]
    assert builders() == [session]


def test_who_has_no_portfolio_is_led_to_where_one_begins(talk, project):
    project("Garden shed")
    chat = talk()
    reply = chat.say("portfolio entry for the garden shed")
    assert [part["url"] for part in chat.parts("opened")] == ["/portfolio"]
    assert "to start a portfolio entry" in reply
    assert builders() == []


def test_a_model_opens_it_too_and_nobody_elses(model, talk, project, portfolio):
    shed = project("Garden shed")
    given = {"kind": "portfolio_builder", "project": str(shed.pk)}
    strange = {"kind": "portfolio_builder", "project": str(portfolio.pk)}
    model.on("concierge").calls(
        Call("start_conversation", given), Call("start_conversation", strange)
    ).text("It is open.")
    chat = talk()
    chat.say("Tell the world about my shed")
    assert [part["kind"] for part in chat.parts("opened")] == ["portfolio_builder"]
    assert Entry.objects.get().project_id == shed.pk


def test_a_model_goes_on_with_an_entry_that_there_is(
    model, talk, portfolio, make, bob, participant_of
):
    kiln = make("portfolio_entry", portfolio=portfolio.pk, doc_id="kiln", slug="kiln", title="Kiln")
    going_on = {"kind": "portfolio_builder", "entry": str(kiln.pk)}
    strange = {**going_on, "entry": str(portfolio.pk)}
    model.on("concierge").calls(
        Call("start_conversation", strange), Call("start_conversation", going_on)
    ).text("It is open.")
    chat = talk()
    chat.say("Let us go on with my kiln")
    assert f"- Kiln (draft) id={kiln.pk}" in model.of("concierge")[0].text
    (opened,) = chat.parts("opened")
    assert opened["url"] == f"/portfolio/{portfolio.pk}/entries/{kiln.pk}"
    (session,) = builders()
    assert session.state["entry_id"] == str(kiln.pk)
    assert Entry.objects.count() == 1
    assert not hooks.portfolio.entries([participant_of(bob).pk])
