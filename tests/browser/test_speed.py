"""Speed as it is felt: whatever is tapped shows that it was within 100 ms, on a slow line too.

Counted in frames, sixty a second: a busy machine has fewer of them, and delays them all alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Page, expect

from tests.browser.walk import listening

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

LATENCY_MS = 400  # of the line: no answer of the server can be what is seen
FELT_FRAMES = 6

# The frames from the next tap until `what` is there, seen however soon it goes again. Kept by the
# tab, since some taps lead to another page.
WATCH = """(what) => {
  sessionStorage.removeItem("felt");
  const start = () => {
    for (const kind of ["click", "keydown", "change"]) removeEventListener(kind, start, true);
    let frames = 0;
    let next;
    const count = () => {
      frames += 1;
      next = requestAnimationFrame(count);
    };
    next = requestAnimationFrame(count);
    const observer = new MutationObserver(look);
    observer.observe(document, { attributes: true, childList: true, subtree: true });
    addEventListener("change", look); // what is ticked changes no attribute
    function look() {
      if (!document.querySelector(what)) return;
      observer.disconnect();
      cancelAnimationFrame(next);
      removeEventListener("change", look);
      sessionStorage.setItem("felt", frames);
    }
  };
  for (const kind of ["click", "keydown", "change"]) addEventListener(kind, start, true);
}"""
FELT = "() => sessionStorage.getItem('felt')"


def slow_line(page: Page) -> None:
    page.context.new_cdp_session(page).send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": LATENCY_MS,
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        },
    )


def felt(page: Page, tap: Callable[[], object], what: str) -> int:
    """Frames from a tap until `what` (a selector) is on the page."""
    page.evaluate(WATCH, what)
    tap()
    return int(page.wait_for_function(FELT).json_value())


def assert_felt(frames: Mapping[str, int]) -> None:
    """Every tap shows at once."""
    assert max(frames.values()) <= FELT_FRAMES, frames


def add(page: Page, *titles: str) -> None:
    for title in titles:
        page.locator("#quick").fill(title)
        page.keyboard.press("Enter")
        expect(page.locator("#found")).to_contain_text(title)
        expect(page.locator("#quick")).to_have_value("")


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_every_tap_on_the_list_of_todos_is_felt_at_once(stack, open_page, size):
    page = open_page(size)
    page.goto(f"{stack.url}/todos?tab=inbox")
    add(page, "First", "Second", "Third")
    slow_line(page)
    row = page.locator("[data-todo]")
    frames = {}

    page.locator("#quick").fill("Fourth")
    expect(page.locator("#quick-preview")).to_contain_text("Fourth")
    frames["add"] = felt(page, lambda: page.keyboard.press("Enter"), "#quick-add .htmx-request")
    expect(row).to_have_count(4)
    ticked = ".todo__tick[aria-checked=true]"
    frames["tick"] = felt(page, row.first.locator(".todo__tick").click, ticked)
    expect(row).to_have_count(3)
    undo = page.locator("#toasts [data-undo] button")
    frames["undo"] = felt(page, undo.click, "[data-undo] button.htmx-request")
    expect(row).to_have_count(4)
    row.first.get_by_role("button", name=re.compile("^More for")).click()
    delete = row.first.get_by_role("button", name=re.compile("^Delete"))
    frames["delete"] = felt(page, delete.click, "[data-todo][data-leaving]")
    expect(row).to_have_count(3)
    tab = page.get_by_role("navigation", name="Lists").get_by_role("link", name="All")
    frames["tab"] = felt(page, tab.click, ".tabs > a.htmx-request")
    expect(tab).to_have_attribute("aria-current", "page")
    sort = page.locator("#by-sort")
    frames["filter"] = felt(page, lambda: sort.select_option("new"), ".todos-filters.htmx-request")
    page.wait_for_url(re.compile("sort=new"))
    if size == "phone":
        page.get_by_label("Select several").check()
    frames["select"] = felt(
        page, row.first.get_by_role("checkbox", name="Select").check, "[name=chosen]:checked"
    )
    title = row.first.get_by_role("link")

    def follow() -> None:
        title.click()
        page.wait_for_url(re.compile("/todos/[0-9a-f-]{36}"))

    frames["page"] = felt(page, follow, "[data-todo] a.htmx-request")
    assert_felt(frames)


def test_every_tap_in_a_conversation_is_felt_at_once(stack, open_page):
    page = open_page("desk")
    page.goto(f"{stack.url}/projects/agent/new")
    page.get_by_label("Your project, in your own words").fill("A street party in June")
    page.get_by_role("button", name="Start conversation").click()
    listening(page)
    expect(page.locator("#run-state")).to_have_attribute("data-state", "idle")
    slow_line(page)
    frames = {}

    policy = page.locator("#operations").get_by_role("button", name="Review first")
    frames["policy"] = felt(page, policy.click, "#operations button.htmx-request")
    expect(page.locator("#operations .htmx-request")).to_have_count(0)
    say = page.get_by_role("textbox", name="Your message")
    say.fill("The budget is 800 euros.")
    frames["send"] = felt(
        page, lambda: page.keyboard.press("Enter"), "#log > :last-child[data-state=queued]"
    )
    expect(page.locator(".message--person")).to_have_count(2)
    expect(say).to_have_value("")
    details = page.locator("#operations a[id^=details-]").first
    frames["dialog"] = felt(page, details.click, "a.htmx-request")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    approve = page.locator("#operations").get_by_role("button", name=re.compile("^Approve")).first
    frames["approve"] = felt(page, approve.click, "#operations button.htmx-request")
    assert_felt(frames)


def test_what_was_foreseen_comes_back_when_the_request_fails(stack, open_page):
    page = open_page("desk", told="Failed to load resource|htmx:")
    page.goto(f"{stack.url}/todos?tab=inbox")
    add(page, "First")
    page.context.set_offline(True)
    tick = page.locator(".todo__tick")
    tick.click()
    expect(page.locator("#toasts")).to_contain_text("No connection")
    expect(tick).to_have_attribute("aria-checked", "false")
    page.get_by_role("button", name="More for First").click()
    page.locator("[data-todo]").get_by_role("button", name=re.compile("^Delete")).click()
    expect(page.locator("[data-leaving]")).to_have_count(0)
    expect(page.locator("[data-todo]")).to_be_visible()
