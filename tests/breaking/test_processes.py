"""Parts of the product die during an answer: the open page comes back, nothing is lost."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from playwright.sync_api import expect

from tests.breaking.gates import gate
from tests.breaking.person import Person
from tests.browser.walk import (
    LINE_DOWN,
    REPLIES,
    listed,
    reply,
    say,
    show_list,
    start_talking,
    words,
)

pytestmark = pytest.mark.breaking
ANSWER = " ".join(f"word{number}" for number in range(60)) + " and what else?"
SAID = "I write reports for the council and review draft laws."
AGAIN = "Thank you, that helps. Who reads these reports?"


@pytest.fixture
def hurry() -> Iterator[Event]:
    """Until it is set, the answer comes word by word, for longer than anybody needs."""
    event = Event()
    yield event
    event.set()


@pytest.fixture
def page(product, open_page, hurry):
    """In the talk, with an answer under way."""
    page = open_page("desk", told=f"{LINE_DOWN}|^htmx:")
    start_talking(page, product.url, "Policy Analyst")
    reply(page, 1)
    product.scripted.on("response").text(ANSWER, chunk_delay_s=0.5, hurry=hurry).text(AGAIN)
    say(page, SAID)
    expect(page.locator(".message__flow")).to_contain_text("word5")
    return page


def _is_whole(page, answer=ANSWER):
    """One question, one answer, exactly once, also after loading the page anew."""
    assert words(reply(page, 2)) == answer
    page.reload()
    assert words(reply(page, 2)) == answer
    expect(page.locator(REPLIES)).to_have_count(2)
    expect(page.locator(".message--person")).to_have_count(1)


def _goes_on(page):
    """The next message is answered."""
    say(page, "I also brief journalists.")
    assert words(reply(page, 3)) == AGAIN
    expect(page.locator(".message--person")).to_have_count(2)


def _retried(page):
    """Cut off with what had come, offered again, answered fully."""
    cut = page.locator(f"{REPLIES}[data-state=interrupted]")
    expect(cut).to_contain_text("Interrupted by a problem on our side")
    kept = words(cut)
    assert kept.startswith("word0 word1 word2 word3")
    assert ANSWER.startswith(kept)
    page.get_by_role("button", name="Try again").click()
    _is_whole(page, AGAIN)


def test_a_killed_worker_leaves_an_answer_that_can_be_tried_again(product, page):
    product.kill("turns")
    product.start("turns")
    product.reap()
    _retried(page)
    show_list(page)
    statements = listed(page).locator(".task__statement").all_inner_texts()
    assert sorted(statements) == ["Review draft laws", "Write reports for the council"]


def test_the_page_finds_the_web_process_again_and_shows_the_whole_answer(product, page, hurry):
    product.kill("web")
    expect(page.get_by_text("Reconnecting.")).to_be_visible()
    product.start("web")
    hurry.set()
    _is_whole(page)
    _goes_on(page)


def test_a_web_process_that_ends_answers_what_runs_while_pages_go_to_the_next(product, page, hurry):
    person = Person(product).start()
    person.page()  # the token for forms
    with (
        ThreadPoolExecutor() as meanwhile,
        gate(product, "chat_session", f"NEW.id = '{person.session}'") as held,
    ):
        posted = meanwhile.submit(person.say, SAID)
        held.arrived()
        old = product.ask_to_end("web")
        page.locator("html[data-line=reconnecting]").wait_for(state="attached")
        assert product.readiness() == (0, {})  # nobody listens, so that the next one can
        assert not posted.done()
        held.open()
        run = posted.result(20)
    assert old.wait(10) == 0
    product.start("web")
    hurry.set()
    person.ended(run)
    _is_whole(page)
    _goes_on(page)


@pytest.mark.parametrize("keep", [True, False], ids=["with its data", "without its data"])
def test_redis_comes_back_and_the_page_catches_up(product, page, hurry, keep):
    product.stop_redis(keep=keep)
    product.start_redis()
    hurry.set()
    _is_whole(page)
    _goes_on(page)


def test_postgresql_comes_back_and_nothing_committed_is_lost(product, page, hurry):
    product.stop_postgres()
    product.start_postgres()
    hurry.set()
    # the worker came through when it had nothing to write meanwhile; else the run is left behind
    over = page.locator(f"{REPLIES}:not([data-state=streaming])").nth(1)
    over.wait_for(timeout=60_000)
    if over.get_attribute("data-state") == "interrupted":
        _retried(page)
    else:
        _is_whole(page)
    _goes_on(page)


def test_what_is_said_while_postgresql_is_away_is_kept_and_sent_later(product, page, hurry):
    hurry.set()
    assert words(reply(page, 2)) == ANSWER
    product.stop_postgres()
    say(page, "I also brief journalists.")
    expect(page.locator("#composer-note")).to_be_visible()
    expect(page.locator("#say")).to_have_value("I also brief journalists.")
    product.start_postgres()
    assert words(reply(page, 3)) == AGAIN
    expect(page.locator(".message--person")).to_have_count(2)
