"""The list of conversations in a browser: marks, titles, archive, bin, search, and a long talk."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.walk import listening, no_sideways_scrolling, reply, start_talking
from tests.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

LONG = """
INSERT INTO chat_message (id, session_id, seq, role, text, parts, status, token_count, created_at)
SELECT gen_random_uuid(), %s, seq, CASE seq %% 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
       'Turn number ' || seq || CASE seq WHEN 40 THEN ' about marmalade' ELSE '' END,
       '[]', 'complete', 0, now()
FROM generate_series(3, 170) AS seq RETURNING seq
"""
SAY = """async (url) => {
  const body = new FormData();
  body.set("text", "I bake bread.");
  const headers = JSON.parse(document.body.getAttribute("hx-headers"));
  headers.Accept = "application/json";
  return (await fetch(url, { method: "POST", body, headers })).status;
}"""
LOOK = """(row) => {
  window.htmx.trigger("#found", "stale");
  return document.getElementById(row).textContent.includes("New reply");
}"""
PLACES = """() => {
  const turns = [...document.querySelectorAll("#log > .message")];
  const places = turns.map((turn) => Number(turn.dataset.order));
  return [places[0], places.length, places.every((place, n) => n === 0 || place > places[n - 1])];
}"""
TOP_OF = "(id) => document.getElementById(id).getBoundingClientRect().top"


def choose(within, words):
    """Takes something from the menu of a row, or of the talk that is open."""
    within.get_by_role("button", name=re.compile("^(Menu of|Conversation menu)")).click()
    within.locator(".menu__item", has_text=words).click()


def news_from_elsewhere(page: Page, url: str, session: str, row: Locator) -> None:
    """The mark comes by itself, and goes when the talk was open."""
    assert page.evaluate(SAY, f"/chat/sessions/{session}/messages") == 202
    # the page looks by itself, but in its own time
    page.wait_for_function(LOOK, arg=f"s-{session}", polling=200)
    expect(row.get_by_text("New reply")).to_be_visible()
    row.get_by_role("link", name="Baker").click()
    listening(page)
    page.goto(f"{url}/conversations")
    expect(row.get_by_text("New reply")).to_have_count(0)


def retitled_by_keyboard(row: Locator) -> None:
    """Escape leaves the title; Enter keeps the other one."""
    row.get_by_role("button", name="Menu of").press("Enter")
    row.locator(".menu__item", has_text="Rename").press("Enter")
    field = row.get_by_label("Title")
    expect(field).to_be_focused()
    field.press("Escape")
    expect(row.get_by_role("button", name="Menu of")).to_be_focused()
    row.get_by_role("button", name="Menu of").press("Enter")
    row.locator(".menu__item", has_text="Rename").press("Enter")
    field.fill("Night <shift>")
    field.press("Enter")
    expect(row.get_by_role("heading", name="Night <shift>")).to_be_visible()


def a_long_talk_is_read(page: Page, stack: Stack, session: str, row: Locator) -> None:
    """The way to one message of a long talk, and back through it."""
    stack.rows("UPDATE chat_message SET seq = seq + 500 WHERE session_id = %s AND seq > 2", session)
    stack.rows(LONG, session)
    page.get_by_role("searchbox").fill("marmal")
    row.get_by_role("link", name="marmalade").click()
    listening(page)
    expect(page.get_by_text("Turn number 40 about marmalade")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Later messages")).to_be_attached()
    page.goto(page.url.split("?")[0])
    listening(page)
    first = page.locator("#log > .message").first.get_attribute("id")
    page.locator("[data-scroller]").evaluate("(scroller) => scroller.scrollTo(0, -1e6)")
    before = page.evaluate(TOP_OF, first)
    expect(page.locator("#log > .message")).to_have_count(100)  # scrolled there, it came by itself
    assert abs(page.evaluate(TOP_OF, first) - before) < 60  # less the link that stood there
    for count in (150, None):
        page.get_by_role("link", name="Earlier messages").press("Enter")
        if count:
            expect(page.locator("#log > .message")).to_have_count(count)
    expect(page.get_by_role("link", name="Earlier messages")).to_have_count(0)
    begin, shown, is_ordered = page.evaluate(PLACES)
    assert (begin, is_ordered) == (1, True)
    assert shown > 170


def test_putting_conversations_in_order_and_reading_a_long_one(stack, open_page):
    page = open_page("phone")
    start_talking(page, stack.url, "Baker")
    reply(page, 1)
    session = re.search("[0-9a-f-]{36}", page.url)[0]
    choose(page, "All conversations")
    row = page.locator(f"#s-{session}")
    expect(row.get_by_role("heading", name="Baker")).to_be_visible()
    expect(row.get_by_text("New reply")).to_have_count(0)  # it was on the page
    assert no_sideways_scrolling(page)
    news_from_elsewhere(page, stack.url, session, row)
    retitled_by_keyboard(row)
    for verb, where in (("Archive", "is in the archive"), ("Delete", "is in the bin")):
        choose(row, verb)
        expect(row).to_contain_text(where)
        row.get_by_role("button", name="Undo").click()
        expect(row).to_contain_text("is active again")
        page.goto(f"{stack.url}/conversations")
    a_long_talk_is_read(page, stack, session, row)


def test_a_deleted_conversation_offers_itself_back(stack, open_page):
    page = open_page("desk", told="^Failed to load resource", java_script_enabled=False)
    page.goto(f"{stack.url}/survey?title=Baker")
    page.get_by_role("button", name="Start survey").click()
    page.wait_for_url(re.compile("/chat$"))
    talk = page.url
    choose(page, "Delete")
    expect(page.locator("#moved")).to_contain_text("is in the bin")
    assert page.goto(talk).status == 404
    page.get_by_role("button", name="Restore").click()
    expect(page).to_have_url(talk)
    choose(page, "Rename")
    page.get_by_label("Title").fill("Miller")
    page.get_by_role("button", name="Save").click()
    expect(page).to_have_url(talk)
    with page.expect_download() as download:
        choose(page, "Export as text")
    assert download.value.suggested_filename.startswith("miller-")
