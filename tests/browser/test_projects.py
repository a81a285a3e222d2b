"""Projects in a real browser: written down, edited in place, undone, finalised, by keys too."""

from __future__ import annotations

import re
import uuid

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
PROJECT = re.compile(r"/projects/[0-9a-f-]{36}")


def write_down(page: Page, url: str, name: str, *todos: str) -> str:
    """A project made by the plain form; its address."""
    page.goto(f"{url}/projects/new?fresh=1")
    page.get_by_label("Name").fill(name)
    page.get_by_label("First to-dos").fill("\n".join(todos))
    page.get_by_role("button", name="Create the project").click()
    page.wait_for_url(PROJECT)
    return page.url.partition("?")[0]


def test_a_project_is_edited_in_place_and_each_gesture_undone(stack, open_page):
    page = open_page("desk")
    address = write_down(page, stack.url, "Weekly sheet", "Agree on columns", "Print labels")

    page.locator("#dimensions > summary").click()
    page.get_by_role("link", name="Add Goals and momentum").click()
    page.locator("#content-core_goals_momentum").fill("Pilot in **spring**.\n\n- one reservoir")
    page.get_by_role("button", name="Save").click()
    section = page.locator("#core_goals_momentum")
    expect(section.locator("strong")).to_have_text("spring")
    expect(page.locator("#nine a").nth(2)).to_contain_text("described")
    expect(page.locator("#core_goals_momentum .dimension__edit")).to_be_focused()

    page.locator("#dimensions > summary").click()  # closed on the screen, and whole on paper
    expect(section.locator("strong")).to_be_hidden()
    page.emulate_media(media="print")
    expect(section.locator("strong")).to_be_visible()
    expect(section.get_by_role("link")).to_have_count(0)
    expect(page.locator("#history h3").first).to_be_visible()
    expect(page.locator("#notes, #history").get_by_role("link")).to_have_count(0)
    expect(page.get_by_text("Add note")).to_be_hidden()
    page.emulate_media(media="screen")

    page.get_by_label("New to-do").fill("Train technicians")
    page.keyboard.press("Enter")
    expect(page.locator("#tasks .todo")).to_have_count(3)
    expect(page.get_by_label("New to-do")).to_be_focused()
    expect(page.get_by_label("New to-do")).to_have_value("")
    page.get_by_role("checkbox", name="Done: Print labels").press("Space")
    expect(page.locator("#facts")).to_contain_text("1 of 3 done")
    page.get_by_label("Status of Agree on columns").select_option("blocked")
    expect(page.locator("#history .operation").first).to_contain_text("Agree on columns")
    expect(page.locator("#toasts")).to_contain_text("Changed to-do status")

    page.locator("#toasts").get_by_role("button", name="Undo").click()
    page.wait_for_url(re.compile("done="))
    expect(page.get_by_label("Status of Agree on columns")).to_have_value("available")
    page.get_by_role("status").get_by_role("button", name="Redo").click()
    expect(page.get_by_label("Status of Agree on columns")).to_have_value("blocked")

    page.get_by_role("button", name="More: edit, status").click()
    page.get_by_role("link", name=re.compile("^Delete")).click()
    page.get_by_role("button", name="Delete project").click()
    page.get_by_role("button", name="Undo").click()
    page.goto(address)
    expect(page.locator("#tasks .todo")).to_have_count(3)


def test_the_focus_stays_at_the_list_that_keys_change(stack, open_page):
    page = open_page("desk")
    write_down(page, stack.url, "By keys", "Dig", "Plant", "Water")
    page.get_by_role("checkbox", name="Done: Dig").press("Space")
    expect(page.locator("#facts")).to_contain_text("1 of 3 done")
    expect(page.get_by_role("checkbox", name="Done: Plant")).to_be_focused()
    # what is moved keeps the focus, what is deleted leaves it to its neighbour
    page.get_by_role("button", name="More for Plant").press("Enter")
    page.get_by_role("button", name="Move down").press("Enter")
    expect(page.locator("#tasks > .todo").last).to_contain_text("Plant")
    expect(page.get_by_role("button", name="More for Plant")).to_be_focused()
    page.get_by_role("button", name="More for Water").press("Enter")
    page.locator("[popover]:popover-open").get_by_role("button", name="Delete").press("Enter")
    expect(page.locator("#tasks > .todo")).to_have_count(1)
    expect(page.locator("#tasks :focus")).to_have_count(1)
    # a notice that is closed leaves it where it was
    page.get_by_label("New to-do").focus()
    page.locator("#toasts").get_by_role("button", name="Close").press("Enter")
    expect(page.get_by_label("New to-do")).to_be_focused()


def test_two_tabs_at_one_dimension_lose_neither_text(stack, open_page):
    page = open_page("desk")
    address = write_down(page, stack.url, "Two tabs")
    other = open_page(like=page, told="^Failed to load resource")
    other.goto(f"{address}/dimensions/core_people_bonds")
    page.bring_to_front()  # browsers slow down what a tab behind another does
    page.goto(f"{address}/dimensions/core_people_bonds")
    page.locator("#content-core_people_bonds").fill("Ann")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#core_people_bonds .dimension__text")).to_have_text("Ann")
    other.bring_to_front()
    other.locator("#content-core_people_bonds").fill("Ben")
    other.get_by_role("button", name="Save").click()
    conflict = other.locator(".decision--conflict")
    expect(conflict).to_contain_text("Ann")
    expect(conflict).to_contain_text("Ben")
    expect(other.locator("#content-core_people_bonds")).to_have_value("Ben")
    other.get_by_role("button", name="Save").click()
    expect(other.locator("#core_people_bonds .dimension__text")).to_have_text("Ben")


def test_a_dimension_that_is_being_written_outlives_a_reload(stack, open_page):
    page = open_page("phone")
    address = write_down(page, stack.url, "Reload")
    for _ in range(2):
        page.goto(address)
        page.locator("#dimensions > summary").click()
        page.locator("#edit-core_people_bonds").click()
        page.locator("#content-core_people_bonds").fill("Ann keeps the key")
        page.reload()
        expect(page.locator("#content-core_people_bonds")).to_be_visible()
        expect(page.locator("#content-core_people_bonds")).to_have_value("Ann keeps the key")
        page.locator("#core_people_bonds").get_by_role("link", name="Cancel").click()
        expect(page.locator("#content-core_people_bonds")).to_have_count(0)
        page.reload()
        expect(page.locator("#edit-core_people_bonds")).to_have_count(1)
        expect(page.locator("#content-core_people_bonds")).to_have_count(0)


def test_keys_lead_to_projects_but_not_while_writing(stack, open_page):
    page = open_page("desk")
    page.goto(f"{stack.url}/accounts/signup/")
    page.locator("input[name=email]").fill(f"pia-{uuid.uuid4().hex[:8]}@example.org")
    for field in page.locator("input[type=password]").all():
        field.fill("four quiet sheep on ice")
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url(re.compile(r"^(?!.*signup)"))
    page.goto(f"{stack.url}/account")
    page.keyboard.press("Alt+KeyP")
    page.wait_for_url(f"{stack.url}/projects")
    page.keyboard.press("Alt+KeyN")
    page.wait_for_url(f"{stack.url}/projects/new")
    page.get_by_label("Name").press("Alt+KeyP")
    page.wait_for_timeout(0)
    assert page.url == f"{stack.url}/projects/new"


def test_a_draft_becomes_a_project_on_a_phone_without_scrolling_sideways(stack, open_page):
    page = open_page("small")
    write_down(page, stack.url, "A rather long name for a project on a phone", "First", "Second")
    for address in (page.url, f"{stack.url}/projects", f"{stack.url}/projects/new"):
        page.goto(address)
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wide, address
