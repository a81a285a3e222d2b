"""Title → talk with cards → list → complete, as a person does it, without and with a model."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import (
    listed,
    no_sideways_scrolling,
    reply,
    say,
    start_talking,
    unfold,
)

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
SENT = re.compile("Submitted on")


def test_a_person_walks_from_the_title_to_the_end(stack, open_page):
    page = open_page("desk")
    start_talking(page, stack.url, "Data Analyst")
    assert "data analyst" in reply(page, 1).inner_text().lower()
    say(page, "mostly reports and analysis")
    cards = reply(page, 2).locator("form.suggestions")
    expect(cards.locator("label.suggestion")).to_have_count(5)
    texts = cards.locator("label.suggestion span:first-of-type").all_text_contents()
    picked = [text.strip() for text in texts[:3]]
    for number in range(3):
        cards.locator("label.suggestion").nth(number).click()
    cards.get_by_role("button", name="Add 3 tasks").click()
    assert "3" in reply(page, 3).inner_text()
    assert no_sideways_scrolling(page)
    say(page, "I also present the numbers to the sales team. That's all!")
    page.wait_for_url(re.compile("/tasks$"))

    tasks = listed(page)
    statements = tasks.locator(".task__statement").all_inner_texts()
    assert set(picked) <= set(statements)
    assert "Present the numbers to the sales team" in statements
    _rate_and_balance(page, tasks)

    page.get_by_role("link", name="Continue").click()
    page.wait_for_url(re.compile("/complete$"))
    assert no_sideways_scrolling(page)
    shares = _downloaded(page)
    assert set(shares) == set(statements)
    assert sum(shares.values()) == 100
    _send(page)
    _everything_is_read_only(page, statements)


def _rate_and_balance(page, tasks):
    """Time for one task, AI use for two; the total follows while typing."""
    assert no_sideways_scrolling(page)
    for number in (1, 0):
        unfold(tasks.nth(number)).get_by_text("Some", exact=True).click()
        expect(tasks.nth(number).locator("summary").first).to_contain_text("AI: some")
    tasks.first.get_by_label("AI tools").fill("Copilot")
    share = tasks.first.get_by_label("Share of your time")
    share.fill("40")
    share.press("Tab")
    expect(page.locator("#dock")).to_contain_text("40")
    expect(tasks.first.locator("[id^=saved-]")).to_contain_text("Saved")
    expect(tasks.first.locator("summary").first).to_contain_text("40")
    page.get_by_role("button", name="Balance time").click()
    expect(page.locator("#dock")).to_contain_text("100")


def _downloaded(page):
    """Statement → percent of the CSV behind the link."""
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("CSV")).click()
    rows = csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig")))
    return {row["Task"]: float(row["Time in percent"]) for row in rows}


def _send(page):
    page.get_by_role("checkbox", name=re.compile("This describes my work")).check()
    page.get_by_role("button", name="Submit survey").click()
    expect(page.get_by_text(SENT)).to_be_visible()


def _everything_is_read_only(page, statements):
    """After sending: the list and the talk can be read, and hold no field to change them."""
    complete = page.url
    for name in ("tasks", "chat"):
        page.goto(complete.replace("/complete", f"/{name}"))
        expect(page.get_by_text("This task list was submitted").first).to_be_visible()
        assert page.locator("main :is(textarea, input, button[type=submit]):enabled").count() == 0
    page.goto(complete.replace("/complete", "/tasks"))
    assert page.locator(".task__statement").all_inner_texts() == statements


def test_the_same_with_a_model_on_a_phone(model_stack, open_page):
    model_stack.scripted.reset()
    model_stack.scripted.default_survey()
    page = open_page("phone")
    start_talking(page, model_stack.url, "Policy Analyst")
    reply(page, 1)
    say(page, "I write reports for the council, review draft laws and brief journalists.")
    reply(page, 2)
    say(page, "I train newcomers in our filing system.")
    cards = page.locator("form.suggestions")
    for turn in range(3, 12):
        reply(page, turn)
        if cards.count():  # the scripted model shows them every few turns
            break
        say(page, f"I check list number {turn} for the archive.")
    expect(cards.locator("label.suggestion")).to_have_count(5)
    picked = cards.locator("label.suggestion span:first-of-type").first.text_content().strip()
    cards.locator("label.suggestion").first.click()
    cards.get_by_role("button", name="Add 1 task").click()
    reply(page, turn + 1)
    say(page, "I also coordinate with other departments. I think that's everything!")
    reply(page, turn + 2)  # the model offers the end, a yes ends it
    say(page, "That's it, thanks.")
    page.wait_for_url(re.compile("/tasks$"))
    statements = listed(page).locator(".task__statement").all_inner_texts()
    assert picked in statements
    assert "Write reports for the council" in statements
    assert "Basic mode" not in page.locator("body").inner_text()
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url(re.compile("/complete$"))
    _send(page)
    asked = {request.stage for request in model_stack.scripted.requests}
    assert {"message_analysis", "response", "extraction", "match_selection"} <= asked
