"""A project talked into being in a browser: asked, shown, created, updated, taken back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from projects.dimensions import FIELDS
from tests.browser.walk import listening, no_sideways_scrolling

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

DUMP = (
    "I plan a street party. My neighbours help with it, and the budget is 800 euros.\n"
    "- Ask the city for a permit"
)
FIVE = ("Sketch the screens", "Pick a name", "Ask ten members", "Build the timer", "Plan the beta")
ANSWERS = ".message:not(.message--person)[data-state=complete]"
PROJECT = re.compile(r"/projects/[0-9a-f-]{36}")


def say(page: Page, text: str) -> None:
    """One message; returns when its answer is there."""
    count = page.locator(ANSWERS).count()
    page.get_by_role("textbox", name="Your message").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(ANSWERS)).to_have_count(count + 1)


def begin(page: Page, url: str, text: str) -> None:
    page.goto(f"{url}/projects/agent/new")
    page.get_by_label("Your project, in your own words").fill(text)
    page.get_by_role("button", name="Start conversation").click()
    expect(page.locator(ANSWERS)).to_have_count(1)
    listening(page)


def create(page: Page) -> None:
    """Presses the button under the preview; returns when the project is told of."""
    count = page.locator(ANSWERS).count()
    page.get_by_role("button", name="Create the project").click()
    expect(page.locator(ANSWERS)).to_have_count(count + 1)
    expect(page.locator(".phases [aria-current]")).to_have_text("Created")


def card(page: Page, headline: str, words: str) -> Locator:
    """The entry of one change in the panel."""
    entries = page.locator("#operations article.operation").filter(has_text=headline)
    return entries.filter(has_text=words)


def undo(page: Page, entry: Locator, name: str = "^Undo") -> None:
    """Undoes from the panel: the preview in the dialog is confirmed.

    By key: the panel may be drawn anew meanwhile, which keeps the focus, while a press of the mouse
    that begins on the old link and ends on the new one is no click.
    """
    dialog = page.get_by_role("dialog")
    entry.get_by_role("link", name=re.compile(name)).press("Enter")
    dialog.get_by_role("button", name="Undo").click()
    expect(dialog).to_have_count(0)


def undone(entry: Locator) -> None:
    expect(entry).to_have_attribute("data-status", "rolled_back")


def project_page(page: Page) -> Page:
    """The project in a second tab of the same person."""
    link = page.get_by_role("link", name=re.compile("^Open "))
    address = link.last.get_attribute("href")
    other = page.context.new_page()
    other.goto(page.url.split("/projects/")[0] + str(address))
    return other


def answered_anew(page: Page, update: Locator) -> Locator:
    """Another answer: the changes of the first are undone when the person says so."""
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Regenerate").last.click()
    expect(dialog).to_contain_text("2 changes")
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Regenerate").last.click()
    dialog.get_by_role("button", name="Undo and regenerate").click()
    before = update.filter(has_text="Undone by you")
    expect(before.locator("[data-status=rolled_back]")).to_have_count(2)
    again = update.filter(has_not_text="Undone by you")
    update = page.locator(f"#{again.get_attribute('id')}")
    expect(update.locator("article.operation")).to_have_count(2)
    return update


def kept_by_hand(page: Page, update: Locator) -> Page:
    """Renames the project in another tab; undoing the update then asks about that name."""
    dialog = page.get_by_role("dialog")
    other = project_page(page)
    other.goto(other.url + "/edit")
    other.get_by_label("Name", exact=True).fill("Summer party")
    other.get_by_role("button", name="Save").click()
    expect(other.get_by_role("heading", name="Summer party")).to_be_visible()
    update.get_by_role("link", name="Undo all 2").click()
    expect(dialog).to_contain_text("edited later")
    dialog.get_by_label(re.compile("^Keep: Summer party")).check()
    dialog.get_by_role("button", name="Undo").click()
    expect(dialog).to_have_count(0)
    undone(update.locator("article.operation").filter(has_text="To-do created"))
    other.reload()
    expect(other.get_by_role("heading", name="Summer party")).to_be_visible()
    expect(other.locator(".todo").filter(has_text="Paint a banner")).to_have_count(0)
    return other


def test_a_project_is_talked_into_being_and_taken_back_piece_by_piece(stack, open_page):
    page = open_page()
    begin(page, stack.url, DUMP)
    panel = page.locator("#operations")
    expect(panel.locator("dd", has_text="Ask the city for a permit").first).to_be_visible()
    expect(page.locator("#agent-title")).to_have_text("I plan a street party")
    expect(page.locator("#agent-draft")).to_contain_text("800 euros")
    say(page, "Eighty guests and no complaints")
    expect(page.locator("#agent-draft")).to_contain_text("Eighty guests")
    say(page, "create it")
    expect(page.locator(".phases [aria-current]")).to_have_text("Review")
    create(page)
    expect(page.get_by_role("button", name="Create the project")).to_be_hidden()
    made = page.locator("[data-gesture]").filter(has_text="Project created")
    tasks = made.locator("article.operation").filter(has_text="To-do created")
    expect(tasks).to_have_count(1)

    # a task by itself
    permit = made.locator("article.operation").filter(has_text="Ask the city for a permit")
    undo(page, permit)
    undone(permit)

    # an update, and the project renamed by hand since: the conflict is shown and decided
    say(page, "rename the project to Mill Lane party\nadd paint a banner")
    update = page.locator("[data-gesture]").filter(has_text="Paint a banner")
    expect(update.locator("article.operation")).to_have_count(2)
    update = answered_anew(page, update)
    other = kept_by_hand(page, update)

    # the whole project in one go, although a human has edited it: that is asked about first
    dialog = page.get_by_role("dialog")
    made.get_by_role("link", name=re.compile("^Undo all")).click()
    expect(dialog).to_contain_text("edited later")
    dialog.get_by_label(re.compile("^Delete anyway")).check()
    dialog.get_by_role("button", name="Undo").click()
    expect(dialog).to_have_count(0)
    for entry in (made.locator("article.operation").filter(has_text="Project created"), permit):
        undone(entry)
    other.goto(f"{stack.url}/projects")
    expect(other.get_by_text("Summer party")).to_have_count(0)


def test_on_a_phone_talk_and_changes_are_two_tabs_and_the_draft_is_made_a_project(stack, open_page):
    page = open_page("phone")
    begin(page, stack.url, DUMP)
    page.set_viewport_size({"width": 320, "height": 256})  # enlarged to 400 %
    assert page.locator(".talk__scroll").evaluate("log => log.clientHeight") > 150
    page.set_viewport_size({"width": 390, "height": 844})
    assert no_sideways_scrolling(page)
    expect(page.locator("#operations")).to_be_hidden()
    page.get_by_text("Changes", exact=False).first.click()
    expect(page.locator("#operations")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your message")).to_be_hidden()
    assert no_sideways_scrolling(page)
    page.get_by_role("link", name=re.compile("^Open")).first.click()
    page.wait_for_url(re.compile(r"/projects/drafts/"))
    assert no_sideways_scrolling(page)
    page.get_by_role("button", name="Create the project").click()
    expect(page.get_by_role("heading", name="I plan a street party")).to_be_visible()
    page.wait_for_url(PROJECT)  # loaded: its keys work
    page.keyboard.press("Alt+KeyU")  # the keys of the project's menu
    page.wait_for_url(re.compile(r"/agent/update$"))
    page.get_by_role("button", name="Start update").click()
    expect(page.locator(ANSWERS)).to_have_count(1)
    assert no_sideways_scrolling(page)


def test_on_a_phone_a_created_project_is_opened_and_undone_from_the_talk(stack, open_page):
    page = open_page("phone")
    begin(page, stack.url, "Open a small bakery with a tea room in the old station\n- Find an oven")
    page.get_by_role("button", name="Review the draft").tap()
    expect(page.locator(ANSWERS)).to_have_count(2)
    create(page)
    expect(page.locator(".agent-head").get_by_role("link", name="Open project")).to_be_visible()
    assert no_sideways_scrolling(page)
    page.locator(ANSWERS).last.get_by_role("link", name="Undo").tap()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("To-do: Find an oven")
    dialog.get_by_role("button", name="Undo").tap()
    expect(dialog).to_have_count(0)
    expect(page.locator("#agent-draft")).to_contain_text("Edit draft")
    expect(page.locator(".agent-head").get_by_role("link", name="Open project")).to_have_count(0)


def test_with_a_model_the_project_begins_with_five_tasks_each_taken_back(model_stack, open_page):
    scripted = model_stack.scripted
    scripted.reset()
    empty = {
        "dimensions": [], "tasks": [], "corrections": [], "name": "Fitness app", "summary": None,
        "description": None, "is_vague": False, "does_not_know": False,
    }  # fmt: skip
    scripted.on("dimension_detection").json(dict.fromkeys(FIELDS, 2))
    scripted.on("answer_reading").json(empty)
    scripted.on("agent_response").text("A fitness app. What would success look like?")
    scripted.on("initial_tasks").json({"tasks": [{"title": t} for t in FIVE]})
    page = open_page()
    begin(page, model_stack.url, "Building a fitness app. It is for people who train alone.")
    page.get_by_role("button", name="Review the draft").click()
    expect(page.locator(ANSWERS)).to_have_count(2)
    create(page)
    # the project, its five to-dos, and the draft that is done with
    expect(page.locator(ANSWERS).last).to_contain_text("7 changes")
    made = page.locator("[data-gesture]").filter(has_text="Project created")
    for title in FIVE:
        expect(made).to_contain_text(title)
    for title in FIVE[:2]:
        task = made.locator("article.operation").filter(has_text=title)
        undo(page, task)
        undone(task)
    undo(page, made, "^Undo all")
    for entry in made.locator("article.operation").filter(has_text="To-do created").all():
        undone(entry)
    undone(made.locator("article.operation").filter(has_text="Project created"))
    scripted.reset()
