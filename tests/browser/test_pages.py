"""Every page in a real browser: fits a phone, breaks no policy, keeps the theme, helps typing."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import (
    listed,
    no_sideways_scrolling,
    reply,
    say,
    start_talking,
    type_title,
    unfold,
)

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
PUBLIC = [
    "/", "/survey", "/survey?title=Data%20Analyst", "/about/answers", "/accounts/login/",
    "/accounts/signup/", "/accounts/password/reset/", "/account", "/admin/login/",
    "/api/docs",
]  # fmt: skip


def test_no_public_page_scrolls_sideways_or_reports_an_error(stack, open_page):
    page = open_page("small")
    for path in PUBLIC:
        answer = page.goto(f"{stack.url}{path}")
        assert answer.status == 200, path
        assert no_sideways_scrolling(page), path


def test_error_pages_fit_too(stack, open_page):
    page = open_page("small", told="^Failed to load resource")
    missing = "/survey/00000000-0000-4000-8000-000000000000/chat"
    for path in ("/nothing/here", missing):
        assert page.goto(f"{stack.url}{path}").status == 404
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert no_sideways_scrolling(page), path


def test_a_talk_can_be_read_when_enlarged_to_400_per_cent(stack, open_page):
    page = open_page("desk")
    start_talking(page, stack.url, "Data Analyst")
    reply(page, 1)
    page.set_viewport_size({"width": 320, "height": 256})
    log = page.locator(".talk__scroll")
    assert log.evaluate("log => log.clientHeight") > 180
    field = page.locator("#say")
    field.scroll_into_view_if_needed()
    field.fill("I write reports")
    expect(field).to_be_in_viewport(ratio=1)
    assert no_sideways_scrolling(page)


def test_what_is_chosen_is_seen_in_forced_colours(stack, open_page):
    page = open_page("desk", forced_colors="active")
    framed = "all => all.filter(one => getComputedStyle(one).outlineStyle === 'solid').length"
    page.goto(f"{stack.url}/todos")
    for group in (".todos-views a", ".tabs a"):
        assert page.locator(group).count() > 1
        assert page.locator(group).evaluate_all(framed) == 1, group
    page.goto(f"{stack.url}/survey")
    title = type_title(page, "Data")
    expect(page.get_by_role("option").nth(1)).to_be_visible()
    title.press("ArrowDown")
    expect(page.locator("[role=option][aria-selected=true]")).to_have_count(1)
    assert page.get_by_role("option").evaluate_all(framed) == 1


def test_no_page_of_the_survey_scrolls_sideways(stack, open_page):
    page = open_page("small")
    long_word = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk" * 3
    start_talking(page, stack.url, "Data Analyst")
    reply(page, 1)
    say(page, f"I clean data, write reports and repair the {long_word}.")
    reply(page, 2)
    assert no_sideways_scrolling(page)
    say(page, "no idea")
    reply(page, 3)
    assert no_sideways_scrolling(page)
    page.get_by_role("button", name="Details").click()
    assert no_sideways_scrolling(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Finish and show task list").click()
    page.wait_for_url(re.compile("/tasks$"))
    tasks = listed(page)
    assert no_sideways_scrolling(page)
    unfold(tasks.first)
    for name in ("Edit", "Split", "Merge"):
        tasks.first.get_by_role("button", name=re.compile("^Edit, split")).click()
        tasks.first.get_by_role("link", name=re.compile(f"^{name}")).click()
        expect(tasks.first.locator("form.in-place")).to_be_visible()
        assert no_sideways_scrolling(page), name
        tasks.first.get_by_role("link", name="Cancel").click()
        expect(tasks.first.locator("form.in-place")).to_have_count(0)
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url(re.compile("/complete$"))
    assert no_sideways_scrolling(page)
    page.get_by_role("link", name="Delete my answers").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert no_sideways_scrolling(page)


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_chosen_theme_is_remembered(stack, open_page, system):
    page = open_page("desk", color_scheme=system)
    page.goto(stack.url)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    body = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(f"[{ground}, {body}]")
    page.get_by_role("button", name="Switch between light and dark").click()
    after = page.evaluate(f"[{ground}, {body}]")
    assert after != before
    for path in ("/survey", "/accounts/login/"):
        page.goto(f"{stack.url}{path}")
        assert page.evaluate(f"[{ground}, {body}]") == after
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate(f"[{ground}, {body}]") == before


def test_titles_are_offered_while_typing_and_taken_with_the_mouse(stack, open_page):
    page = open_page("desk")
    page.goto(f"{stack.url}/survey")
    field = type_title(page, "nurs")
    option = page.get_by_role("option").nth(1)
    wanted = option.get_attribute("data-value")
    option.click()
    expect(field).to_have_value(wanted)
    expect(field).to_be_focused()
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(page.get_by_role("radio")).not_to_have_count(0)


def test_titles_are_walked_with_arrows_and_left_with_escape(stack, open_page):
    page = open_page("desk")
    page.goto(f"{stack.url}/survey")
    field = type_title(page, "teach")
    options = page.get_by_role("option")
    expect(options.first).to_be_visible()
    field.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", "title-option-1")
    field.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    field.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(field).to_have_value("teach")
    field.press("ArrowDown")
    wanted = page.get_by_role("option", selected=True).get_attribute("data-value")
    field.press("Enter")
    expect(field).to_have_value(wanted)
    assert page.url.endswith("/survey")  # Enter chose, it did not send


def test_what_looks_like_markup_is_shown_as_it_was_typed(stack, open_page):
    page = open_page("desk")
    trap = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    page.on("dialog", lambda dialog: pytest.fail(f"executed: {dialog.message}"))
    start_talking(page, stack.url, f"Baker {trap}")
    reply(page, 1)
    say(page, f"I bake {trap} bread and write **recipes** for [you](javascript:alert(3)).")
    said = page.locator(".message--person")
    expect(said).to_contain_text(trap)
    reply(page, 2)
    page.get_by_role("button", name="Finish and show task list").click()
    page.wait_for_url(re.compile("/tasks$"))
    page.get_by_label("Add a task").fill(f"Sell {trap}")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".task__statement").last).to_contain_text("<script>")
    page.get_by_role("link", name="Continue").click()
    expect(page.locator("table")).to_contain_text("<script>alert(2)</script>")
    assert page.locator("main script, main img[src=x], a[href^=javascript]").count() == 0
