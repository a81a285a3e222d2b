"""An answer on its way: reloaded, watched in two tabs, stopped, talked over, off the line."""

import re
from threading import Event

import pytest
from playwright.sync_api import expect

from tests.browser.walk import LINE_DOWN, REPLIES, listening, reply, say, start_talking, words

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
# nobody needs as long as it takes word by word: it is stopped, or hurried on
ANSWER = " ".join(f"word{number}" for number in range(400)) + " and what else?"


@pytest.fixture
def talking(model_stack, open_page):
    """A page in the talk, its opening said; the next answer comes word by word."""
    model_stack.scripted.reset()
    model_stack.scripted.default_survey()
    page = open_page("desk", told=LINE_DOWN)
    start_talking(page, model_stack.url, "Policy Analyst")
    reply(page, 1)
    yield page
    model_stack.scripted.reset()


def _slowly(stack, answer=ANSWER, chunk_delay_s=0.05, hurry=None):
    stack.scripted.on("response").text(answer, chunk_delay_s=chunk_delay_s, hurry=hurry)


def test_reloading_in_the_middle_of_an_answer_loses_and_doubles_nothing(
    model_stack, talking, open_page
):
    page, hurry = talking, Event()
    _slowly(model_stack, chunk_delay_s=0.3, hurry=hurry)
    say(page, "I write reports for the council and review draft laws.")
    expect(page.locator(".message__flow")).to_contain_text("word5")
    second = open_page("desk", like=page)
    second.goto(page.url)
    page.reload()
    for one in (page, second):
        # it goes on live in both: the flow grows while the message is not complete
        flow = one.locator(".message__flow")
        expect(flow).to_contain_text("word5")
        seen = flow.inner_text()
        assert ANSWER.startswith(seen)
        assert len(seen) < len(ANSWER)
        expect(flow).not_to_have_text(seen)
        assert one.locator(f"{REPLIES}[data-state=streaming]").count() == 1
    hurry.set()
    for one in (page, second):
        assert words(reply(one, 2)) == ANSWER
        expect(one.locator(".message--person")).to_have_count(1)
        expect(one.locator(REPLIES)).to_have_count(2)


def test_stop_keeps_what_was_said_and_offers_to_try_again(model_stack, talking):
    page = talking
    _slowly(model_stack, chunk_delay_s=0.2)
    say(page, "I write reports for the council and review draft laws.")
    expect(page.locator(".message__flow")).to_contain_text("word3")
    page.get_by_role("button", name="Stop this reply").click()
    stopped = page.locator(REPLIES).nth(1)
    expect(stopped).to_have_attribute("data-state", "stopped")
    expect(stopped).to_contain_text("You stopped this reply")
    kept = words(stopped)
    assert kept.startswith("word0 word1 word2 word3")
    assert ANSWER.startswith(kept)
    page.reload()
    assert words(page.locator(REPLIES).nth(1)) == kept
    listening(page)
    model_stack.scripted.on("response").text("Thank you. What comes next in your week?")
    page.get_by_role("button", name="Undo and try again").click()
    assert words(reply(page, 2)) == "Thank you. What comes next in your week?"
    expect(page.locator(REPLIES)).to_have_count(2)
    expect(page.locator(".message--person")).to_have_count(1)


def test_what_is_said_during_an_answer_waits_visibly_and_is_answered_in_order(model_stack, talking):
    page = talking
    hurry = Event()
    model_stack.scripted.on("response").text(ANSWER, chunk_delay_s=0.3, hurry=hurry).text(
        "Thank you for both. Who reads these reports?"
    )
    say(page, "I write reports for the council.")
    expect(page.locator(".message__flow")).to_contain_text("word3")
    say(page, "I also brief journalists.")
    waiting = page.locator(".message--person").nth(1)
    expect(waiting).to_have_attribute("data-state", "queued")
    expect(waiting).to_contain_text("Waiting for the current reply")
    expect(page.locator("#say")).to_have_value("")
    hurry.set()
    assert words(reply(page, 2)) == ANSWER
    assert words(reply(page, 3)) == "Thank you for both. Who reads these reports?"
    order = page.locator(".message").evaluate_all(
        "all => all.map(one => one.classList.contains('message--person') ? 'you' : 'we')"
    )
    assert order == ["we", "you", "we", "you", "we"]
    expect(page.get_by_text("Waiting for the current reply")).to_have_count(0)


def test_offline_keeps_what_is_written_and_sends_it_once_when_the_line_is_back(
    model_stack, talking
):
    page = talking
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline")).to_be_visible()
    say(page, "I keep the minutes of the council.")
    expect(page.locator("#composer-note")).to_contain_text("sent when you are online")
    expect(page.locator("#say")).to_have_value("I keep the minutes of the council.")
    page.context.set_offline(False)
    reply(page, 2)
    expect(page.get_by_text("You are offline")).to_be_hidden()
    expect(page.locator("#say")).to_have_value("")
    expect(page.locator(".message--person")).to_have_count(1)
    expect(page.locator(".message--person")).to_contain_text("I keep the minutes")


def test_what_was_typed_and_not_sent_is_there_after_a_reload(talking):
    page = talking
    with page.expect_response(re.compile("/draft$")) as kept:
        page.locator("#say").fill("Half a tho")
    assert kept.value.status == 204
    page.reload()
    expect(page.locator("#say")).to_have_value("Half a tho")


def test_what_was_typed_is_there_though_the_page_is_back_before_the_draft_is_saved(talking):
    page = talking
    page.route("**/draft", lambda route: route.abort())
    page.locator("#say").fill("Half a tho")
    page.reload()
    expect(page.locator("#say")).to_have_value("Half a tho")
    page.locator("#say").fill("Half a thought")
    page.goto("about:blank")
    page.go_back()
    expect(page.locator("#say")).to_have_value("Half a thought")
    expect(page.locator(".message--person")).to_have_count(0)  # it is not sent by itself
