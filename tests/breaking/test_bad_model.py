"""A model that answers badly from first to last: the survey is finished all the same."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import REPLIES, listed, reply, say, show_list, start_talking

pytestmark = pytest.mark.breaking
STAGES = (
    "message_analysis", "tool_selection", "gap_analysis", "response", "suggestions", "extraction",
    "normalisation", "deduplication", "match_selection",
)  # fmt: skip
TRAP = "<img src=x onerror=\"document.title='executed'\"><script>document.title='executed'</script>"
HTML = f"<html><body>{TRAP}<a href=\"javascript:alert(1)\" hx-get='/x'>click</a></body></html>"
HOW = {
    "markup": lambda script: script.text(HTML),
    "wrong shapes": lambda script: script.json({"tool": 5, "extracted_tasks": "no", "x": [None]}),
    "errors": lambda script: script.status(500),
    "cut": lambda script: script.cut(after=1),
    "stall": lambda script: script.stall(after=1),
}


@pytest.mark.parametrize("how", HOW)
def test_the_survey_is_finished_with_a_bad_model(product, open_page, how):
    product.scripted.reset()
    for stage in STAGES:
        HOW[how](product.scripted.on(stage))
    page = open_page("desk")
    page.on("dialog", lambda dialog: pytest.fail(f"executed: {dialog.message}"))
    start_talking(page, product.url, "Data Analyst")
    # a model that breaks off within its first words leaves them, marked, with “Try again”
    breaks_off = how in {"cut", "stall"}
    opening = page.locator(REPLIES).first
    expect(opening).to_have_attribute("data-state", "failed" if breaks_off else "complete")
    say(page, "I clean data, write reports and train new colleagues. That's all!")
    if breaks_off:  # so nothing was asked yet, and something is, first
        reply(page, 2)
        show_list(page)
    page.wait_for_url(re.compile("/tasks$"))
    statements = listed(page).locator(".task__statement").all_inner_texts()
    assert {"Clean data", "Write reports", "Train new colleagues"} <= set(statements)
    assert page.title() != "executed"
    assert page.locator("main :is(script, img, [hx-get^='/x'], a[href^=javascript])").count() == 0
    page.get_by_role("link", name="Continue").click()
    page.get_by_role("checkbox", name=re.compile("This describes my work")).check()
    page.get_by_role("button", name="Submit survey").click()
    expect(page.get_by_text(re.compile("Submitted on"))).to_be_visible()
