"""A project talked into being in a browser: asked, shown, created, updated, taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from projects.dimensions import FIELDS
from tests.browser.walk import no_sideways_scrolling

pytestmark = pytest.mark.browser

DUMP = (
    "I plan a street party. My neighbours help with it, and the budget is 800 euros. I need to ask "
    "the city for a permit."
)
FIVE = ("Sketch the screens", "Pick a name", "Ask ten members", "Build the timer", "Plan the beta")
ANSWERS = ".message:not(.message--person)[data-state=complete]"


def say(page: Page, text: str) -> None:
    """One message; returns when its answer is there."""
    count = page.locator(ANSWERS).count()
    page.get_by_role("textbox", name="Your message").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(ANSWERS)).to_have_count(count + 1)


def begin(page: Page, url: str, text: str) -> None:
    page.goto(f"{url}/projects/agent/new")
    page.get_by_label("Your project, in your own words").fill(text)
    page.get_by_role("button", name="Start talking").click()
    expect(page.locator(ANSWERS)).to_have_count(1)


def test_a_project_is_talked_into_being_updated_and_taken_back(stack, open_page):
    page = open_page()
    begin(page, stack.url, DUMP)
    panel = page.locator("#operations")
    expect(panel.locator("dd", has_text="Ask the city for a permit").first).to_be_visible()
    expect(page.locator("#agent-title")).to_have_text("Plan a street party")
    expect(page.locator("#agent-draft")).to_contain_text("800 euros")
    say(page, "Eighty guests and no complaints")
    expect(page.locator("#agent-draft")).to_contain_text("Eighty guests")
    say(page, "create it")
    expect(page.locator(".phases [aria-current]")).to_have_text("Looking it over")
    page.get_by_role("button", name="Create the project").click()
    expect(page.locator(ANSWERS)).to_have_count(4)
    expect(page.locator(".phases [aria-current]")).to_have_text("Created")
    say(page, "add a task to paint a banner by next Friday")
    expect(panel.get_by_text("Paint a banner").first).to_be_visible()
    panel.get_by_role("button", name="Undo").or_(
        panel.get_by_role("link", name="Undo")
    ).first.click()
    page.get_by_role("link", name="Open Plan a street party").click()
    expect(page.get_by_role("heading", name="Plan a street party")).to_be_visible()


def test_on_a_phone_talk_and_changes_are_two_tabs(stack, open_page):
    page = open_page("phone")
    begin(page, stack.url, DUMP)
    assert no_sideways_scrolling(page)
    expect(page.locator("#operations")).to_be_hidden()
    page.get_by_text("Changes", exact=False).first.click()
    expect(page.locator("#operations")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your message")).to_be_hidden()
    assert no_sideways_scrolling(page)


def test_with_a_model_the_project_begins_with_five_tasks(model_stack, open_page):
    scripted = model_stack.scripted
    scripted.reset()
    empty = {
        "dimensions": [], "tasks": [], "corrections": [], "name": "Fitness app", "summary": None,
        "description": None, "is_vague": False, "does_not_know": False,
    }  # fmt: skip
    scripted.on("dimension_detection").json(dict.fromkeys(FIELDS, 2))
    scripted.on("answer_reading").json(empty)
    scripted.on("agent_response").text("A fitness app. What would success look like?")
    scripted.on("initial_tasks").json({"tasks": [{"title": t, "details": None} for t in FIVE]})
    page = open_page()
    begin(page, model_stack.url, "Building a fitness app. It is for people who train alone.")
    say(page, "create it")
    page.get_by_role("button", name="Create the project").click()
    expect(page.locator(ANSWERS)).to_have_count(3)
    for title in FIVE:
        expect(page.locator(ANSWERS).last).to_contain_text(title)
    scripted.reset()
