"""What a person does with single turns on an open page, in two tabs, on a phone, by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import (
    REPLIES,
    no_sideways_scrolling,
    reply,
    say,
    start_talking,
    words,
)

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
# nobody needs as long as it takes word by word: it is stopped in the end
ANSWER = " ".join(f"word{number}" for number in range(400)) + " and what else?"
REFUSED = r"^Failed to load resource|^Response Status Error Code"


@pytest.fixture
def talking(model_stack, open_page):
    """Opens a talk in which one message is answered."""
    model_stack.scripted.reset()
    model_stack.scripted.default_survey()

    def talk(size="desk"):
        page = open_page(size, told=REFUSED)
        start_talking(page, model_stack.url, "Policy Analyst")
        reply(page, 1)
        say(page, "I write reports for the council.")
        reply(page, 2)
        return page

    yield talk
    model_stack.scripted.reset()


def test_a_message_under_an_id_of_another_stays_in_the_composer_until_it_is_sent_again(talking):
    """As in a tab that the browser has doubled, with the hidden fields of the first."""
    page = talking()
    of_form = "document.querySelector('form[data-composer]').elements.client_id.value"
    known = page.evaluate(of_form)
    say(page, "I read bills.")
    reply(page, 3)
    page.evaluate(f"id => {{ {of_form} = id }}", known)
    say(page, "I brief the mayor.")
    expect(page.locator("#composer-note")).to_contain_text("Not sent")
    expect(page.locator("#say")).to_have_value("I brief the mayor.")
    say(page, "I brief the mayor.")
    reply(page, 4)
    expect(page.locator(".message--person").last).to_contain_text("I brief the mayor.")
    expect(page.locator("#say")).to_have_value("")


def test_waiting_messages_are_changed_and_removed_in_one_tab_and_change_in_the_other(
    model_stack, talking, open_page
):
    page = talking()
    model_stack.scripted.on("response").text(ANSWER, chunk_delay_s=0.5)
    say(page, "I review draft laws.")
    expect(page.locator(".message__flow")).to_contain_text("word2")
    say(page, "I brief journalist.")
    waits = page.get_by_text("Waiting for the current reply")
    expect(waits).to_have_count(1)
    other = open_page("desk", like=page)
    other.goto(page.url)
    page.bring_to_front()  # browsers slow down what a tab behind another does
    page.get_by_role("link", name="Edit").last.focus()
    page.keyboard.press("Enter")
    editor = page.get_by_role("textbox", name="Your message")
    expect(editor).to_be_focused()
    editor.fill("I brief journalists.")
    editor.press("Escape")
    expect(page.get_by_role("link", name="Edit").last).to_be_focused()
    page.keyboard.press("Enter")
    editor.fill("I brief journalists.")
    editor.press("Control+Enter")
    for tab in (page, other):
        expect(tab.locator(".message--person").last).to_contain_text("I brief journalists.")
    expect(page.locator("#turn-status")).to_have_text("Saved.")
    # what is being written in one tab outlives that the message goes in the other
    page.get_by_role("link", name="Edit").last.click()
    editor.fill("I brief journalists and editors.")
    other.get_by_role("button", name="Remove").click()
    for tab in (page, other):
        expect(tab.get_by_text("Waiting for the current reply")).to_have_count(0)
    expect(page.locator("#say")).to_have_value("I brief journalists and editors.")
    expect(page.locator("#composer-note")).to_contain_text("Your text is still here")
    page.get_by_role("button", name="Stop this reply").click()
    stopped = page.locator(REPLIES).nth(2)
    expect(stopped).to_contain_text("You stopped this reply")
    expect(stopped).to_contain_text("Saved before the interruption")
    kept = words(stopped)
    model_stack.scripted.on("response").text("Noted. Who reads the drafts?")
    expect(other.locator(REPLIES).nth(2)).to_have_attribute("data-state", "stopped")
    other.get_by_role("button", name="Continue").click()
    for tab in (page, other):
        assert words(reply(tab, 4)) == "Noted. Who reads the drafts?"
        assert words(tab.locator(REPLIES).nth(2)) == kept


def test_the_last_answer_is_had_anew_and_the_last_message_reworded(model_stack, talking, open_page):
    page = talking()
    other = open_page("desk", like=page)
    other.goto(page.url)
    page.bring_to_front()
    model_stack.scripted.on("response").text("Let me ask otherwise. Who are your readers?")
    page.get_by_role("button", name="Regenerate").click()
    for tab in (page, other):
        expect(tab.locator(REPLIES).nth(1)).to_contain_text("Who are your readers?")
        expect(tab.locator(REPLIES)).to_have_count(2)
        reply(tab, 2)
    model_stack.scripted.on("response").text("Minutes, then. What else is on your desk?")
    page.get_by_role("link", name="Edit").click()
    editor = page.get_by_role("textbox", name="Your message")
    expect(editor).to_have_value("I write reports for the council.")
    editor.fill("I keep the minutes of the council.")
    page.get_by_role("button", name="Save and regenerate").click()
    for tab in (page, other):
        expect(tab.locator(".message--person")).to_have_count(1)
        expect(tab.locator(".message--person")).to_contain_text("minutes of the council")
        expect(tab.locator(REPLIES).nth(1)).to_contain_text("What else is on your desk?")
        expect(tab.locator("#so-far")).not_to_contain_text("write reports")
        reply(tab, 2)
    page.get_by_role("link", name="Edit").click()
    editor.fill("x" * 10_001)
    editor.press("Control+Enter")
    expect(page.locator(".editor [role=alert]")).to_contain_text("10,000 fit here")
    expect(editor).to_have_value("x" * 10_001)


def test_answers_are_copied_and_rated_by_thumb_and_by_keyboard(model_stack, talking):
    model_stack.scripted.on("response").text("First.", chunk_delay_s=0)
    page = talking("phone")
    answer = page.locator(REPLIES).last
    source = answer.get_attribute("data-source")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer.get_by_role("button", name="Copy").tap()
    expect(page.locator("#turn-status")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == source
    # where neither way is allowed, the text is marked for copying by hand
    page.evaluate(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('no'));"
        "document.execCommand = () => false"
    )
    answer.get_by_role("button", name="Copy").tap()
    by_hand = page.get_by_role("textbox", name=re.compile("Copying is blocked"))
    expect(by_hand).to_be_focused()
    expect(by_hand).to_have_value(source)
    page.keyboard.press("Escape")
    expect(by_hand).to_have_count(0)
    answer.get_by_role("button", name="Good reply", exact=True).tap()
    good = answer.get_by_role("button", name="Good reply", exact=True)
    expect(good).to_have_attribute("aria-pressed", "true")
    bad = answer.get_by_role("button", name="Poor reply")
    bad.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("checkbox", name="It ignored what I said")).to_be_focused()
    page.keyboard.press("Space")
    page.get_by_label("In your own words").fill("It was about reports.")
    assert no_sideways_scrolling(page)
    expect(bad).to_have_attribute("aria-pressed", "true")  # it counts before any reason is given
    page.keyboard.press("Escape")
    expect(bad).to_be_focused()
    page.keyboard.press("Enter")
    expect(bad).to_have_attribute("aria-pressed", "false")
    bad.tap()
    why = page.locator("#why")
    expect(why.get_by_label("In your own words")).to_have_value("It was about reports.")
    why.get_by_role("button", name="Send").tap()
    expect(why).to_be_hidden()
    expect(page.locator("#turn-status")).to_have_text("Thank you.")
    expect(answer.get_by_role("link", name="Your reasons")).to_be_visible()
    expect(bad).to_have_attribute("aria-pressed", "true")
    expect(good).to_have_attribute("aria-pressed", "false")
    page.reload()
    page.get_by_role("link", name="Your reasons").tap()
    expect(page.get_by_role("checkbox", name="It ignored what I said")).to_be_checked()


def test_nothing_moves_when_the_tools_come_and_go(talking):
    page = talking()
    places = "all => all.map(one => Math.round(one.getBoundingClientRect().top))"
    page.mouse.move(5, 5)
    before = page.locator(".message").evaluate_all(places)
    page.locator(".message").first.hover()
    expect(page.locator(".message").first.get_by_role("button", name="Copy")).to_have_css(
        "opacity", "1"
    )
    assert page.locator(".message").evaluate_all(places) == before
    page.get_by_role("button", name="Good reply", exact=True).last.click()
    expect(page.locator(".tool[aria-pressed=true]")).to_have_count(1)
    assert page.locator(".message").evaluate_all(places) == before
