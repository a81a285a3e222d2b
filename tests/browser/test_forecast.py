"""A forecast in a conversation, by finger and mouse: its link is its own, whatever lies below."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import listening, reply

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
STEPS = ("Build the sheet", "Train the crew", "Print the forms")
EDGE_PX = 2
LINK = "Show full forecast"
PRESSED_AT_BOTH_EDGES = """async ([text, edge]) => {
    const pressed = () => {
        const link = [...document.querySelectorAll("a")].find((a) => a.textContent.trim() === text);
        if (!link) return false;
        link.scrollIntoView({block: "center"});
        const box = link.getBoundingClientRect();
        return [box.top + edge, box.bottom - edge].every(
            (y) => link.contains(document.elementFromPoint(box.left + box.width / 2, y))
        );
    };
    const end = performance.now() + 10_000;
    while (!pressed() && performance.now() < end) await new Promise(requestAnimationFrame);
    return pressed();
}"""


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_the_whole_link_to_the_forecast_can_be_pressed(stack, open_page, size):
    page = open_page(size)
    page.goto(f"{stack.url}/projects/new")
    page.locator("[name=name]").fill("Weekly sheet")
    page.locator("[name=todos]").fill("\n".join(STEPS))
    page.get_by_role("button", name="Create the project").click()
    page.wait_for_url(re.compile(r"/projects/[0-9a-f-]{36}"))
    project = re.search(r"/projects/[0-9a-f-]{36}", page.url)[0]
    page.goto(f"{stack.url}{project}/agent/forecast")
    page.get_by_role("button", name="Run forecast").click()
    reply(page, 1)
    listening(page)
    page.locator(".assume summary").click()
    page.locator("[name=low]").fill("3")
    page.locator("[name=high]").fill("6")
    page.get_by_role("button", name="Good reply", exact=True).click()
    pressed = page.get_by_role("button", name="Good reply", exact=True, pressed=True)
    expect(pressed).to_have_count(1)  # the answer is drawn anew, what is being filled in is not
    expect(page.locator("[name=low]")).to_have_value("3")
    page.get_by_role("button", name="Use in the forecast").click()
    link = page.get_by_role("link", name=LINK)
    # the answer is drawn anew when it is complete: places are read in one step, once they hold
    link.wait_for()
    assert page.evaluate(PRESSED_AT_BOTH_EDGES, [LINK, EDGE_PX])
    link.click()
    page.wait_for_url(re.compile("/forecasts/"))
