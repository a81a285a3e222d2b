"""Work begun without an account, taken into one, and found again from another browser."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from tests.browser.walk import reply, say, start_talking

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
PASSWORD = "four quiet sheep on ice"


def test_a_survey_begun_anonymously_is_claimed_and_found_elsewhere(stack, open_page):
    email = f"eve-{uuid.uuid4().hex[:8]}@example.org"
    here = open_page("desk")
    start_talking(here, stack.url, "Data Analyst")
    reply(here, 1)
    say(here, "I clean data and write reports.")
    reply(here, 2)
    talk = here.url

    here.get_by_role("link", name="Sign in").click()
    here.get_by_role("link", name="Sign up").click()
    here.get_by_label("Email").fill(email)
    for field in here.locator("input[type=password]").all():
        field.fill(PASSWORD)
    here.get_by_role("button", name="Create account").click()
    here.wait_for_url(re.compile(r"^(?!.*signup)"))
    here.goto(f"{stack.url}/account")
    here.get_by_role("button", name="Move to my account").click()
    expect(here.get_by_role("button", name="Move to my account")).to_have_count(0)

    elsewhere = open_page("phone", told="^Failed to load resource")
    assert elsewhere.goto(talk).status == 404
    elsewhere.goto(stack.url)
    elsewhere.locator("#quick").fill("Call the printer Friday")
    elsewhere.goto(f"{stack.url}/accounts/login/")
    elsewhere.locator("input[name=login]").fill(email)
    elsewhere.locator("input[type=password]").fill(PASSWORD)
    elsewhere.get_by_role("button", name="Sign in").click()
    elsewhere.wait_for_url(re.compile(r"^(?!.*login)"))
    expect(elsewhere.locator("#say")).to_have_value("Call the printer Friday")
    elsewhere.goto(f"{stack.url}/account")
    elsewhere.get_by_role("link", name=re.compile("Data Analyst")).first.click()
    expect(elsewhere.get_by_text("I clean data and write reports.")).to_be_visible()
    here.goto(talk)
    expect(here.get_by_text("I clean data and write reports.")).to_be_visible()
