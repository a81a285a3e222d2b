"""A quick person: a button that makes something counts once, and no press or line is lost."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.test_todos import add, titles

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
NOTE = """() => {
  const { dataset } = document.documentElement;
  dataset.sent = '';
  addEventListener('submit', (event) => (dataset.sent += event.defaultPrevented ? '-' : '+'));
  addEventListener('htmx:validation:halted', () => (dataset.halted = ''));
  addEventListener('htmx:afterRequest', ({ detail }) => {
    if (detail.pathInfo.requestPath.endsWith('/status')) dataset.answered = '';
  });
}"""


def test_a_quick_person_makes_nothing_twice_and_loses_no_line_and_no_press(stack, open_page):
    page, held = open_page("desk"), []
    html, rows = page.locator("html"), page.locator("[data-todo]")
    page.goto(f"{stack.url}/todos?tab=inbox")
    add(page, "Order paper", "Call Ana")
    page.route("**/todos/add", lambda route: held.append(route))
    field = page.locator("#quick")
    field.fill("Water the plants")
    with page.expect_request("**/todos/add"):
        field.press("Enter")
    field.fill("Sow beans")  # while the line before is on its way
    held.pop().continue_()
    expect(rows).to_have_count(3)
    expect(field).to_have_value("Sow beans")
    page.evaluate(NOTE)
    with page.expect_request("**/todos/add"):
        field.press("Enter")
    field.press("Enter")  # once more, by mistake
    held.pop().continue_()
    expect(rows).to_have_count(4)
    expect(html).to_have_attribute("data-halted", "")
    expect(field).to_have_value("")
    expect(page.locator("#quick-preview")).to_be_empty()
    page.route("**/todos/*/status", lambda route: held.append(route))
    first = page.get_by_role("checkbox", name="Done: Order paper")
    with page.expect_request("**/todos/*/status"):
        first.click()
    expect(first).to_be_checked()
    page.get_by_role("checkbox", name="Done: Call Ana").hover()
    page.mouse.down()
    held.pop().continue_()
    expect(html).to_have_attribute("data-answered", "")
    page.unroute("**/todos/*/status")
    page.mouse.up()
    expect(rows).to_have_count(2)
    page.reload()
    assert titles(page) == ["Water the plants", "Sow beans"]

    page.goto(f"{stack.url}/survey")
    title = page.get_by_role("combobox", name="Job title")
    title.fill("Data Analyst")
    with page.expect_response(re.compile("/survey/occupations")):
        title.press("Tab")
    page.evaluate(NOTE)  # hears a press after the page's own scripts
    page.route(lambda url: url.endswith("/survey"), lambda route: held.append(route))
    page.get_by_role("button", name="Start survey").focus()
    with page.expect_request(lambda request: request.method == "POST"):
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    held.pop().fulfill(status=204)  # an answer with which the page stays
    expect(html).to_have_attribute("data-sent", "+-")


def hold_first(page: Page, address: str) -> list[Route]:
    """Keeps the first request to the address back; those after it pass."""
    held: list[Route] = []
    ways = iter([held.append])
    page.route(address, lambda route: next(ways, Route.continue_)(route))
    return held


def test_what_is_done_while_an_answer_is_on_its_way_counts(stack, open_page):
    page = open_page("desk")
    rows, field = page.locator("[data-todo]"), page.locator("#quick")
    zones, held = hold_first(page, "**/chat/zone/told"), hold_first(page, "**/todos/add")
    page.goto(f"{stack.url}/todos?tab=inbox")
    field.fill("Order paper")
    with page.expect_request("**/todos/add"):
        field.press("Enter")
    with page.expect_response("**/chat/zone/told"):
        zones.pop().continue_()  # with the days of another zone the list would be asked for
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    held.pop().continue_()
    expect(rows).to_have_count(1)
    expect(field).to_have_value("")
    add(page, "Call Ana", "Sow beans")

    held = hold_first(page, "**/todos/*/status")
    with page.expect_request("**/todos/*/status"):
        page.get_by_role("checkbox", name="Done: Order paper").click()
    second = page.get_by_role("checkbox", name="Done: Call Ana")
    second.click()
    expect(second).to_be_checked()
    held.pop().continue_()
    expect(rows).to_have_count(1)
    page.reload()
    assert titles(page) == ["Sow beans"]

    add(page, "Cut tape", "Post the key")
    held = hold_first(page, "**/todos/*/status")
    with page.expect_request("**/todos/*/status"):
        page.get_by_role("checkbox", name="Done: Cut tape").click()
    page.get_by_role("button", name="More for Sow beans").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="More for Post the key").click()
    page.get_by_role("button", name="Delete").click()
    held.pop().continue_()
    expect(rows).to_have_count(0)
