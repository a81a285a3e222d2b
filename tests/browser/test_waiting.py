"""A rate is reached: the text stays, a clock counts down, and sending goes on by itself."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import no_sideways_scrolling, reply, say, start_talking
from tests.stack import services_redis

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
REFUSED = "^Failed to load resource"
USE_UP = """
from futura import limits
from futura.limits import rates
for _ in range(limits.MESSAGES_PER_MINUTE):
    rates.check(limits.SEND, person="participant {person}")
"""


def _used_up(stack, page):
    """The person of a page has sent all that a minute allows, just now."""
    (session_id,) = re.findall(r"/survey/([0-9a-f-]{36})/", page.url)
    ((person,),) = stack.rows("SELECT participant_id FROM chat_session WHERE id = %s", session_id)
    stack.manage("shell", "--no-imports", "-c", USE_UP.format(person=person))
    with services_redis(stack.folder) as client:
        seconds, microseconds = client.time()
        now = seconds * 1_000_000 + microseconds
        for key in client.scan_iter("rate:send:*"):
            client.zadd(key, dict.fromkeys(client.zrange(key, 0, -1), now))


def _minute_over(stack, page):
    """For the server and on the page."""
    with services_redis(stack.folder) as client:
        client.delete(*client.scan_iter("rate:send:*"))
    page.clock.fast_forward("01:00")


def test_a_clock_counts_down_and_sending_goes_on_by_itself(stack, open_page):
    page = open_page("desk", told=REFUSED)
    page.clock.install()
    start_talking(page, stack.url, "Policy Analyst")
    reply(page, 1)
    _used_up(stack, page)
    wait, send = page.locator("#composer-wait"), page.locator("#composer [data-when=idle]")
    say(page, "I write reports for the council.")
    expect(wait).to_contain_text(re.compile(r"You can send again in (0:[0-5]\d|1:00)\."))
    expect(page.locator("#say")).to_have_value("I write reports for the council.")
    expect(send).to_have_attribute("aria-disabled", "true")
    assert no_sideways_scrolling(page)
    first = wait.locator("[data-wait-shown]").inner_text()
    expect(wait.locator("[data-wait-shown]")).not_to_have_text(first)  # it moves …
    expect(wait.get_by_role("status")).to_have_text(re.compile("You can send again in"))
    page.locator("#say").press("Enter")  # … and nothing goes out meanwhile
    expect(page.locator(".message--person")).to_have_count(0)

    _minute_over(stack, page)
    expect(wait.locator("[data-wait-shown]")).to_have_text("You can send again.")
    expect(wait.get_by_role("status")).to_have_text("You can send again.")
    expect(send).not_to_have_attribute("aria-disabled", "true")
    expect(page.locator("#say")).to_have_value("I write reports for the council.")
    send.click()
    expect(page.locator(".message--person")).to_have_count(1)
    expect(page.locator("#say")).to_have_value("")
    expect(wait).to_be_hidden()
