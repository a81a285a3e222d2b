"""No page breaks a rule of the accessibility checker, on a dark phone and a light desk."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
PUBLIC = (
    "/", "/survey", "/survey?title=Data%20Analyst", "/about/answers", "/accounts/login/",
    "/accounts/signup/", "/accounts/password/reset/", "/account", "/search?q=garden",
    "/projects/new", "/projects/agent/new", "/nothing/here",
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
