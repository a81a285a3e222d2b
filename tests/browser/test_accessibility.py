"""No page breaks a rule of the accessibility checker, at either size and in either theme.

Each page is loaded once: its size, pointer and theme change in place.
"""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.walk import listed, reply, say, unfold
from tests.browser.workspace import filled

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
PUBLIC = (
    "/", "/survey", "/survey?title=Data%20Analyst", "/about/answers", "/accounts/login/",
    "/accounts/signup/", "/accounts/password/reset/", "/account", "/search?q=garden",
    "/projects/new", "/projects/agent/new", "/nothing/here",
)  # fmt: skip
OWN = ("/surveys", "/projects/drafts", "/concierge", "/search?q=garden")
OF_PROJECT = ("/edit", "/agent/audit", "/agent/update")
OF_PORTFOLIO = (
    "/settings", "/entries", "/records/experience", "/desk", "/desk/unanswered", "/desk/page",
    "/desk/preview/work",
)  # fmt: skip
SIZES = {"phone": (390, 844), "desk": (1280, 900)}
RUN = """async (theme) => {
  // nothing to fetch again: the pages' styles are their own
  const options = {resultTypes: ["violations"], preload: false};
  if (theme === "dark") options.runOnly = ["color-contrast", "link-in-text-block"];
  const {violations} = await axe.run(document, options);
  return violations.map((rule) => `${rule.id} (${rule.impact}) at ${rule.nodes[0].html}`);
}"""


@pytest.fixture
def page(open_page) -> Page:
    """An empty page on which colours change at once; the checker's script is let in."""
    return open_page(told="^Failed to load resource", reduced_motion="reduce", bypass_csp=True)


def violations(page: Page) -> list[str]:
    """What the checker says of the page as it stands, a line for each rule.

    Only the rules about colours see another theme.
    """
    wrong = []
    page.evaluate(Axe().axe_script)
    browser = page.context.new_cdp_session(page)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        touch = {"enabled": size == "phone", "maxTouchPoints": 1}
        browser.send("Emulation.setTouchEmulationEnabled", touch)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            found = page.evaluate(RUN, theme)
            wrong += [f"{page.url} ({size}, {theme}): {rule[:250]}" for rule in found]
    browser.detach()
    return wrong


def visited(page: Page, *addresses: str) -> list[str]:
    """The violations of pages, one after the other."""
    wrong: list[str] = []
    for address in addresses:
        page.goto(address)
        wrong += violations(page)
    return wrong


def test_pages_for_everybody(stack, page):
    assert visited(page, *(f"{stack.url}{path}" for path in PUBLIC)) == []


def test_main_pages_with_something_on_them(stack, page):
    pages = filled(page, stack.url, "en")
    opened, asked = pages.pop("tasks"), pages.pop("visitor")
    paths = dict.fromkeys([*pages.values(), *OWN])
    wrong = visited(page, *(f"{stack.url}{path}" for path in paths))
    parts = [f"{stack.url}{pages['project']}{part}" for part in OF_PROJECT]
    parts += [f"{stack.url}{pages['portfolio']}{part}" for part in OF_PORTFOLIO]
    wrong += visited(page, *parts)
    page.goto(f"{stack.url}{opened}")
    unfold(listed(page).first)
    wrong += violations(page)
    page.goto(f"{stack.url}{asked}")
    say(page, "What did you do at the town library?")
    reply(page, 1)
    wrong += violations(page)
    assert wrong == []
