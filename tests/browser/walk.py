"""The steps a person takes through the survey, as functions on a page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

REPLIES = ".message:not(.message--person)"


def start_talking(page: Page, url: str, title: str, *, first: str = "") -> None:
    """From the start page into the talk, with the first occupation of the picker."""
    page.goto(f"{url}/survey")
    page.get_by_role("combobox", name="Job title").fill(title)
    if first:
        page.get_by_text("Tell us right away what you do").click()
        page.get_by_label("What fills your working days").fill(first)
    page.get_by_role("button", name="Start talking").click()
    if not re.search(r"/chat$", page.url):  # the picker is shown first
        expect(page.get_by_role("radio").first).to_be_attached()
        page.get_by_role("radio").first.check(force=True)
        page.get_by_role("button", name="Start talking").click()
    page.wait_for_url(re.compile(r"/survey/[0-9a-f-]{36}/chat$"))


def reply(page: Page, number: int) -> Locator:
    """The n-th reply (from 1), once it is complete."""
    found = page.locator(REPLIES).nth(number - 1)
    expect(found).to_have_attribute("data-state", "complete")
    return found


def say(page: Page, text: str) -> None:
    """Types into the composer and sends with Enter."""
    page.locator("#say").fill(text)
    page.locator("#say").press("Enter")


def no_sideways_scrolling(page: Page) -> bool:
    """Whether everything fits the width of the window."""
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )
