"""The staff's view of what a conversation is remembered by."""

from chat.memory.compaction import summarise
from tests.chat.memory.conftest import write


def test_staff_see_summary_facts_and_where_each_was_said(talk, browser, stan):
    session = talk([("Our barn is called <b>Wren</b>.", "Good. ")])
    desk = browser(stan)
    desk.post(f"/staff/sessions/{session.pk}/why", {"reason": "Asked by mail"})
    address = f"/staff/sessions/{session.pk}?show=memory"
    assert "still fits into a prompt" in desk.get(address).text
    write(session, [("It's called Finch, not Wren.", "Good. "), ("Please help me plan.", "Yes.")])
    summarise(session.pk, "request")
    page = desk.get(address).text
    assert "Covered up to" in page
    assert '<a href="#m-6">message 6</a>' in page
    assert 'href="#m-3">message 3</a>' in page
    assert "<b>Wren" not in page
    assert "Corrected or taken back" in page
    assert "Please help me plan." in page


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
