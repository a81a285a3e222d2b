"""Title → talk with cards → list → complete, as a person does it, without and with a model."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import no_sideways_scrolling, reply, say, start_talking

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_a_person_walks_from_the_title_to_the_end(stack, open_page, size):
    page = open_page(size)
    start_talking(page, stack.url, "Data Analyst")
    assert "data analyst" in reply(page, 1).inner_text().lower()
    say(page, "mostly reports and analysis")
    cards = page.locator("form.suggestions")
    expect(cards.locator("label.suggestion")).to_have_count(5)
    for number in range(3):
        cards.locator("label.suggestion").nth(number).click()
    cards.get_by_role("button", name=re.compile("Add these 3")).click()
    assert "3" in reply(page, 3).inner_text()
    say(page, "I also present the numbers to the sales team. That's all!")
    page.wait_for_url(re.compile("/tasks$"))

    tasks = page.locator("li.task:not(.task--gone)")
    expect(tasks.first).to_be_visible()
    assert tasks.count() >= 5
    expect(page.get_by_text("Looking it up")).to_have_count(0)
    assert no_sideways_scrolling(page)
    for number in range(2):
        tasks.nth(number).get_by_text("Some", exact=True).click()
    tasks.first.get_by_label("Share of your time").fill("40")
    tasks.first.get_by_label("Share of your time").press("Tab")
    expect(page.locator("#dock")).to_contain_text("40")
    page.get_by_role("button", name="Balance for me").click()
    expect(page.locator("#dock")).to_contain_text("100")

    page.get_by_role("link", name="Continue").click()
    page.wait_for_url(re.compile("/complete$"))
    assert no_sideways_scrolling(page)
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("CSV")).click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig"))))
    assert len(rows) == tasks_written(page)
    assert sum(float(row["Time in percent"]) for row in rows) == 100
    page.get_by_role("checkbox", name=re.compile("This is my work")).check()
    page.get_by_role("button", name="Send my list").click()
    expect(page.get_by_text("Sent on")).to_be_visible()


def tasks_written(page) -> int:
    """The number of tasks in the complete page's table."""
    return page.locator("table tbody tr").count()


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_the_same_with_a_model(model_stack, open_page, size):
    model_stack.scripted.reset()
    model_stack.scripted.default_survey()
    page = open_page(size)
    start_talking(page, model_stack.url, "Policy Analyst")
    reply(page, 1)
    say(page, "I write reports for the council, review draft laws and brief journalists.")
    reply(page, 2)
    say(page, "I also coordinate with other departments. I think that's everything!")
    page.wait_for_url(re.compile("/tasks$"))
    expect(page.locator("li.task").first).to_be_visible()
    expect(page.get_by_text("Looking it up")).to_have_count(0)
    assert "Basic mode" not in page.content()


def test_reloading_in_the_middle_of_an_answer_loses_nothing(model_stack, open_page):
    model_stack.scripted.reset()
    model_stack.scripted.default_survey()
    words = [f"word{number}" for number in range(60)]
    answer = " ".join(words[:58]) + " and what else?"
    page = open_page("desk")
    start_talking(page, model_stack.url, "Policy Analyst")
    reply(page, 1)
    model_stack.scripted.on("response").text(answer, chunk_delay_s=0.05)
    say(page, "I write reports for the council and review draft laws.")
    flow = page.locator(".message__flow").last
    expect(flow).to_contain_text("word5")
    second = open_page("desk", like=page)
    second.goto(page.url)
    page.reload()
    for one in (page, second):
        whole = reply(one, 2).locator(".message__text").inner_text()
        assert re.sub(r"\s+", " ", whole).strip() == answer
        said = one.locator(".message--person")
        expect(said).to_have_count(1)
