"""The whole way by keys alone: the focus is always somewhere, always visible."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.walk import listed, listening, reply, type_title
from tests.browser.workspace import campaign, signed_in_as_staff

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

LONG_TALK = """
SELECT m.session_id FROM chat_message m JOIN tasks_surveyresponse r ON r.session_id = m.session_id
WHERE r.campaign_id IS NOT NULL GROUP BY 1 HAVING count(*) > 3 LIMIT 1
"""

_FOCUS = """() => {
  const one = document.activeElement;
  const box = one.getBoundingClientRect();
  const drawn = (e) => {
    const style = getComputedStyle(e);
    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
      || style.boxShadow !== 'none';
  };
  return {
    id: one.id, name: one.name ?? '', tag: one.tagName, text: (one.innerText ?? '').trim(),
    onScreen: box.width > 0 && box.top < innerHeight && box.bottom > 0,
    ring: drawn(one) || [...document.querySelectorAll(':focus-within')].some(drawn)
      || getComputedStyle(one).borderBlockEndStyle !== 'none',
  };
}"""


def _focus(page):
    return page.evaluate(_FOCUS)


def _tab_to(page, wanted, *, key="Tab", most=60):
    """Presses Tab until the focus is on something that `wanted` accepts; visible on every stop."""
    for _ in range(most):
        page.keyboard.press(key)
        now = _focus(page)
        assert now["onScreen"], f"focus out of sight on {now}"
        assert now["ring"], f"focus not drawn on {now}"
        if wanted(now):
            return now
    raise AssertionError(f"never came to it; last {now}")


def test_the_survey_is_walked_by_keys_alone(stack, open_page):
    page = open_page("desk")
    page.goto(f"{stack.url}/survey")
    page.keyboard.press("Tab")
    assert _focus(page)["text"] == "Skip to content"
    _tab_to(page, lambda at: at["id"] == "title")
    type_title(page, "data anal")
    options = page.get_by_role("option")
    expect(options.first).to_be_visible()
    page.keyboard.press("ArrowDown")
    chosen = page.get_by_role("option", selected=True)
    title = chosen.get_attribute("data-value")
    page.keyboard.press("Enter")
    expect(page.locator("#title")).to_have_value(title)
    expect(page.get_by_role("radio").first).to_be_checked()
    _tab_to(page, lambda at: at["text"] == "Start survey")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/chat$"))
    listening(page)
    reply(page, 1)

    _tab_to(page, lambda at: at["id"] == "say")
    page.keyboard.type("mostly reports and analysis")
    page.keyboard.press("Enter")
    cards = page.locator("form.suggestions")
    expect(cards.get_by_role("checkbox")).to_have_count(5)
    reply(page, 2)
    assert _focus(page)["id"] == "say"  # kept through the swaps
    _tab_to(page, lambda at: at["name"] == "card", key="Shift+Tab")
    for _ in range(2):
        with page.expect_response(re.compile("/cards/")):
            page.keyboard.press("Space")
        assert _focus(page)["name"] == "card"
        page.keyboard.press("Shift+Tab")
    add = cards.get_by_role("button", name="Add 2 tasks")
    expect(add).to_be_enabled()
    _tab_to(page, lambda at: at["text"] == "Add 2 tasks")
    page.keyboard.press("Enter")
    reply(page, 3)
    _tab_to(page, lambda at: at["id"] == "say")
    page.keyboard.type("I clean the data first. That's all!")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/tasks$"))

    count = listed(page).count()
    _tab_to(page, lambda at: at["id"].startswith("fold-"))
    page.keyboard.press("Enter")
    _tab_to(page, lambda at: at["id"].startswith("share-"))
    page.keyboard.type("30")
    page.keyboard.press("Tab")
    expect(page.locator("#dock")).to_contain_text("30")
    assert _focus(page)["tag"] != "BODY"
    _delete_and_put_back(page, count)
    _tab_to(page, lambda at: at["text"] == "Continue", most=40 * count)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/complete$"))
    _submit(page)


def _submit(page):
    """The last page, to its end."""
    _tab_to(page, lambda at: at["name"] == "sure")
    page.keyboard.press("Space")
    _tab_to(page, lambda at: at["text"] == "Submit survey")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("Submitted on"))).to_be_visible()


def _delete_and_put_back(page, count):
    """Through the menu of a task; the focus lands on the way back."""
    page.locator("li.task").last.locator("summary").first.focus()
    page.keyboard.press("Enter")
    menu = page.locator("li.task").last.get_by_role("button", name=re.compile("^Edit, split"))
    menu.focus()
    page.keyboard.press("Enter")
    _tab_to(page, lambda at: at["text"].startswith("Delete"))
    page.keyboard.press("Enter")
    expect(page.locator("#undo-last")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("li.task")).to_have_count(count)


def _press_when_loaded(page, key):
    """The keys of the desk work once its script has run."""
    page.wait_for_load_state()
    page.keyboard.press(key)


def test_a_replay_is_stepped_through_by_keys_alone(stack, open_page):
    campaign(stack)
    page = open_page("desk")
    signed_in_as_staff(page, stack)
    page.goto(f"{stack.url}/staff/sessions/{stack.rows(LONG_TALK)[0][0]}")
    _press_when_loaded(page, "p")
    bar = page.locator(".replay__bar")
    expect(bar).to_contain_text(re.compile(r"\b1 of \d+"))
    for number in (2, 3):
        _press_when_loaded(page, "ArrowRight")
        expect(bar).to_contain_text(re.compile(rf"\b{number} of \d+"))
    current = page.locator(".turn[aria-current=true]")
    expect(current.locator(".turn__n")).to_have_text("3")
    expect(current).to_be_in_viewport()
    expect(page.locator(".turn")).to_have_count(3)
    _press_when_loaded(page, "ArrowLeft")
    expect(bar).to_contain_text(re.compile(r"\b2 of \d+"))
    slider = bar.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")  # a key of the slider's own
    expect(bar).to_contain_text(re.compile(r"\b1 of \d+"))
    _press_when_loaded(page, "p")
    expect(bar).to_have_count(0)


def test_the_head_of_a_replay_leaves_a_phone_room_for_the_conversation(stack, open_page):
    campaign(stack)
    page = open_page("phone")
    signed_in_as_staff(page, stack)
    page.goto(f"{stack.url}/staff/sessions/{stack.rows(LONG_TALK)[0][0]}/replay?at=3#m-3")
    head = page.locator(".desk__talk .desk__head")
    expect(head.get_by_role("link", name="Next")).to_be_visible()
    expect(head.get_by_role("link", name="Back to the review")).to_be_visible()
    edges = head.bounding_box()
    assert edges is not None
    assert edges["height"] <= 130
    current = page.locator(".turn[aria-current=true]").bounding_box()
    assert current is not None
    assert current["y"] >= edges["y"] + edges["height"] - 1
