"""What was measured of the builder without a model, by the pages that a person uses: nothing said
becomes the story unasked, nothing told is lost, and each answer says where it went.
"""

from __future__ import annotations

from typing import Any

import pytest

from chat.models import Session
from projects.portfolio.models import Entry

pytestmark = pytest.mark.django_db
BEST = "A reader of eighty wrote to us that the shelf gave her back her Tuesdays."


@pytest.fixture
def say(browser, alice, portfolio, drain) -> Any:
    """Says things in the conversation about an entry; gives its page as it reads then."""
    page = browser(alice)

    def send(text: str) -> str:
        session = Session.objects.filter(kind="portfolio_builder").first()
        if session is None:
            page.post(f"/portfolio/{portfolio.pk}/tell", {"text": text})
        else:
            page.post(f"/chat/sessions/{session.pk}/messages", {"text": text})
        drain()
        entry = Entry.objects.get()
        return str(page.get(f"/portfolio/{portfolio.pk}/entries/{entry.pk}").text)

    return send


def preview(page: str) -> str:
    """The entry as visitors will read it."""
    return page.split('id="entry-preview"')[1].split("</article>", maxsplit=1)[0]


def test_a_wish_is_not_the_story_and_is_offered_a_place(say):
    say("I built a reading app.")
    say("no more questions")
    page = say("shorten the intro")
    assert "shorten the intro" not in preview(page)
    assert "Nothing has changed yet" in page
    assert "Add to: Outcome" in page


@pytest.mark.thorough
def test_the_best_sentence_that_was_told_stands_on_the_page_word_for_word(say):
    say("I built a reading app.")
    page = say(f"Nobody found a free book. {BEST}")
    assert BEST in preview(page)
    assert "Added to “Starting point”, word for word." in page


def test_a_correction_is_kept_in_sight_and_can_be_taken_back(say):
    say("I built a reading app.")
    page = say("It was 2022, not 2023.")
    assert "It was 2022, not 2023." in preview(page)
    assert "Added to “Starting point”" in page
    page = say("Undo that.")
    assert "It was 2022, not 2023." not in preview(page)
    assert "Undone." in page
