"""The survey's pages by finger, mouse and keyboard: what covers what, what folds and opens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.walk import (
    asked_title,
    listed,
    no_sideways_scrolling,
    reply,
    say,
    start_talking,
    type_title,
    unfold,
)

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
TWELVE = (
    "I feed the colonies, inspect the frames, extract the honey, fill the jars, label the jars,"
    " repair the hives, order the sugar, sell the honey, teach new beekeepers, keep the records,"
    " plan the season and treat the mites. That's all!"
)
IN_TALK = re.compile(r"/survey/[0-9a-f-]{36}/chat$")


@pytest.mark.parametrize(("size", "title"), [("phone", "Xqzv wrangler"), ("desk", "Nurse")])
def test_a_job_goes_from_the_first_page_to_its_survey(stack, open_page, size, title):
    page = open_page(size)
    page.goto(stack.url)
    page.get_by_role("textbox", name="A to-do, a project or your job title").fill(title)
    job = page.get_by_role("button", name="Use as job title")
    job.tap() if size == "phone" else job.click()
    page.wait_for_url(re.compile(r"/survey\?title="))
    expect(page.get_by_role("combobox", name="Job title")).to_have_value(title)


def test_a_pasted_title_stays_whole_and_the_field_says_that_it_is_too_long(stack, open_page):
    page = open_page("desk")
    page.goto(f"{stack.url}/survey")
    field = type_title(page, "Nurse")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    field.select_text()
    page.keyboard.insert_text("a" * 20_000)  # as a paste does
    page.keyboard.press("Tab")
    assert len(field.input_value()) == 20_000
    assert field.evaluate("field => field.validationMessage") == "19800 characters too many"
    field.fill("Librarian")
    with page.expect_response(re.compile("/survey/occupations")):
        field.press("Tab")
    assert {asked_title(url) for url in asked if "/survey/" in url} == {"Librarian"}
    expect(page.get_by_role("button", name="Close")).to_have_count(0)
    page.get_by_role("button", name="Start survey").click()
    page.wait_for_url(IN_TALK)


@pytest.mark.parametrize(("size", "title"), [("phone", "Nurse"), ("desk", "Xqzv wrangler")])
def test_titles_push_the_button_of_the_survey_and_never_cover_it(stack, open_page, size, title):
    page = open_page(size)
    page.goto(f"{stack.url}/survey")
    type_title(page, title)
    hint = "Not listed?" if title == "Nurse" else "No similar job title in the catalogue"
    expect(page.get_by_text(hint)).to_be_visible()
    for control in (
        page.get_by_text("Describe your work now"),
        page.get_by_role("button", name="Start survey"),
    ):
        control.scroll_into_view_if_needed()
        assert control.evaluate(
            """element => {
                const { x, y, width, height } = element.getBoundingClientRect();
                return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
            }"""
        )


def test_an_unusual_job_goes_on_by_keyboard_alone(stack, open_page):
    page = open_page("desk")
    page.goto(stack.url)
    page.get_by_role("textbox", name="A to-do, a project or your job title").fill("Xqzv wrangler")
    job = page.get_by_role("button", name="Use as job title")
    job.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/survey\?title="))
    field = page.get_by_role("combobox", name="Job title")
    expect(field).to_have_value("Xqzv wrangler")
    expect(field).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_role("radio")).to_have_count(0)  # nothing of the catalogue is near
    page.get_by_role("button", name="Start survey").press("Enter")
    page.wait_for_url(IN_TALK)


def list_of_tasks(page: Page, url: str) -> Locator:
    """A list of a dozen tasks, from the title to the page where it is checked."""
    start_talking(page, url, "Beekeeper")
    reply(page, 1)
    say(page, TWELVE)
    page.wait_for_url(re.compile("/tasks$"))
    tasks = listed(page)
    assert tasks.count() >= 10
    return tasks


def test_a_dozen_tasks_are_closed_rows_and_one_is_open_at_a_time(stack, open_page):
    page = open_page("phone")
    tasks = list_of_tasks(page, stack.url)
    folds = page.locator("details[name=task]")
    opened = page.locator("details[name=task][open]")
    expect(opened).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollHeight") < 300 * folds.count()
    for fold in folds.all():
        row = fold.locator("summary").first
        expect(row).to_contain_text("no time set")
        expect(row).to_contain_text("AI: not set")
        assert row.bounding_box()["height"] >= 44

    first, second = unfold(tasks.nth(0)), tasks.nth(1)
    expect(first.locator("mark").first).to_be_visible()
    share = first.get_by_label("Share of your time")
    share.fill("20")
    share.press("Tab")
    first.get_by_text("Significant", exact=True).click()
    row = first.locator("summary").first
    expect(row).to_contain_text("20\N{NO-BREAK SPACE}%")
    expect(row).to_contain_text("AI: significant")
    first.get_by_role("link", name="Next task").click()
    expect(second.locator("summary").first).to_be_focused()
    expect(second.locator("summary").first).to_be_in_viewport()
    expect(opened).to_have_count(1)
    expect(second.get_by_label("Share of your time")).to_be_visible()
    assert no_sideways_scrolling(page)

    second.get_by_role("button", name=re.compile("^Edit, split")).click()
    page.get_by_role("button", name="Move up").locator("visible=true").click()
    expect(opened).to_have_count(1)
    expect(tasks.nth(0).locator("details[name=task]")).to_have_attribute("open", "")
    expect(tasks.nth(0).get_by_role("button", name=re.compile("^Edit, split"))).to_be_focused()
    page.get_by_role("button", name="Balance time").click()
    expect(page.locator("#dock")).to_contain_text("100")
    expect(tasks.nth(0).locator("details[name=task]")).to_have_attribute("open", "")
    expect(opened).to_have_count(1)


def test_why_a_share_was_refused_comes_into_view(stack, open_page):
    page = open_page("phone", told="status of 4(22|09)|^Response Status Error Code 409")
    row = unfold(list_of_tasks(page, stack.url).first)
    share = row.get_by_label("Share of your time")
    share.fill("140")
    share.press("Tab")
    _stands_above_the_dock(row.get_by_text("Enter a share from 0 to 100."))
    # so does that a newer one stands instead
    share.fill("30")
    other = page.context.new_page()
    other.goto(page.url)
    theirs = unfold(other.locator("li.task").first).get_by_label("Share of your time")
    theirs.fill("50")
    with other.expect_response(re.compile("/rate$")):
        theirs.press("Tab")
    page.bring_to_front()
    page.evaluate("scrollTo(0, 0)")
    share.press("Tab")
    _stands_above_the_dock(row.get_by_text("You entered: 30"))


def _stands_above_the_dock(text):
    expect(text).to_be_in_viewport()
    top = text.page.locator("#dock").evaluate("e => e.getBoundingClientRect().top")
    assert text.evaluate("e => e.getBoundingClientRect().bottom") <= top


def test_closed_rows_open_change_and_stay_open_without_javascript(stack, open_page):
    page = open_page("phone")
    list_of_tasks(page, stack.url)
    plain = open_page(
        "phone", java_script_enabled=False, storage_state=page.context.storage_state()
    )
    plain.goto(page.url)
    tasks = plain.locator("li.task")
    unfold(tasks.nth(1)).get_by_label("Share of your time").fill("30")
    tasks.nth(1).get_by_role("button", name="Save").click()
    plain.wait_for_url(re.compile(r"\?task="))
    expect(tasks.nth(1).locator("summary").first).to_contain_text("30")
    expect(tasks.nth(1).get_by_label("Share of your time")).to_be_visible()
    tasks.nth(1).get_by_role("link", name="Next task").click()
    expect(tasks.nth(2).get_by_label("Share of your time")).to_be_visible()
    expect(tasks.nth(1).get_by_label("Share of your time")).to_be_hidden()
    tasks.nth(2).get_by_role("button", name=re.compile("^Edit, split")).click()
    plain.get_by_role("link", name=re.compile("^Edit")).locator("visible=true").click()
    expect(tasks.nth(2).get_by_label("Task", exact=True)).to_be_visible()


MARKED = "I inspect the hives, extract the honey and sell wax candles. The wasps are a nuisance."


def select(page: Page, words: str) -> None:
    """Selects words in the newest own answer, as a finger or a mouse leaves them."""
    page.evaluate(
        """(words) => {
          const text = [...document.querySelectorAll(".message--person .message__text")].at(-1);
          const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const at = walker.currentNode.data.indexOf(words);
            if (at < 0) continue;
            getSelection().setBaseAndExtent(
              walker.currentNode, at, walker.currentNode, at + words.length,
            );
            return;
          }
        }""",
        words,
    )


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_marked_words_are_taken_out_and_selected_ones_added(stack, open_page, size):
    page = open_page(size)
    start_talking(page, stack.url, "Beekeeper")
    reply(page, 1)
    say(page, MARKED)
    reply(page, 2)
    marks = page.locator(".message--person .mark-switch")
    expect(marks).to_have_count(3)
    honey = page.get_by_role("button", name="extract the honey")
    expect(honey).to_have_attribute("aria-pressed", "true")
    if size == "phone":
        assert all((mark.bounding_box() or {"height": 0})["height"] >= 44 for mark in marks.all())
        honey.tap()
    else:
        honey.focus()
        page.keyboard.press("Space")
    expect(honey).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#turn-status")).to_have_text("Removed.")
    expect(page.locator(".message--person .message__foot").last).to_contain_text("1 removed")
    if size == "desk":
        expect(honey).to_be_focused()

    select(page, "wasps are a nuisance")
    add = page.get_by_role("button", name="Add as a task")
    expect(add).to_be_visible()
    if size == "phone":
        add.tap()
    else:
        add.press("Enter")
    added = page.get_by_role("button", name="wasps are a nuisance")
    expect(added).to_have_attribute("aria-pressed", "true")
    expect(add).to_be_hidden()
    assert no_sideways_scrolling(page)

    page.locator("form.talk__finish button").click()
    page.wait_for_url(re.compile("/tasks$"))
    statements = listed(page).locator(".task__statement").all_inner_texts()
    assert "wasps are a nuisance" in statements
    assert not [text for text in statements if "honey" in text.lower()]
    page.go_back()  # the list is written: from now on it is changed there
    sold = page.locator(".message--person").get_by_text("sell wax candles")
    expect(sold).to_be_visible()
    expect(page.get_by_role("button", name="sell wax candles")).to_have_count(0)


def test_ticks_outlive_a_reply_that_comes_anew_while_they_are_saved(stack, open_page):
    page = open_page("desk")
    start_talking(page, stack.url, "Data Analyst")
    reply(page, 1)
    say(page, "mostly reports and analysis")
    boxes = reply(page, 2).get_by_role("checkbox")
    expect(boxes).to_have_count(5)
    held = []
    page.route("**/cards/**", lambda route: held.append(route))
    boxes.nth(0).check()
    boxes.nth(1).check()
    before = boxes.nth(0).element_handle()
    reply(page, 2).get_by_role("button", name="Good reply").click()
    page.wait_for_function("box => !box.isConnected", arg=before)  # the reply came anew
    expect(boxes.nth(0)).to_be_checked()
    expect(boxes.nth(1)).to_be_checked()
    page.unroute("**/cards/**")  # lets what was held go on
    expect(reply(page, 2).get_by_role("button", name="Add 2 tasks")).to_be_enabled()
    page.reload()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)
