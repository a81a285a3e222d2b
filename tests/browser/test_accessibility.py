"""No page breaks a rule of the accessibility checker, on a dark phone and a light desk."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.walk import listed, reply, say, show_list, start_talking, unfold

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
PUBLIC = (
    "/", "/survey", "/survey?title=Data%20Analyst", "/about/answers", "/accounts/login/",
    "/accounts/signup/", "/accounts/password/reset/", "/account", "/search?q=garden",
    "/projects/new", "/projects/agent/new", "/nothing/here",
)  # fmt: skip
OWN = (
    "/", "/todos", "/todos?view=week", "/todos?view=board", "/projects", "/portfolio",
    "/conversations", "/surveys", "/projects/drafts", "/concierge", "/account",
    "/search?q=garden",
)  # fmt: skip


def violations(page: Page) -> list[str]:
    """What the checker says of the page as it stands, a line for each rule."""
    found = Axe().run(page).response["violations"]
    return [
        f"{page.url}: {rule['id']} ({rule['impact']}) at {rule['nodes'][0]['html'][:200]}"
        for rule in found
    ]


@pytest.fixture(params=["phone dark", "desk light"])
def page(request, open_page) -> Page:
    """An empty page of that size and theme; the checker's script is let in."""
    size, scheme = request.param.split()
    return open_page(size, told="^Failed to load resource", color_scheme=scheme, bypass_csp=True)


def visited(page: Page, url: str, paths: tuple[str, ...]) -> list[str]:
    """The violations of pages, one after the other."""
    wrong: list[str] = []
    for path in paths:
        page.goto(f"{url}{path}")
        wrong += violations(page)
    return wrong


def test_pages_for_everybody(stack, page):
    assert visited(page, stack.url, PUBLIC) == []


def test_pages_of_a_sample_workspace(stack, page):
    page.goto(stack.url)
    page.get_by_role("button", name="A sample workspace").click()
    page.get_by_text("All of it is made up").wait_for()
    wrong = visited(page, stack.url, OWN)
    page.goto(f"{stack.url}/projects")
    page.get_by_role("link", name="Sample: roof garden").first.click()
    page.get_by_role("heading", name="Sample: roof garden").wait_for()
    project = page.url.split("?")[0]
    wrong += violations(page)
    own = ("", "/history", "/edit", "/agent/audit", "/agent/forecast", "/agent/update")
    wrong += visited(page, project, own)
    page.goto(f"{stack.url}/portfolio")  # the only portfolio opens at once
    portfolio = page.url.split("?")[0]
    parts = ("/settings", "/sources", "/entries", "/records/experience", "/desk",
             "/desk/unanswered", "/desk/page", "/desk/preview", "/desk/preview/work")  # fmt: skip
    assert visited(page, portfolio, parts) + wrong == []


def test_the_pages_of_a_survey(stack, page):
    start_talking(page, stack.url, "Data Analyst")
    reply(page, 1)
    wrong = violations(page)
    say(page, "I clean data, write reports and brief the team.")
    reply(page, 2)
    wrong += violations(page)
    show_list(page)
    tasks = listed(page)
    wrong += violations(page)
    unfold(tasks.first)
    wrong += violations(page)
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url(re.compile("/complete$"))
    wrong += violations(page)
    assert wrong == []
