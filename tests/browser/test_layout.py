"""Nothing overflows, is cut or overlaps: in long words, from right to left, enlarged, on paper.

One load of a page for all sizes; what is looked at is in `faults.js` and `texts.js`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from onet.queries import ATTRIBUTION
from tests.browser.conftest import FLAGS, TIMEOUT_MS, executable
from tests.browser.pseudo import ACCENTED, ARABIC, LONG, RIGHT_TO_LEFT, write_catalogues
from tests.browser.workspace import WORDS, campaign, filled, signed_in_as_staff
from tests.stack import Stack, running_stack

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

HERE = Path(__file__).parent
FAULTS = (HERE / "faults.js").read_text()
TEXTS = (HERE / "texts.js").read_text()
PHONE = (390, 844)
DESK = (1280, 800)
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


@pytest.fixture
def large_type(chromium) -> Iterator[Page]:
    """A page of a person whose browser shows all text in twice the usual size."""
    flags = [*FLAGS, "--blink-settings=defaultFontSize=32"]
    with chromium.browser_type.launch(executable_path=executable(), args=flags) as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(TIMEOUT_MS)
        yield page


def addresses(stack: Stack, page: Page, language: str) -> Iterator[tuple[str, str]]:
    """The main pages by name, the page standing on each in turn; those of staff come last."""
    pages = filled(page, stack.url, language)
    of_staff = campaign(stack)
    for name, path in pages.items():
        page.goto(f"{stack.url}{path}")
        yield name, path
    signed_in_as_staff(page, stack)
    for name, path in (("campaign", of_staff), ("insights", f"{of_staff}/insights")):
        page.goto(f"{stack.url}{path}")
        expect(page.locator("main h1")).to_be_visible()
        if name == "insights":  # counted by a worker, shown here when they are
            expect(page.locator("#way-title")).to_be_visible()
        yield name, path


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


@pytest.mark.parametrize("language", [LONG, RIGHT_TO_LEFT])
def test_main_pages_hold_a_language_of_long_words(abroad, open_page, language):
    page = open_page("desk", extra_http_headers={"Accept-Language": language})
    wrong: dict[str, list[str]] = {}
    plain: dict[str, str] = {}
    own = own_words(abroad)
    for name, _path in addresses(abroad, page, language):
        direction = page.evaluate("getComputedStyle(document.body).direction")
        assert direction == ("rtl" if language == RIGHT_TO_LEFT else "ltr")
        wrong[name] = faults(page, PHONE, DESK)
        if name not in {"talk", "check"}:  # they show the words that were typed
            plain |= dict.fromkeys(untranslated(page, own), name)
    assert told(wrong) == ""
    assert told({text: [name] for text, name in plain.items()}) == ""


def test_main_pages_are_whole_when_enlarged_still_and_on_paper(abroad, open_page, large_type):
    page = open_page("desk", reduced_motion="reduce")
    wrong: dict[str, list[str]] = {}
    for name, path in addresses(abroad, page, "en"):
        wrong[name] = faults(page, (640, 400))
        wrong[name] += [f"moves: {item}" for item in page.evaluate(MOVING)]
        page.set_viewport_size({"width": 1280, "height": 800})
        if name in PRINTED:
            wrong[name] += unprinted(page)
        large_type.context.add_cookies(page.context.cookies())
        large_type.goto(f"{abroad.url}{path}")
        wrong[name] += [f"large type: {fault}" for fault in large_type.evaluate(FAULTS)]
    assert told(wrong) == ""


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
