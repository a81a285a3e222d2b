"""The survey's pages by finger, mouse and keyboard: what covers what, what folds and opens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser
IN_TALK = re.compile(r"/survey/[0-9a-f-]{36}/chat$")


def type_title(page: Page, title: str) -> Locator:
    """Types a job title key by key, as a person does; its field."""
    field = page.get_by_role("combobox", name="Job title")
    field.press_sequentially(title)
    return field


@pytest.mark.parametrize("size", ["phone", "desk"])
@pytest.mark.parametrize("title", ["Xqzv wrangler", "Nurse"])
def test_begin_is_pressed_while_titles_are_offered_or_none_is(stack, open_page, size, title):
    page = open_page(size)
    page.goto(stack.url)
    type_title(page, title)
    hint = "Not listed?" if title == "Nurse" else "Nothing like it in the catalogue"
    expect(page.get_by_text(hint)).to_be_visible()
    begin = page.get_by_role("button", name="Begin")
    begin.tap() if size == "phone" else begin.click()
    page.wait_for_url(re.compile(r"/survey\?title="))
    expect(page.get_by_role("combobox", name="Job title")).to_have_value(title)


@pytest.mark.parametrize("size", ["phone", "desk"])
@pytest.mark.parametrize("title", ["Xqzv wrangler", "Nurse"])
def test_titles_push_the_button_of_the_survey_and_never_cover_it(stack, open_page, size, title):
    page = open_page(size)
    page.goto(f"{stack.url}/survey")
    type_title(page, title)
    hint = "Not listed?" if title == "Nurse" else "Nothing like it in the catalogue"
    expect(page.get_by_text(hint)).to_be_visible()
    for control in (
        page.get_by_text("Tell us right away what you do"),
        page.get_by_role("button", name="Start talking"),
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
    field = type_title(page, "Xqzv wrangler")
    expect(page.get_by_text("Nothing like it in the catalogue")).to_be_visible()
    expect(field).to_have_attribute("aria-expanded", "false")
    field.press("Tab")
    expect(page.get_by_role("button", name="Begin")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/survey\?title="))
    page.get_by_role("button", name="Start talking").press("Enter")
    if not IN_TALK.search(page.url):  # the picker is offered first
        page.get_by_role("button", name="Start talking").press("Enter")
    page.wait_for_url(IN_TALK)
