"""The same list in two tabs: changes arrive, and what was being written is never taken away."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import listed, reply, say, start_talking, unfold

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
CONFLICT = r"^Failed to load resource|^Response Status Error Code 409"


@pytest.fixture
def tabs(stack, open_page):
    """Two tabs of one browser on a list of three tasks or more."""
    one = open_page("desk", told=CONFLICT)
    start_talking(one, stack.url, "Data Analyst")
    reply(one, 1)
    say(one, "I clean data, write reports and train new colleagues. That's all!")
    one.wait_for_url(re.compile("/tasks$"))
    assert listed(one).count() >= 3
    other = open_page("desk", like=one, told=CONFLICT)
    other.goto(one.url)
    expect(other.locator("html[data-line=on]")).to_be_attached()
    listed(other)
    return one, other


def _edit(page, number):
    page.bring_to_front()  # browsers slow down what a tab behind another does
    task = unfold(page.locator("li.task").nth(number))
    task.get_by_role("button", name=re.compile("^Edit, split")).click()
    task.get_by_role("link", name=re.compile("^Edit")).click()
    return task


def _save(task, text):
    task.get_by_label("Task", exact=True).fill(text)
    task.get_by_role("button", name="Save").first.click()


def test_a_change_in_one_tab_appears_in_the_other(tabs):
    one, other = tabs
    _save(_edit(one, 0), "Clean the raw data of the shops")
    expect(other.locator(".task__statement").first).to_have_text("Clean the raw data of the shops")
    other.get_by_label("Add a task").fill("Water the plants of the office")
    other.get_by_role("button", name="Add", exact=True).click()
    expect(one.locator(".task__statement").last).to_have_text("Water the plants of the office")
    share = unfold(one.locator("li.task").nth(1)).get_by_label("Share of your time")
    share.fill("35")
    share.press("Tab")
    expect(other.locator("#dock")).to_contain_text("35")
    expect(other.locator("li.task").nth(1).get_by_label("Share of your time")).to_have_value("35")


def test_what_met_a_newer_version_shows_both_and_loses_neither(tabs):
    one, other = tabs
    mine = _edit(one, 0)
    mine.get_by_label("Task", exact=True).fill("Scrub the data of our shops")
    _save(_edit(other, 0), "Clean the data of our suppliers")
    expect(other.locator(".task__statement").first).to_have_text("Clean the data of our suppliers")
    # still being written here: nothing is taken away
    one.bring_to_front()
    expect(mine.get_by_label("Task", exact=True)).to_have_value("Scrub the data of our shops")
    mine.get_by_role("button", name="Save").first.click()
    expect(mine.get_by_role("alert")).to_contain_text("Not saved")
    expect(mine.get_by_role("alert")).to_contain_text("Clean the data of our suppliers")
    expect(mine.get_by_label("Task", exact=True)).to_have_value("Scrub the data of our shops")
    mine.get_by_role("button", name="Save").first.click()
    for page in tabs:
        expect(page.locator(".task__statement").first).to_have_text("Scrub the data of our shops")
    _a_share_that_met_a_newer_one(one, other)


def _a_share_that_met_a_newer_one(one, other):
    """The row shows the newer one and names the other, which can be entered again."""
    other.bring_to_front()  # leaving the first tab later would save what is typed there
    mine = unfold(one.locator("li.task").first)
    mine.get_by_label("Share of your time").press_sequentially("30")
    theirs = unfold(other.locator("li.task").first).get_by_label("Share of your time")
    with other.expect_response(re.compile("/rate$")) as saved:
        theirs.fill("50")
        theirs.press("Tab")
    assert saved.value.status == 200
    expect(one.locator("#dock")).to_contain_text("50")
    expect(mine.get_by_label("Share of your time")).to_have_value("30")
    mine.get_by_label("Share of your time").press("Tab")
    note = mine.locator("[id^=saved-]")
    expect(note).to_contain_text("Not saved")
    expect(note).to_contain_text("You entered: 30")
    expect(mine.get_by_label("Share of your time")).to_have_value("50")
    mine.get_by_label("Share of your time").fill("30")
    mine.get_by_label("Share of your time").press("Tab")
    expect(one.locator("#dock")).to_contain_text("30")
    expect(theirs).to_have_value("30")
