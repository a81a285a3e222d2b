"""The whole survey by plain forms, in a browser that runs no scripts."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import unfold

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def _say(page, text, replies):
    page.locator("#say").fill(text)
    page.get_by_role("button", name="Send").click()
    _answered(page, replies)


def _answered(page, replies):
    complete = page.locator(".message:not(.message--person)[data-state=complete]")
    _until(page, lambda: complete.count() >= replies)


def _listed(page):
    """The tasks, once their list is made: until then, the page loads itself again and again."""
    tasks = page.locator("li.task")
    made = page.locator("#pipeline:not(:has(.stages))")
    pending = page.locator(".badge--pending")
    _until(page, lambda: made.count() and tasks.count() and not pending.count())
    return tasks


def _until(page, is_there):
    """Loads the page again until it is there, as a person would (or its refresh does)."""
    for _ in range(200):
        if is_there():
            return
        page.wait_for_timeout(150)  # between two loads of a page that cannot tell by itself
        page.reload()
    raise AssertionError(f"never came; {page.url} has {page.locator('main').inner_text()!r}")


def test_the_whole_way_by_plain_forms(stack, open_page):
    page = open_page("phone", java_script_enabled=False)
    page.goto(stack.url)
    field = page.get_by_role("textbox", name="A to-do, a project or your job title")
    field.fill("Data Analyst")
    page.get_by_role("button", name="Use as job title").click()
    expect(page.get_by_role("radio").first).to_be_checked()
    page.get_by_role("button", name="Start survey").click()
    page.wait_for_url(re.compile("/chat$"))
    _answered(page, 1)
    _say(page, "mostly reports and analysis", 2)
    cards = page.locator("form.suggestions")
    expect(cards.get_by_role("checkbox")).to_have_count(5)
    for number in (0, 1):
        cards.get_by_role("checkbox").nth(number).check()
    cards.get_by_role("button").click()
    _answered(page, 3)
    _say(page, "I also present the numbers to the sales team. That's all!", 4)

    page.get_by_role("button", name="Finish and show task list").click()
    page.wait_for_url(re.compile("/tasks"))
    tasks = _listed(page)
    expect(tasks.get_by_text("Present the numbers to the sales team").first).to_be_attached()
    count = tasks.count()
    assert count >= 4
    unfold(tasks.first).get_by_label("Share of your time").fill("70")
    tasks.first.get_by_text("Significant", exact=True).click()
    tasks.first.get_by_role("button", name="Save").click()
    expect(page.locator("#dock")).to_contain_text("70")
    expect(tasks.first.get_by_label("Share of your time")).to_be_visible()  # it is still open
    page.get_by_label("Add a task").fill("Order printer paper for the office")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(tasks).to_have_count(count + 1)
    page.goto(f"{page.url.partition('?')[0]}?edit={_id_of(tasks.last)}")
    page.get_by_label("Task", exact=True).fill("Order paper and toner for the office")
    tasks.last.get_by_role("button", name="Save").first.click()
    expect(page.get_by_text("Order paper and toner for the office").first).to_be_attached()
    page.get_by_role("button", name="Balance time").click()
    expect(page.locator("#dock")).to_contain_text("100")
    page.get_by_role("link", name="Continue").click()
    page.get_by_role("checkbox", name=re.compile("This describes my work")).check()
    page.get_by_role("button", name="Submit survey").click()
    expect(page.get_by_text(re.compile("Submitted on"))).to_be_visible()


def _id_of(task):
    return task.get_attribute("id").removeprefix("task-")
