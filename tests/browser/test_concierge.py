"""The concierge in a browser: greeted, a task created and taken back, the day put in order."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from projects.concierge.greeting import GreetingOut, SuggestionOut
from tests.browser.walk import listening, no_sideways_scrolling
from tests.scripted import ScriptedCall

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

ANSWERS = ".message:not(.message--person)[data-state=complete]"
MADE = "Review weekly metrics"
PASTE = """(text) => {
  const area = document.activeElement;
  const [start, end] = [area.selectionStart, area.selectionEnd];
  area.setRangeText(text, start, end, "end");
  area.dispatchEvent(new InputEvent("input", {bubbles: true, inputType: "insertFromPaste"}));
}"""
"""What the browser does when somebody pastes; a page has no right to the clipboard here."""


def say(page: Page, text: str) -> Locator:
    """One message; its answer."""
    count = page.locator(ANSWERS).count()
    page.get_by_role("textbox", name="Ask a question or add a to-do").fill(text)
    page.get_by_role("button", name="Send").click()
    expect(page.locator(ANSWERS)).to_have_count(count + 1)
    return page.locator(ANSWERS).last


def begin(page: Page, url: str) -> Locator:
    """From the first visit to a conversation that has greeted; the suggestions."""
    page.goto(f"{url}/concierge")
    expect(page.locator(".offer")).to_have_count(5)
    page.get_by_role("button", name="New conversation").click()
    page.wait_for_url("**/concierge/*")
    expect(page.locator(f"{ANSWERS} .offer")).to_have_count(5)
    listening(page)
    return page.locator(".offer")


def test_the_three_interactions_in_basic_mode(stack, open_page):
    page = open_page("phone")
    offers = begin(page, stack.url)
    numbers = [offer.get_attribute("data-number") for offer in offers.all()]
    assert numbers == ["1", "2", "3", "4", "5"]
    made = say(page, "Create a task to review weekly metrics")
    expect(made).to_contain_text(f"Created {MADE}.")
    expect(made.locator("article.operation")).to_contain_text(MADE)
    say(page, "Make review weekly metrics critical")
    focus = say(page, "What should I focus on today?")
    expect(focus).to_contain_text(f"{MADE}, critical")

    back = say(page, "undo that")
    expect(back).to_contain_text("Undone")
    expect(page.locator("article.operation[data-status=rolled_back]")).to_have_count(1)
    assert no_sideways_scrolling(page)

    page.reload()  # what was asked for once a day does not come again
    expect(page.locator("article.operation")).to_have_count(2)
    expect(page.locator("[data-offers]")).to_have_count(1)
    page.locator("body").press("5")
    expect(page.locator(ANSWERS).last).to_contain_text("put things on your list")


def test_the_three_interactions_with_a_model_and_a_hand_over(model_stack, open_page):
    scripted = model_stack.scripted
    greeting = GreetingOut(
        intro="Good morning.",
        suggestions=[SuggestionOut(text=f"Tell me way {n} to begin") for n in range(1, 6)],
    )
    scripted.on("concierge_greeting").json(greeting.model_dump())
    scripted.on("concierge").calls(ScriptedCall("create_task", {"title": MADE})).text(
        f"Created task '{MADE}'"
    ).text(f"I'd focus on '{MADE}' first.").calls(
        ScriptedCall("start_conversation", {"kind": "project_create", "says": "Build a shed"})
    ).text("I've opened it for you.")
    try:
        page = open_page()
        expect(begin(page, model_stack.url).first).to_contain_text("Tell me way 1 to begin")
        made = say(page, "Create a task to review weekly metrics")
        expect(made).to_contain_text(f"Created task '{MADE}'")
        expect(made.get_by_role("link", name="Undo")).to_be_visible()
        page.locator("body").press("3")  # a suggestion is said with its number
        expect(page.locator(".message--person").last).to_contain_text("Tell me way 3 to begin")
        expect(page.locator(ANSWERS).last).to_contain_text(f"I'd focus on '{MADE}' first.")
        page.get_by_role("textbox", name="Ask a question or add a to-do").fill("Build a shed")
        page.get_by_role("button", name="Send").click()
        page.wait_for_url("**/projects/agent/*")
    finally:
        scripted.reset()


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_a_line_is_completed_and_previewed_before_it_is_sent(stack, open_page, size):
    page = open_page(size)
    begin(page, stack.url)
    say(page, "Create a task to water the plants")
    field = page.get_by_role("textbox", name="Ask a question or add a to-do")
    field.press_sequentially("mo")
    offered = page.get_by_role("listbox", name="Completions")
    choices = offered.get_by_role("option")
    expect(choices).to_have_text(["move"])
    if size == "phone":
        choices.first.tap()
    else:
        field.press("ArrowDown")
        field.press("Enter")
    expect(field).to_have_value("move ")
    expect(choices).to_have_text(["Water the plants"])
    field.press("ArrowDown")
    field.press("Tab")
    expect(field).to_have_value("move “Water the plants” to ")
    field.press_sequentially("2030-01-07")
    expect(page.locator("#command-says")).to_have_text(
        "Edit “Water the plants”: due 7 January 2030"
    )
    assert no_sideways_scrolling(page)
    answers = page.locator(ANSWERS).count()
    field.press("Enter") if size == "desk" else page.get_by_role("button", name="Send").click()
    expect(page.locator(ANSWERS)).to_have_count(answers + 1)
    expect(page.locator(ANSWERS).last).to_contain_text("7 January 2030")
    expect(page.locator("#command-says")).to_be_hidden()


def test_a_pasted_stretch_is_marked_and_the_mark_can_be_taken_off(stack, open_page):
    page = open_page()
    begin(page, stack.url)
    field = page.get_by_role("textbox", name="Ask a question or add a to-do")
    own, marked = page.get_by_role("button", name="I wrote this"), page.locator(".pasted q")
    mail = "🎉 We come at seven with two vans, and the street has to be free. " * 6

    def paste(text: str) -> None:
        field.focus()
        page.evaluate(PASTE, text)

    field.press_sequentially("They write: ")
    paste("A few words of theirs. ")
    expect(own).to_have_count(0)
    paste(mail)
    expect(own).to_have_count(1)
    expect(marked).to_contain_text("🎉 We come at seven")
    field.press("Control+Home")
    field.press_sequentially("So. ")
    expect(marked).to_contain_text("🎉 We come at seven")
    own.click()
    expect(own).to_have_count(0)
    paste(mail)
    expect(own).to_have_count(1)
    with page.expect_response("**/draft"):
        field.press_sequentially("!")
    page.reload()
    expect(own).to_have_count(1)
    page.get_by_role("button", name="Send").click()
    words = page.locator(".message--person .pasted-words").last
    expect(words).to_contain_text("🎉 We come at seven")
    expect(own).to_have_count(0)


def test_attached_text_files_are_marked_and_let_changes_wait(model_stack, open_page, tmp_path):
    page = open_page()
    begin(page, model_stack.url)
    names = "offer.txt", "scan.pdf", "plan.csv", "japanese.csv", "russian.csv", "chinese.csv"
    note, scan, table, *unread = (tmp_path / name for name in names)
    # they would be read as other letters
    titles = (("shift_jis", "作業、期限"), ("cp1251", "Задача;Срок"), ("gb2312", "任务;天数"))
    for path, (encoding, title) in zip(unread, titles, strict=True):
        path.write_text(title, encoding=encoding)
    table.write_text("Tür;12 €\n", encoding="cp1252")
    note.write_text("Für 300 € kommen wir am Montag.\n", encoding="utf-8")
    scan.write_bytes(b"%PDF-1.7\xff\xfe\x00")
    field = page.get_by_role("textbox", name="Ask a question or add a to-do")
    field.fill("What do they offer?")
    for path in (scan, *unread, note, table):
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Attach text files").click()
        chooser.value.set_files(path)
        if path in (scan, *unread):
            expect(page.locator(".pasted")).to_contain_text(f"{path.name} cannot be attached")
    expect(page.locator(".pasted q").first).to_contain_text("offer.txt: Für 300 €")
    expect(field).to_have_value(
        "What do they offer?\n\noffer.txt:\n\nFür 300 € kommen wir am Montag.\n\n\n"
        "plan.csv:\n\nTür;12 €\n"
    )
    model_stack.scripted.on("concierge").calls(
        ScriptedCall("create_task", {"title": "Answer the offer"})
    ).text("It waits for you.")
    page.get_by_role("button", name="Send").click()
    words = page.locator(".message--person .pasted-words")
    for text in ("Für 300 €", "Tür;12 €"):
        expect(words.filter(has_text=text)).to_have_count(1)
    expect(page.locator(ANSWERS).last).to_contain_text("It waits for you.")
    expect(page.locator(".operation[data-status=pending]")).to_have_count(1)
