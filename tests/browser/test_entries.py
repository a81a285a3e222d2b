"""An entry of a portfolio in a real browser: pictures sent, described, put in order; published."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.walk import REPLIES, listening, no_sideways_scrolling, reply, say
from tests.scripted import ScriptedCall
from tests.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def picture(name: str, colour: str) -> FilePayload:
    """A file as a person would choose it."""
    out = io.BytesIO()
    Image.new("RGB", (640, 480), colour).save(out, "JPEG")
    return {"name": name, "mimeType": "image/jpeg", "buffer": out.getvalue()}


def test_pictures_are_sent_described_put_in_order_by_keyboard_and_published(stack, open_page):
    page = open_page("desk", told=r"status of 422")
    page.goto(f"{stack.url}/portfolio")
    page.locator("[name=owner_name]").fill("Mara Lindqvist")
    page.locator("[name=domain_label]").fill("potter")
    page.get_by_role("button", name="Create portfolio").click()
    page.wait_for_url(re.compile(r"/portfolio/[0-9a-f-]{36}"))
    home = re.search(r"/portfolio/[0-9a-f-]{36}", page.url)[0]
    page.goto(f"{stack.url}{home}/entries")
    page.locator("[name=title]").fill("The old kiln")
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_url(re.compile(r"/entries/[0-9a-f-]{36}"))
    entry = re.search(r"/portfolio/[0-9a-f-]{36}/entries/[0-9a-f-]{36}", page.url)[0]

    page.goto(f"{stack.url}{entry}/details")
    page.locator("[name=summary]").fill("A kiln from 1911 that burns again.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".notice--good")).to_contain_text("Edited entry")
    page.goto(f"{stack.url}{entry}/story/block?kind=text&at=0")
    page.locator("[name=text]").fill("We rebuilt it brick by brick. " * 8)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".block-row")).to_have_count(1)

    page.goto(f"{stack.url}{entry}/pictures")
    rows = page.locator(".picture-row")
    bad: FilePayload = {"name": "x.svg", "mimeType": "image/svg+xml", "buffer": b"<svg></svg>"}
    page.locator("#files").set_input_files(
        [picture("a.jpg", "teal"), picture("b.jpg", "maroon"), bad]
    )
    expect(rows).to_have_count(2)
    expect(page.locator("#pictures")).to_contain_text("x.svg: This file is not a supported picture")
    rows.nth(0).get_by_label("Alternative text").fill("The kiln, cold")
    rows.nth(1).get_by_label("Alternative text").fill("The kiln on fire")
    rows.nth(1).get_by_role("button", name="Move picture 2 up").focus()
    page.keyboard.press("Enter")
    expect(rows.nth(0).get_by_label("Alternative text")).to_have_value("The kiln on fire")
    expect(rows.nth(1).get_by_label("Alternative text")).to_have_value("The kiln, cold")
    expect(rows.nth(0).get_by_role("button", name="Move picture 1 up")).to_be_focused()

    page.goto(f"{stack.url}{entry}/publish")
    expect(page.locator(".entry-preview img")).to_have_count(2)
    page.get_by_role("button", name="Publish entry").click()
    expect(page.get_by_role("heading", name="This entry is published")).to_be_visible()

    phone = open_page("phone", like=page)
    phone.set_viewport_size({"width": 390, "height": 844})
    for part in ("", "/story", "/pictures", "/details", "/publish"):
        phone.goto(f"{stack.url}{entry}{part}")
        assert no_sideways_scrolling(phone), part


def test_sources_that_were_opened_stay_open_when_the_answer_is_rated(model_stack, open_page):
    sentences = [{"text": "We rebuilt a kiln.", "quote": "We rebuilt a kiln"}]
    draft: dict[str, Any] = {"title": None, "summary": None, "tags": None}
    draft |= {
        "seo_title": None,
        "seo_description": None,
        "sections": [{"heading": None, "sentences": sentences, "keep": None}],
    }
    model_stack.scripted.on("portfolio_builder").calls(
        ScriptedCall("generatePortfolioContent", draft)
    ).text("So?")
    # words of a draft that is over when they come have no place any more
    page = open_page("desk", told="oobErrorNoTarget")
    talk_about_a_kiln(page, model_stack, "Sour Ces")
    sources = page.locator("details.sourced")
    expect(sources).not_to_have_attribute("open", "")
    sources.locator("summary").click()
    good = page.locator(REPLIES).last.get_by_role("button", name="Good reply", exact=True)
    good.click()
    expect(good).to_have_attribute("aria-pressed", "true")
    expect(sources).to_have_attribute("open", "")
    model_stack.scripted.reset()


def talk_about_a_kiln(page: Page, stack: Stack, owner: str) -> None:
    """A new owner begins a conversation about a piece of work."""
    page.goto(f"{stack.url}/portfolio")
    page.locator("[name=owner_name]").fill(owner)
    page.locator("[name=domain_label]").fill("potter")
    page.get_by_role("button", name="Create portfolio").click()
    page.wait_for_url(re.compile(r"/portfolio/[0-9a-f-]{36}"))
    page.goto(f"{page.url.split('?')[0]}/tell")
    page.locator("main [name=text]").fill("We rebuilt a kiln.")
    page.get_by_role("button", name="Start conversation").click()
    reply(page, 1)
    listening(page)


def test_a_notice_stands_above_the_composer_of_a_phone(stack, open_page):
    page = open_page("phone")
    talk_about_a_kiln(page, stack, "Pho Ne")
    page.locator("#say").fill("One\nTwo\nThree\nFour")
    page.evaluate("document.dispatchEvent(new Event('htmx:timeout'))")
    notice = page.locator(".toast").bounding_box()
    foot = page.locator(".pane__foot").bounding_box()
    assert notice is not None
    assert foot is not None
    assert notice["y"] > 0
    assert notice["y"] + notice["height"] <= foot["y"]


def test_what_is_missing_is_counted_anew_while_one_talks(stack, open_page):
    page = open_page("desk")
    talk_about_a_kiln(page, stack, "Tal King")
    publish = page.get_by_role("navigation", name="Parts of the entry").locator("a").last
    expect(publish).to_have_text(re.compile(r"Publish\s+4"))
    say(page, "It had been cold for years and nobody knew how to fire it. " * 4)
    expect(page.locator(".entry-preview__missing summary")).to_contain_text("3 items")
    expect(publish).to_have_text(re.compile(r"Publish\s+3"))
