"""A person on a bad network: the page says how the line is, and what was written is sent once."""

import pytest
from playwright.sync_api import expect

from tests.browser.walk import LINE_DOWN, listening, reply, say, show_list, start_talking

pytestmark = pytest.mark.breaking
SAID = "I keep the minutes of the council."
LISTEN = """() => {
  const strip = document.getElementById("line-strip");
  window.told = [];
  const tell = () => window.told.push(strip.innerText);
  new MutationObserver(tell).observe(strip, { attributes: true });
}"""
BACK = "() => window.told.some((words) => words.includes('Back online.'))"
"""A word of four seconds is remembered, however late somebody looks."""


@pytest.fixture
def page(product, open_page):
    """In the talk, after the opening."""
    page = open_page("phone", told=f"{LINE_DOWN}|^htmx:")
    start_talking(page, product.url, "Policy Analyst")
    reply(page, 1)
    return page


def test_the_page_says_that_it_tries_again_and_that_it_is_back(product, page):
    product.kill("web")
    expect(page.get_by_text("Reconnecting.")).to_be_visible()
    say(page, SAID)
    expect(page.locator("#composer-note")).to_contain_text("Not sent yet")
    expect(page.get_by_role("button", name="Try now")).to_be_visible()
    page.evaluate(LISTEN)
    product.start("web")
    page.locator("[data-line-now]").dispatch_event("click")  # the page may be back by itself
    page.wait_for_function(BACK)
    reply(page, 2)
    expect(page.locator("#line-strip")).to_be_hidden()
    expect(page.locator("#say")).to_have_value("")
    expect(page.locator(".message--person")).to_have_count(1)


def test_what_could_not_be_sent_outlives_a_reload_and_is_sent_once(page):
    page.route("**/messages", lambda route: route.abort())
    say(page, SAID)
    expect(page.locator("#composer-note")).to_contain_text("Not sent yet")
    page.reload()
    listening(page)
    expect(page.locator("#say")).to_have_value(SAID)
    page.unroute_all()
    reply(page, 2)
    expect(page.locator("#say")).to_have_value("")
    page.reload()
    listening(page)
    expect(page.locator(".message--person")).to_have_count(1)
    expect(page.locator("#say")).to_have_value("")


def test_a_lost_answer_to_a_message_does_not_send_it_twice_nor_lose_other_words(page):
    page.route("**/messages", lambda route: (route.fetch(), route.abort()))  # taken, never told
    say(page, SAID)
    expect(page.locator("#composer-note")).to_contain_text("Not sent yet")
    reply(page, 2)
    page.unroute_all()
    page.locator("#say").fill(f"{SAID} And I count the votes.")
    page.locator("button[data-when=idle]").dispatch_event("click")
    reply(page, 3)
    expect(page.locator(".message--person")).to_have_count(2)
    expect(page.locator(".message--person").nth(1)).to_contain_text("And I count the votes.")


def test_the_review_page_says_it_too(product, page):
    say(page, "I write reports and brief journalists.")
    reply(page, 2)
    show_list(page)
    page.locator("html[data-line=on]").wait_for(state="attached")
    product.kill("web")
    expect(page.get_by_text("Reconnecting.")).to_be_visible()
    page.evaluate(LISTEN)
    product.start("web")
    page.wait_for_function(BACK)
