"""A portfolio from a pasted resume to a stranger on a phone who checks what is claimed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.breaking.person import until
from tests.browser.walk import listening, no_sideways_scrolling, reply, say, words
from tests.portfolio.sources import PROFILE, RESUME
from tests.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SLUG = "mara-and-kiln"
TWO_ENTRIES = """
from chat.operations.changes import Actor, Create
from chat.operations.execute import execute
from projects.portfolio.models import Portfolio
one = Portfolio.objects.get(slug="mara-and-kiln", deleted_at=None)
told = [
    {"doc_id": "kiln", "slug": "kiln", "title": "Kiln", "summary": "Fires pots on time.",
     "tech_stack": ["Go", "Postgres"], "description": "I wrote the scheduler of Kiln in Go."},
    {"doc_id": "ledger", "slug": "quiet-ledger", "title": "Quiet ledger",
     "summary": "Books that balance.", "tech_stack": ["Python"]},
]
changes = [Create("portfolio_entry", {"portfolio": str(one.pk), "status": "published", **values})
           for values in told]
batch = execute(actor=Actor(one.owner_id), changes=changes, is_atomic=True)
assert batch.status == "completed"
"""


def owner_publishes(page: Page, stack: Stack) -> None:
    """Pastes a resume and a profile, has two entries, looks through the review, publishes."""
    page.goto(f"{stack.url}/portfolio")
    page.locator("[name=owner_name]").fill("Mara Lindqvist")
    page.locator("[name=domain_label]").fill("software engineer")
    page.locator("[name=slug]").fill(SLUG)
    page.get_by_role("button", name="Create portfolio").click()
    page.wait_for_url(re.compile(r"/portfolio/[0-9a-f-]{36}"))
    home = re.search(r"/portfolio/[0-9a-f-]{36}", page.url)[0]
    for kind, text in (("resume", RESUME), ("profile", PROFILE)):
        page.goto(f"{stack.url}{home}/sources#{kind}")
        form = page.locator(f"form#{kind}")
        page.locator("details.give", has=form).evaluate("one => one.open = true")
        form.locator("[name=text]").fill(text)
        form.locator("button[type=submit]").click()
        name = page.get_by_role("link", name=kind.capitalize(), exact=True)
        given = page.locator("#given .given").filter(has=name)
        expect(given.locator(".record__facts")).to_be_visible()
        if kind == "resume":
            given.get_by_role("link", name="Check records").click()
            page.get_by_role("button", name="Confirm all").first.click()
            page.wait_for_url(re.compile(r"/sources\?done="))
    stack.manage("shell", "-c", TWO_ENTRIES)
    until(lambda: not stack.rows(
        "SELECT 1 FROM portfolio_indexstate WHERE wanted_at IS NOT NULL OR lease IS NOT NULL"
    ))  # fmt: skip
    page.goto(f"{stack.url}{home}")
    page.get_by_role("link", name="Review what becomes public").click()
    expect(page.get_by_role("main")).not_to_contain_text("mara@example.org")
    expect(page.locator(".public-list")).to_contain_text("Quiet ledger")
    for box in page.locator(".contact-hit input").all():
        box.check()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_role("heading", name="Your portfolio is public")).to_be_visible()


def test_a_stranger_on_a_phone_asks_and_checks_what_an_owner_published(stack, open_page):
    owner_publishes(open_page("desk"), stack)

    visitor = open_page("phone")
    visitor.goto(f"{stack.url}/p/{SLUG}")
    assert no_sideways_scrolling(visitor)
    say(visitor, "Did you use Go in your jobs?")
    listening(visitor)
    assert words(reply(visitor, 1)).startswith("I found")
    name = visitor.get_by_role("link", name="Mara Lindqvist")
    assert name.evaluate("link => link.scrollWidth <= link.clientWidth"), "the name is cut"
    say(visitor, "Which of your projects are written in Go?")
    assert "Kiln" in words(reply(visitor, 2))
    say(visitor, "Tell me about your time at BigCo.")
    assert "BigCo" in words(reply(visitor, 3))
    say(visitor, "How does this chat work?")
    last = reply(visitor, 4)
    expect(last.locator("a.claim")).to_have_count(0)
    assert no_sideways_scrolling(visitor)

    first = reply(visitor, 1)
    claim = first.locator("a.claim").first
    source = first.locator(".source[data-open]")
    expect(source).to_have_count(0)
    claim.click()
    expect(source).to_have_count(1)
    expect(source).to_contain_text("Go")
    expect(source).to_contain_text("Quoted from")
    claim.press("Escape")
    expect(source).to_have_count(0)

    reply(visitor, 2).locator("a.work", has_text="Kiln").click()
    expect(visitor.get_by_role("heading", name="Kiln", level=1)).to_be_visible()
    visitor.wait_for_url(re.compile(rf"/p/{SLUG}/kiln$"))  # loaded, with its styles

    height = visitor.locator(".masthead").bounding_box()["height"]
    for part in ("work", "contact", "kept"):
        visitor.goto(f"{stack.url}/p/{SLUG}/{part}")
        assert visitor.locator(".masthead").bounding_box()["height"] == height
        expect(visitor.get_by_role("link", name="Contact")).to_be_in_viewport(ratio=0.9)

    visitor.goto(f"{stack.url}/p/{SLUG}/contact")
    message = visitor.get_by_label("Message")
    message.focus()
    visitor.keyboard.insert_text("a" * 2_010)  # as a paste does
    assert len(message.input_value()) == 2_010
    complaint = "area => area.validationMessage"
    assert message.evaluate(complaint) == "10 characters too many"
    visitor.keyboard.press("Backspace")
    assert message.evaluate(complaint) == "9 characters too many"
    message.fill("Hello")
    assert message.evaluate(complaint) == ""

    _escape_closes_the_widget(open_page("desk", bypass_csp=True), stack)


def _escape_closes_the_widget(page: Page, stack: Stack) -> None:
    """On a bare page that includes the script."""
    page.goto(f"{stack.url}/healthz")
    page.add_script_tag(url=f"{stack.url}/p/{SLUG}/widget.js")
    button = page.get_by_role("button")
    button.click()
    field = page.frame_locator("iframe").get_by_role("textbox")
    field.fill("Have you used Go?")
    field.press("Escape")
    expect(page.locator("iframe")).to_be_hidden()
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    expect(field).to_have_value("Have you used Go?")


def records_to_check(page: Page, stack: Stack, owner: str) -> Locator:
    """The records of a pasted resume on the page where they are checked."""
    page.goto(f"{stack.url}/portfolio")
    page.locator("[name=owner_name]").fill(owner)
    page.locator("[name=domain_label]").fill("painter")
    page.get_by_role("button", name="Create portfolio").click()
    page.wait_for_url(re.compile(r"/portfolio/[0-9a-f-]{36}"))
    page.goto(f"{page.url.split('?')[0]}/sources#resume")
    page.locator("form#resume [name=text]").fill(RESUME)
    page.locator("form#resume button[type=submit]").click()
    page.get_by_role("link", name="Check records").click()
    page.wait_for_url(re.compile("/check$"))  # loaded: what is typed is saved first
    return page.locator("[data-draft]")


def opened(records: Locator, company: str) -> Locator:
    record = records.filter(has=records.page.locator("summary", has_text=company))
    if record.locator("details").get_attribute("open") is None:
        record.locator("summary").click()
    return record


def test_what_is_typed_in_records_is_saved_before_all_are_confirmed(stack, open_page):
    page = open_page("desk", told="status of 422")
    records = records_to_check(page, stack, "Ty Ping")
    # what is refused comes back, and the record below it is as it was typed
    opened(records, "Acme").locator("[name=ended]").fill("1999")
    opened(records, "StartupCo").locator("[name=title]").fill("Painter of doors")
    page.get_by_role("button", name="Confirm all").first.click()
    expect(records.filter(has_text="The end is before the start.")).to_have_count(1)
    doors = opened(records, "StartupCo").locator("[name=title]")
    expect(doors).to_have_value("Painter of doors")
    # of two that are refused at once each keeps what was typed, and says what is wrong with it
    opened(records, "StartupCo").locator("[name=ended]").fill("1998")
    page.get_by_role("button", name="Confirm all").first.click()
    expect(records.filter(has_text="The end is before the start.")).to_have_count(2)
    assert page.evaluate("document.activeElement.closest('[data-draft]') !== null")
    expect(doors).to_have_value("Painter of doors")
    expect(opened(records, "StartupCo").locator("[name=ended]")).to_have_value("1998")
    expect(opened(records, "Acme").locator("[name=ended]")).to_have_value("1999")
    opened(records, "StartupCo").locator("[name=ended]").fill("")
    opened(records, "Acme").locator("[name=ended]").fill("")
    opened(records, "Acme").locator("[name=title]").fill("Painter of ships")
    page.get_by_role("button", name="Confirm all").first.click()
    page.wait_for_url(re.compile(r"/sources\?done="))
    titles = stack.rows(
        "SELECT title FROM portfolio_experience JOIN portfolio_portfolio ON"
        " portfolio_portfolio.id = portfolio_id WHERE owner_name = 'Ty Ping'"
    )
    assert {"Painter of ships", "Painter of doors"} <= {title for (title,) in titles}
    # of the forms for sources one is sent: what stands in another is not lost
    page.locator("details.give", has=page.locator("#profile")).locator("summary").click()
    page.locator("#profile_text").fill("I paint ships.")
    page.locator("details.give", has=page.locator("#repository")).locator("summary").click()
    page.locator("#repository_text").fill("# Harbour\n\nA pier, painted.")
    page.locator("form#repository button[type=submit]").click()
    page.wait_for_url(re.compile(r"/sources(#given)?$"))
    expect(page.locator("#profile_text")).to_have_value("I paint ships.")
    expect(page.locator("#repository_text")).to_have_value("")


def test_a_text_written_from_right_to_left_is_displayed_so(stack, open_page):
    page = open_page("phone", told="status of 422")
    page.goto(f"{stack.url}/portfolio")
    page.locator("[name=owner_name]").fill("נועה כהן")
    page.locator("[name=domain_label]").fill("מהנדסת Go.")
    page.get_by_role("button", name="Create portfolio").click()
    address = page.locator("[name=slug][aria-invalid=true]")  # such a name gives none
    address.fill("noa-cohen")
    assert page.locator("[name=owner_name]").input_value() == "נועה כהן"
    page.get_by_role("button", name="Create portfolio").click()
    page.wait_for_url(re.compile(r"/portfolio/[0-9a-f-]{36}"))
    home = re.search(r"/portfolio/[0-9a-f-]{36}", page.url)[0]
    page.goto(f"{stack.url}{home}/desk/preview")
    expect_right_to_left(page, ".about__line", "מ", ".")
    say(page, "אילו פרויקטים כתבת ב-Go?")
    reply(page, 1)
    expect_right_to_left(page, ".message--person .message__text p", "א", "?")


def expect_right_to_left(page: Page, place: str, first: str, last: str) -> None:
    """Waits until the last sign of a line is displayed left of its first."""
    page.wait_for_function(
        """([place, ...signs]) => {
          const nodes = document.querySelector(place)?.childNodes ?? [];
          const text = [...nodes].find((node) => node.data?.trim());
          if (!text) return false;
          const [start, end] = signs.map((sign) => {
            const range = document.createRange();
            range.setStart(text, text.data.indexOf(sign));
            range.setEnd(text, text.data.indexOf(sign) + 1);
            return range.getBoundingClientRect().left;
          });
          return end < start;
        }""",
        arg=[place, first, last],
    )
