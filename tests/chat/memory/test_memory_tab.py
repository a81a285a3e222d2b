"""The staff's view of what a conversation is remembered by."""

import pytest

from chat.memory.summary import summarise
from tests.chat.memory.conftest import write
from tests.markup import flat


@pytest.mark.django_db(transaction=True)
def test_staff_see_summary_facts_and_where_each_was_said(talk, browser, stan, scripted):
    session = talk([("Our barn is called <b>Wren</b>.", "Good. ")])
    desk = browser(stan)
    desk.post(f"/staff/sessions/{session.pk}/why", {"reason": "Asked by mail"})
    address = f"/staff/sessions/{session.pk}?show=memory"
    assert "still fits into a prompt" in desk.get(address).text
    scripted.on("summary").json({"summary": "The person wants to plan <b>a barn</b>."})
    scripted.on("key_facts").json({"facts": [noted("The barn is called <b>Wren</b>.", 1)]})
    summarise(session.pk, "request")
    scripted.on("key_facts").json({"facts": [noted("The barn is called Finch.", 3, [1])]})
    write(session, [("It's called Finch, not Wren.", "Good. "), ("Please help me plan.", "Yes.")])
    summarise(session.pk, "request")
    page = flat(desk.get(address))
    assert "Summarized up to" in page
    assert '<a href="#m-6">message 6</a>' in page
    assert 'href="#m-3">message 3</a>' in page
    assert "<b>Wren" not in page
    assert "<b>a barn" not in page
    assert "Corrected or removed" in page
    assert "The person wants to plan" in page


def noted(text, message, replaces=()):
    return {"text": text, "kind": "name", "message": message, "replaces": list(replaces),
            "is_withdrawal": False}  # fmt: skip


def test_the_tab_costs_no_query_more(talk, browser, stan, django_assert_max_num_queries):
    session = talk([("I run the mill.", "Good. ")] * 5)
    desk = browser(stan)
    desk.post(f"/staff/sessions/{session.pk}/why", {"reason": "Asked by mail"})
    with django_assert_max_num_queries(40) as before:
        desk.get(f"/staff/sessions/{session.pk}?show=trace")
    count = len(before)
    summarise(session.pk, "request")
    with django_assert_max_num_queries(count):
        desk.get(f"/staff/sessions/{session.pk}?show=memory")
