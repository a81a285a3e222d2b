"""The steps a person takes through the survey, as functions on a page."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

REPLIES = ".message:not(.message--person)"
LINE_DOWN = r"^\[object Event\]|^WebSocket connection to|^Failed to load resource|^htmx:sendError"


def start_talking(page: Page, url: str, title: str, *, first: str = "") -> None:
    """From the start page into the talk, with what the picker marks, if it offers anything."""
    page.goto(f"{url}/survey")
    page.get_by_role("combobox", name="Job title").fill(title)
    with page.expect_response(re.compile("/survey/occupations")):
        page.get_by_role("combobox", name="Job title").press("Tab")
    if first:
        page.get_by_text("Describe your work now").click()
        page.get_by_label("Your work").fill(first)
    page.get_by_role("button", name="Start survey").click()
    page.wait_for_url(re.compile(r"/survey/[0-9a-f-]{36}/chat$"))
    listening(page)


def asked_title(url: str) -> str:
    """The title that suggestions were asked for."""
    return parse_qs(urlsplit(url).query).get("title", [""])[0]


def type_title(page: Page, title: str) -> Locator:
    """Types a job title key by key, as a person does; its field, once all of it is answered.

    The list then is the one for the whole title: no later one takes its place.
    """
    field = page.get_by_role("combobox", name="Job title")
    with page.expect_response(lambda answer: asked_title(answer.url) == title):
        field.press_sequentially(title)
    expect(field).not_to_contain_class("htmx-request")
    return field


def listening(page: Page) -> None:
    """Waits until the page's scripts have taken over and its socket is open."""
    page.locator("form[data-composer][data-ready]").wait_for()
    page.locator("html[data-line=on]").wait_for(state="attached")


def reply(page: Page, number: int) -> Locator:
    """The n-th reply (from 1), once it is complete."""
    found = page.locator(REPLIES).nth(number - 1)
    expect(found).to_have_attribute("data-state", "complete")
    return found


def words(found: Locator) -> str:
    """The text of a reply, blanks evened out."""
    text = found.locator(".message__text").inner_text()
    return re.sub(r"\s+", " ", text).strip()


def say(page: Page, text: str) -> None:
    """Types into the composer and sends it."""
    page.locator("#say").fill(text)
    page.locator("button[data-when=idle]").dispatch_event("click")


def show_list(page: Page) -> None:
    """Ends the talk by the button that is always there."""
    page.locator("form.talk__finish button").click()
    page.wait_for_url(re.compile("/tasks$"))


def listed(page: Page) -> Locator:
    """The tasks of the review page, once the list is written and every match has come."""
    tasks = page.locator("li.task")
    expect(tasks.first).to_be_visible()
    expect(page.locator("#pipeline .stages")).to_have_count(0)
    expect(page.locator(".badge--pending")).to_have_count(0)
    return tasks


def unfold(task: Locator) -> Locator:
    """The row of a task, open."""
    if task.locator("details[name=task]").get_attribute("open") is None:
        task.locator("summary").first.click()
    return task


def no_sideways_scrolling(page: Page) -> bool:
    """Whether everything fits the width of the window."""
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )
