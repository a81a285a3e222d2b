"""Speaking instead of typing, with Chromium's fake microphone and the scripted model."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import reply, start_talking

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

NO_RECOGNITION = """
delete window.SpeechRecognition; delete window.webkitSpeechRecognition;
Object.defineProperty(window, 'webkitSpeechRecognition', {value: undefined});
"""
RECOGNITION = """
class Heard extends EventTarget {
  start() {}
  stop() {
    const result = Object.assign([{transcript: 'I paint the hulls of ships'}], {isFinal: true});
    this.dispatchEvent(Object.assign(new Event('result'), {resultIndex: 0, results: [result]}));
    this.dispatchEvent(new Event('end'));
  }
}
Object.defineProperty(window, 'SpeechRecognition', {value: undefined});
Object.defineProperty(window, 'webkitSpeechRecognition', {value: Heard});
"""
DENIED = """
navigator.mediaDevices.getUserMedia = () =>
  Promise.reject(new DOMException('no', 'NotAllowedError'));
"""


def _talk(stack, page, *scripts):
    for script in scripts:
        page.add_init_script(script)
    start_talking(page, stack.url, "Policy Analyst")
    reply(page, 1)
    return page.locator("button[data-voice]")


@pytest.fixture
def scripted(model_stack):
    model_stack.scripted.reset()
    model_stack.scripted.default_survey()
    yield model_stack.scripted
    model_stack.scripted.reset()


def test_a_recording_is_written_down_behind_what_was_typed(model_stack, scripted, open_page):
    scripted.on("transcription").text("I mend shoes and talk to customers.")
    page = open_page("desk", permissions=["microphone"])
    button = _talk(model_stack, page, NO_RECOGNITION)
    page.locator("#say").fill("Well:")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#composer-note")).to_contain_text("Listening")
    with page.expect_response(re.compile("/transcribe$")) as told:
        button.click()
    assert told.value.status == 200
    expect(page.locator("#say")).to_have_value("Well: I mend shoes and talk to customers.")
    expect(page.locator("#say")).to_be_focused()
    expect(button).to_have_attribute("aria-pressed", "false")
    (heard,) = scripted.of("transcription")
    assert heard.wire == "transcription"


def test_a_model_that_cannot_hear_gets_a_clear_line_and_typing_goes_on(
    model_stack, scripted, open_page
):
    scripted.on("transcription").status(500)
    page = open_page("desk", permissions=["microphone"], told="^Failed to load resource")
    button = _talk(model_stack, page, NO_RECOGNITION)
    page.locator("#say").fill("I mend shoes")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(page.locator("#composer-note")).to_contain_text("Speech input failed")
    expect(page.locator("#say")).to_have_value("I mend shoes")
    expect(button).to_be_enabled()


def test_a_denied_microphone_is_said_clearly(model_stack, scripted, open_page):
    page = open_page("desk")
    button = _talk(model_stack, page, NO_RECOGNITION, DENIED)
    button.click()
    expect(page.locator("#composer-note")).to_contain_text("Microphone access is blocked")
    expect(button).to_have_attribute("aria-pressed", "false")


def test_the_browsers_own_recognition_needs_no_model(stack, open_page):
    page = open_page("desk")
    button = _talk(stack, page, RECOGNITION)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(page.locator("#say")).to_have_value("I paint the hulls of ships")


def test_there_is_no_button_where_nothing_can_hear(stack, open_page):
    page = open_page("desk")
    expect(_talk(stack, page, NO_RECOGNITION)).to_be_hidden()


def _first_words(stack, page, *scripts):
    for script in scripts:
        page.add_init_script(script)
    page.goto(f"{stack.url}/survey")
    page.get_by_text("Describe your work now").click()
    return page.locator("button[data-voice]")


def test_the_first_words_can_be_spoken_before_the_talk(model_stack, scripted, open_page):
    scripted.on("transcription").text("I mend shoes and talk to customers.")
    page = open_page("phone", permissions=["microphone"])
    button = _first_words(model_stack, page, NO_RECOGNITION)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    with page.expect_response(re.compile("/survey/transcribe$")) as told:
        button.click()
    assert told.value.status == 200
    words = page.get_by_label("Your work")
    expect(words).to_have_value("I mend shoes and talk to customers.")
    expect(words).to_be_focused()


def test_the_first_words_are_heard_by_the_browser_without_a_model(stack, open_page):
    page = open_page("desk")
    button = _first_words(stack, page, RECOGNITION)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    words = page.get_by_label("Your work")
    expect(words).to_have_value("I paint the hulls of ships")


def test_the_start_has_no_button_where_nothing_can_hear(stack, open_page):
    page = open_page("desk")
    expect(_first_words(stack, page, NO_RECOGNITION)).to_be_hidden()
