"""To-dos in a real browser: quick add, single letters, order by dragging, a phone, home."""

from __future__ import annotations

import re
import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.browser.walk import no_sideways_scrolling, start_talking

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def add(page: Page, *lines: str) -> None:
    """Writes each line into quick add, after its reading has been shown."""
    for line in lines:
        page.locator("#quick").fill(line)
        expect(page.locator("#quick-preview .quick-preview__title")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator("#quick")).to_have_value("")
        expect(page.locator("#toasts")).to_contain_text("Added to-do")


def titles(page: Page) -> list[str]:
    return page.locator("[data-todo] .todo__text a").all_inner_texts()


def test_the_first_page_takes_a_line_by_enter_and_a_list_as_it_was_pasted(stack, open_page):
    page = open_page("desk")
    page.goto(stack.url)
    page.locator("#quick").fill("Call the printer tomorrow 3pm")
    expect(page.locator("#quick-preview")).to_contain_text("Tomorrow, 15:00")
    page.keyboard.press("Enter")
    expect(page.locator("[data-todo]")).to_contain_text("Tomorrow, 15:00")

    other = open_page("phone")
    other.goto(stack.url)
    flour = "About flour. " * 200
    other.locator("#quick").fill(f"Open a bakery\n- Find an oven\n- Ask Ana\n{flour}")
    assert no_sideways_scrolling(other)
    other.get_by_role("button", name="Plan as a project").tap()
    expect(other.locator("#agent-draft .said-tasks li")).to_have_text(["Find an oven", "Ask Ana"])
    expect(other.locator("#agent-draft")).to_contain_text(flour.strip())


def test_a_pasted_list_becomes_to_dos_and_a_text_that_is_too_long_stays_whole(stack, open_page):
    page = open_page("phone")
    page.goto(f"{stack.url}/todos?tab=inbox")
    field = page.locator("#quick")
    text = "About flour. " * 100
    field.fill(text)
    expect(page.locator("#quick-error")).to_be_visible()
    expect(field).to_have_value(text)
    field.fill("- Find an oven\n- Ask Ana tomorrow\n- Buy flour")
    expect(page.locator("#quick-preview")).to_contain_text("“Ask Ana”")
    assert no_sideways_scrolling(page)
    page.keyboard.press("Enter")
    expect(field).to_have_value("")
    assert titles(page) == ["Find an oven", "Ask Ana", "Buy flour"]


def test_a_line_is_read_kept_and_worked_on_by_letters(stack, open_page):
    page = open_page("desk", timezone_id="Europe/Berlin")
    page.goto(f"{stack.url}/todos?tab=inbox")
    page.locator("#quick").fill("Call the printer tomorrow 3pm !high")
    preview = page.locator("#quick-preview")
    expect(preview).to_contain_text("Tomorrow, 15:00")
    expect(preview).to_contain_text("High")
    page.keyboard.press("Enter")
    row = page.locator("[data-todo]")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Call the printer")
    expect(preview).to_be_empty()
    expect(page.locator("#quick")).to_be_focused()
    add(page, "Order paper", "Water the plants")

    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(row.first).to_be_focused()
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("[data-chosen]")).to_have_text("2")
    page.get_by_role("toolbar").get_by_role("button", name="Done").click()
    expect(row).to_have_count(1)
    expect(page.locator("#toasts")).to_contain_text("Completed 2 to-dos")
    page.keyboard.press("z")
    expect(row).to_have_count(3)
    expect(page.locator("#toasts")).to_contain_text("Undid changes")

    row.nth(1).focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(row.first).to_contain_text("Order paper")
    expect(row.first).to_be_focused()
    page.keyboard.press("c")
    expect(row).to_have_count(2)
    expect(row.first).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#keys-help")).to_be_visible()
    page.locator("[data-letters]").uncheck()
    page.keyboard.press("Escape")
    row.first.focus()
    page.keyboard.press("c")
    page.keyboard.press("?")
    expect(page.locator("#keys-help")).to_be_hidden()
    expect(row).to_have_count(2)
    page.locator("[data-help]").click()
    page.locator("[data-letters]").check()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("water")
    expect(row).to_have_count(1)
    page.wait_for_url(re.compile("q=water"))
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(page.get_by_role("heading", level=1)).to_have_text("Water the plants")


def test_rows_are_put_in_order_by_their_grip(stack, open_page):
    page = open_page("desk")
    page.goto(f"{stack.url}/todos?tab=inbox")
    add(page, "First", "Second", "Third")
    page.locator("[data-todo]").nth(2).hover()
    grip = page.locator("[data-todo]").nth(2).locator("[data-grip]")
    grip.hover()
    page.mouse.down()
    above = page.locator("[data-todo]").first.bounding_box()
    assert above is not None
    page.mouse.move(above["x"] + 20, above["y"] + 30)
    page.mouse.move(above["x"] + 20, above["y"] + 5)
    page.mouse.up()
    expect(page.locator("#toasts")).to_contain_text("Moved to-do")
    assert titles(page) == ["Third", "First", "Second"]
    page.reload()
    assert titles(page) == ["Third", "First", "Second"]


def test_a_phone_shows_it_all_and_home_shows_the_day(stack, open_page):
    page = open_page("phone")
    page.goto(stack.url)
    assert no_sideways_scrolling(page)
    page.locator("#quick").fill("Send the weekly sheet today 11:59pm !critical")
    expect(page.locator("#quick-preview")).to_contain_text("Critical")
    page.get_by_role("button", name="Add as to-do").click()
    page.wait_for_url(re.compile("/todos"))
    add(page, "A rather long to-do that says in many words what ought to be done today by somebody")
    for tab in ("today", "inbox", "all"):
        page.goto(f"{stack.url}/todos?tab={tab}")
        assert no_sideways_scrolling(page), tab
    page.get_by_label("Select several").check()
    page.locator("[name=chosen]").first.check()
    page.get_by_role("button", name="Due date", exact=True).click()
    expect(page.get_by_role("button", name="Next week").last).to_be_in_viewport()
    page.keyboard.press("Escape")
    page.goto(stack.url)
    assert no_sideways_scrolling(page)
    day = page.locator("#day")
    expect(day).to_contain_text("Send the weekly sheet")
    day.get_by_role("checkbox", name="Done: Send the weekly sheet").click()
    expect(day.get_by_role("checkbox", name="Done: Send the weekly sheet")).to_have_count(0)
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(day.get_by_role("checkbox", name="Done: Send the weekly sheet")).to_be_visible()


def test_the_search_box_opens_anywhere_and_leads_there_by_keys(stack, open_page):
    page = open_page("desk")
    page.goto(f"{stack.url}/todos?tab=inbox")
    add(page, "Order gutters")
    page.goto(f"{stack.url}/projects")
    page.keyboard.press("/")
    box = page.locator("#search-box")
    expect(box).to_be_visible()
    page.keyboard.type("gutters")
    result = box.locator("[data-result]")
    expect(result).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(result.first).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    page.keyboard.press("Control+k")
    expect(box).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Order gutters")
    page.goto(f"{stack.url}/projects")
    page.keyboard.press("?")
    expect(page.locator("#all-keys")).to_contain_text("Show keyboard shortcuts")
    page.keyboard.press("Escape")


def test_columns_are_dragged_between_and_several_are_chosen_by_a_range(stack, open_page):
    page = open_page("desk")
    page.goto(f"{stack.url}/todos?tab=inbox")
    add(page, "First", "Second", "Third")
    page.locator("[data-todo]").first.focus()
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Shift+X")
    expect(page.locator("[data-chosen]")).to_have_text("3")
    page.locator("#by-sort").select_option("new")
    expect(page.locator("[data-todo]").first).to_contain_text("Third")
    page.goto(f"{stack.url}/todos?view=board")
    expect(page.locator(".todos-column")).to_have_count(5)
    expect(page.locator("[data-todo]").first).to_contain_text("Third")
    row = page.locator("[data-todo]").first
    row.hover()
    row.locator("[data-grip]").hover()
    page.mouse.down()
    blocked = page.locator('[data-drop="status:blocked"]').bounding_box()
    assert blocked is not None
    page.mouse.move(blocked["x"] + 30, blocked["y"] + 10)
    page.mouse.move(blocked["x"] + 40, blocked["y"] + 15)
    page.mouse.up()
    expect(page.locator('[data-drop="status:blocked"] [data-todo]')).to_contain_text("Third")
    assert no_sideways_scrolling(page)


@pytest.mark.parametrize("view", ["week", "board"])
def test_the_views_fit_on_a_phone(stack, open_page, view):
    page = open_page("phone")
    page.goto(f"{stack.url}/todos?tab=inbox")
    add(page, "A rather long to-do that says in many words what ought to be done tomorrow")
    page.goto(f"{stack.url}/todos?view={view}")
    assert no_sideways_scrolling(page)
    page.goto(f"{stack.url}/search?q=rather")
    expect(page.locator("main [data-result]")).to_have_count(1)
    assert no_sideways_scrolling(page)


def test_views_are_reached_by_letters_and_help_and_search_from_a_conversation(stack, open_page):
    page = open_page("desk")
    page.goto(stack.url)
    page.keyboard.press("?")
    expect(page.locator("#all-keys")).to_be_visible()
    page.goto(f"{stack.url}/todos")
    expect(page.locator("#found")).to_contain_text("No to-dos yet")
    for letter, view in (("w", "week"), ("b", "board"), ("l", "list")):
        page.keyboard.press(letter)
        expect(page.locator(f"#view-{view}")).to_have_attribute("aria-current", "page")
        page.wait_for_load_state()  # another page: its letters work once it is loaded
    for title in ("Policy Analyst", "Librarian"):
        start_talking(page, stack.url, title)
    beside = page.get_by_role("navigation", name="Conversations")
    expect(beside.get_by_role("link", name=re.compile("Policy Analyst"))).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.locator("#search-box")).to_be_visible()


def test_what_was_typed_into_an_open_list_outlives_signing_out_in_another_tab(stack, open_page):
    page = open_page("desk", told="^Failed to load resource|Status Error Code 401")
    page.goto(f"{stack.url}/accounts/signup/")
    page.get_by_label("Email").fill(f"eve-{uuid.uuid4().hex[:8]}@example.org")
    for field in page.locator("input[type=password]").all():
        field.fill("four quiet sheep on ice")
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url(re.compile(r"^(?!.*signup)"))
    page.goto(f"{stack.url}/todos")
    other = page.context.new_page()
    other.goto(f"{stack.url}/accounts/logout/")
    other.locator("main").get_by_role("button").click()
    other.wait_for_url(re.compile(r"^(?!.*logout)"))
    page.locator("#quick").fill("Call the printer")
    page.keyboard.press("Enter")
    expect(page.locator("#toasts")).to_contain_text("You are signed out.")
    expect(page.locator("#quick")).to_have_value("Call the printer")
    page.locator("#toasts").get_by_role("link", name="Sign in").click()
    page.goto(f"{stack.url}/todos")
    expect(page.locator("#quick")).to_have_value("Call the printer")
    assert titles(page) == []


def test_open_lists_show_what_a_program_changes_and_spare_what_somebody_has_in_hand(
    stack, open_page
):
    def send(method: str, path: str, **values: object) -> dict:
        answer = page.request.fetch(f"{stack.url}/api{path}", method=method, data=values)
        assert answer.ok, answer.text()
        return answer.json()

    def minute_over() -> None:
        page.clock.fast_forward("01:01")

    page = open_page("desk", told="404")
    page.clock.install()
    page.goto(f"{stack.url}/todos?tab=inbox")
    add(page, "Find an oven")
    row = page.locator("[data-todo]")
    key = row.get_attribute("data-todo")
    send("PATCH", f"/todos/{key}", title="Find two ovens")
    minute_over()
    expect(row).to_contain_text("Find two ovens")
    send("PATCH", f"/todos/{key}", title="Find three ovens")
    row.locator("[name=chosen]").check()
    minute_over()
    expect(row).to_contain_text("Find two ovens")
    row.locator("[name=chosen]").uncheck()
    page.locator("h1").click()  # the focus leaves the list
    minute_over()
    expect(row).to_contain_text("Find three ovens")

    project = send("POST", "/projects", name="Bakery", todos=["Ask Ana"])["project"]["id"]
    page.goto(f"{stack.url}/projects/{project}")
    field = page.locator("#add-title")
    field.fill("Buy flour")
    send("POST", "/todos", title="Buy salt", project=project)
    minute_over()
    expect(field).to_have_value("Buy flour")
    field.press("Enter")
    expect(page.locator("#tasks")).to_contain_text("Buy flour")
    expect(page.locator("#tasks")).to_contain_text("Buy salt")
    send("POST", "/todos", title="Buy yeast", project=project)
    page.locator("h1").click()
    minute_over()
    expect(page.locator("#tasks")).to_contain_text("Buy yeast")

    send("POST", "/notes", project=project, text="Rye.")
    send("PATCH", f"/projects/{project}", core_people_bonds="Ana and Ben.")
    minute_over()
    expect(page.locator("#notes")).to_contain_text("Rye.")
    expect(page.locator("#described")).to_contain_text("Ana and Ben.")
    page.locator("#notes summary").click()
    page.locator("#notes textarea").fill("Spelt.")
    send("POST", "/notes", project=project, text="Oats.")
    send("POST", "/todos", title="Buy oats", project=project)
    minute_over()
    expect(page.locator("#tasks")).to_contain_text("Buy oats")
    expect(page.locator("#notes textarea")).to_have_value("Spelt.")
    send("DELETE", f"/projects/{project}")
    minute_over()
    expect(page.locator("#toasts")).to_contain_text("It may have been deleted")
