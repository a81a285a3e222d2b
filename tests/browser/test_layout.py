"""Nothing overflows, is cut or overlaps: in long words, from right to left, enlarged, on paper.

One load of a page for all sizes; what is looked at is in `faults.js` and `texts.js`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import CDPSession, Page, expect
from pypdf import PdfReader

from onet.queries import ATTRIBUTION
from tests.browser.pseudo import ACCENTED, ARABIC, LONG, RIGHT_TO_LEFT, write_catalogues
from tests.browser.workspace import WORDS, campaign, filled, signed_in_as_staff
from tests.stack import Stack, running_stack

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

HERE = Path(__file__).parent
FAULTS = (HERE / "faults.js").read_text()
TEXTS = (HERE / "texts.js").read_text()
PHONE = (390, 844)
ENLARGED = (640, 400)
DESK = (1280, 800)
DIRECTION = "getComputedStyle(document.body).direction"
COUNTED = "#way-title"
FOREIGN = re.compile(f"[{ACCENTED}{ACCENTED.upper()}{ARABIC}]")
PLAIN = re.compile("[A-Za-z]{2}")
PRINTED = {"tasks", "complete", "project", "visitor", "insights"}
CATALOGUE = (
    "SELECT title, description FROM onet_occupation",
    "SELECT text FROM onet_taskstatement",
    "SELECT name FROM onet_workactivity",
    "SELECT title FROM tasks_campaign",
)
MOVING = """() => [...document.querySelectorAll("*")].filter((one) => {
  return [null, "::before", "::after"].some((part) => {
    const style = getComputedStyle(one, part);
    const lasts = (times) => times.split(",").some((time) => parseFloat(time) > 0);
    const moves = style.animationName !== "none" && lasts(style.animationDuration);
    return moves || lasts(style.transitionDuration) || style.scrollBehavior === "smooth";
  });
}).map((one) => one.outerHTML.slice(0, 80))"""
MACHINERY = """() => [...document.querySelectorAll(
  "nav, .masthead, button:not(.todo__tick), input, textarea, .composer, .toasts, footer form"
)].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height > 1)
  .map((one) => one.outerHTML.slice(0, 100))"""


class Abroad(Stack):
    """The product with two more languages, which nobody speaks."""

    @property
    def environment(self) -> dict[str, str]:
        own = {"DJANGO_SETTINGS_MODULE": "tests.browser.settings"}
        return super().environment | own | {"PSEUDO_LOCALES": str(self.folder / "locale")}


def _abroad(folder: Path) -> Stack:
    write_catalogues(folder / "locale")
    return Abroad(folder, None)


@pytest.fixture(scope="module")
def abroad() -> Iterator[Stack]:
    with running_stack(make=_abroad) as running:
        campaign(running)
        yield running


def addresses(stack: Stack, page: Page) -> Iterator[str]:
    """The main pages by name, the page standing on each in turn; those of staff come last."""
    pages = filled(page, stack.url, LONG)
    of_staff = campaign(stack)
    for name, path in pages.items():
        page.goto(f"{stack.url}{path}")
        yield name
    signed_in_as_staff(page, stack)
    for name, path in (("campaign", of_staff), ("insights", f"{of_staff}/insights")):
        page.goto(f"{stack.url}{path}")
        expect(page.locator("main h1")).to_be_visible()
        if name == "insights":  # counted by a worker, shown here when they are
            expect(page.locator(COUNTED)).to_be_visible()
        yield name


def speak(page: Page, stack: Stack, language: str) -> None:
    """From the next load on, pages are in the language, those for visitors of a portfolio, too."""
    page.context.add_cookies([{"name": "django_language", "value": language, "url": stack.url}])
    stack.rows(
        "SELECT set_config('futura.ledger', txid_current()::text, true);"
        f" UPDATE portfolio_portfolio SET language = '{language}'"
    )


def faults(page: Page, *sizes: tuple[int, int]) -> list[str]:
    """What is wrong with the page as it stands, at each size."""
    wrong = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        wrong += [f"{width}: {fault}" for fault in page.evaluate(FAULTS)]
    return wrong


def told(wrong: dict[str, list[str]]) -> str:
    """A line for each fault."""
    return "\n".join(f"{name}: {fault}" for name, faults in wrong.items() for fault in faults)


def own_words(stack: Stack) -> str:
    """Everything that is in English for a reason: sample, catalogue, names; in small letters."""
    sample = Path("projects/sample/content.toml").read_text()
    rows = [row for query in CATALOGUE for row in stack.rows(query)]
    return "\n".join(
        [sample, ATTRIBUTION, *WORDS["en"], *(str(text) for row in rows for text in row)]
    ).lower()


def untranslated(page: Page, own: str) -> set[str]:
    """Texts of the page that no catalogue gave, and nobody typed."""
    texts = [text for text in page.evaluate(TEXTS) if not FOREIGN.search(text)]
    return {
        text
        for text in texts
        for part in re.split(r", | · ", text.lower())
        if PLAIN.search(part) and part.strip(" :.…“”@#(") not in own and "://" not in part
    }


def test_main_pages_hold_a_language_of_long_words(abroad, open_page):
    """Both ways of writing, each page loaded once in either: all else changes in place.

    Whatever is whole in words two fifths longer is so in English.
    """
    page = open_page("desk", reduced_motion="reduce")
    browser = page.context.new_cdp_session(page)
    speak(page, abroad, LONG)
    wrong: dict[str, list[str]] = {}
    plain: dict[str, str] = {}
    own = own_words(abroad)
    for name in addresses(abroad, page):
        assert page.evaluate(DIRECTION) == "ltr"
        wrong[name] = faults(page, PHONE, ENLARGED, DESK)
        wrong[name] += [f"moves: {item}" for item in page.evaluate(MOVING)]
        if name not in {"talk", "check"}:  # they show the words that were typed
            plain |= dict.fromkeys(untranslated(page, own), name)
        if name in PRINTED:
            wrong[name] += unprinted(page)
        wrong[name] += [f"large type: {fault}" for fault in in_large_type(page, browser)]
        speak(page, abroad, RIGHT_TO_LEFT)
        page.reload()
        assert page.evaluate(DIRECTION) == "rtl"
        if name == "insights":
            expect(page.locator(COUNTED)).to_be_visible()
        wrong[name] += [f"from the right: {fault}" for fault in faults(page, DESK, PHONE)]
        speak(page, abroad, LONG)
    assert told(wrong) == ""
    assert told({text: [name] for text, name in plain.items()}) == ""


def in_large_type(page: Page, browser: CDPSession) -> list[str]:
    """What is wrong for somebody whose browser shows all text in twice the usual size."""
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    wrong: list[str] = page.evaluate(FAULTS)
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    return wrong


def unprinted(page: Page) -> list[str]:
    """What is to be pressed on paper, and headings of the page that the paper does not have."""
    page.emulate_media(media="print")
    wrong = [f"on paper: {item}" for item in page.evaluate(MACHINERY)]
    paper = PdfReader(io.BytesIO(page.pdf()))
    text = re.sub(r"\s+", "", "".join(item.extract_text() for item in paper.pages))
    titles = page.locator("main :is(h1, h2):not(.visually-hidden):visible").all_inner_texts()
    wrong += [f"not on paper: {title}" for title in titles if re.sub(r"\s+", "", title) not in text]
    page.emulate_media(media="screen")
    return wrong


def test_the_list_of_answers_in_admin_fits_beside_its_filters(stack, open_page):
    campaign(stack)
    page = open_page("desk")
    signed_in_as_staff(page, stack)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{stack.url}/admin/tasks/surveyresponse/")
    expect(page.locator("#result_list tbody tr").first).to_be_visible()
    assert page.locator(".results").evaluate("list => list.scrollWidth <= list.clientWidth")
