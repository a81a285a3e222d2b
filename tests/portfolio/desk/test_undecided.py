"""Contact data that come after a portfolio was opened: shown when its owner has decided."""

from __future__ import annotations

import re

import pytest

from chat.operations.changes import Update
from chat.operations.execute import execute
from projects.portfolio.index import refresh
from projects.portfolio.models import Clearance, Document, Entry, Experience, Profile, StoredImage
from projects.portfolio.visitors.guide import speaker_of
from tests.portfolio import actions
from tests.portfolio.entries.conftest import STORY

pytestmark = pytest.mark.django_db
MAIL, PHONE = "depot@example.org", "+46 70 123 45 67"


def told_to_visitors(portfolio) -> str:
    """Every word that a question could be answered with."""
    refresh.note(portfolio.pk)
    refresh.refresh(portfolio.pk)
    rows = Document.objects.filter(build__portfolio=portfolio, build__is_active=True)
    return "\n".join(f"{row.title} {row.text} {row.keywords}" for row in rows)


def keys_in(html: str) -> list[str]:
    return re.findall(r'name="leave" value="(\w+)"', html)


@pytest.fixture
def changed(actor):
    """Changes a row through the ledger; gives the reason where that is refused."""

    def change(entity, row, **values) -> str:
        batch = execute(actor=actor, changes=[Update(entity, row.pk, values)])
        return " ".join(operation.error for operation in batch.operations.all())

    return change


def test_what_is_written_into_an_open_portfolio_is_left_out_until_it_was_decided(
    opened, changed, desk, browser
):
    visitor = browser()
    depot = Entry.objects.get(slug="depot")
    block = {"type": "text", "text": f"Ask **{MAIL}** or call {PHONE}."}
    assert not changed("portfolio_entry", depot, description=f"Ask {MAIL}.", blocks=[block])
    assert not changed("portfolio_experience", Experience.objects.get(), bullets=[f"Call {PHONE}"])
    links = [{"platform": "Chat", "label": "Chat", "url": f"https://chat.example/{MAIL}"}]
    assert not changed("portfolio_profile", Profile.objects.get(), headline=MAIL,
                       social_links=links)  # fmt: skip

    for path in ("", "/work", "/depot", "/widget"):
        html = visitor.get(f"/p/mara{path}").text
        assert MAIL not in html, path
        assert PHONE not in html, path
    assert "Ask […]" in visitor.get("/p/mara/depot").text
    assert MAIL not in (corpus := told_to_visitors(opened))
    assert PHONE not in corpus
    assert speaker_of(opened).headline == "[…]"
    assert MAIL in Entry.objects.get(slug="depot").description

    for page in ("", "/records/experience"):
        assert (
            "Visitors do not see it until you decide"
            in desk.get(f"/portfolio/{opened.pk}{page}").text
        )
    where = f"/portfolio/{opened.pk}/desk/page"
    found = keys_in(desk.get(where).text)
    assert len(found) == 6  # in each field that it stands in
    desk.post(where, {"do": "decide", "leave": [found[0], "0" * 16]})
    assert Clearance.objects.count() == 1
    assert len(keys_in(desk.get(where).text)) == 5
    desk.post(where, {"do": "decide", "leave": found})
    assert keys_in(desk.get(where).text) == []
    assert MAIL in visitor.get("/p/mara/depot").text
    assert PHONE in told_to_visitors(opened)

    # with other words it is another decision
    changed("portfolio_experience", Experience.objects.get(), bullets=["Call +46 70 999 99 99"])
    assert "999" not in visitor.get("/p/mara/work").text


def test_an_entry_in_an_open_portfolio_is_published_without_contact_data_until_decided(
    opened, actor, desk, browser
):
    entry = actions.create(actor, opened, title="The old kiln").row
    stored = StoredImage.objects.create(
        portfolio=opened, sha256="0", file="portfolio/none.jpg", media_type="image/jpeg",
        width=800, height=600,
    )  # fmt: skip
    actions.attach_image(actor, entry, stored, alt=f"Sign with {PHONE}")
    told = {"summary": f"A kiln. {MAIL}", "blocks": STORY}
    entry = actions.update(actor, entry, told).row
    where = f"/portfolio/{opened.pk}/entries/{entry.pk}/publish"
    version = re.search(r'name="version" value="(\w+)"', desk.get(where).text)[1]
    assert desk.post(where, {"version": version}).status_code == 302
    seen = browser().get("/p/mara/the-old-kiln").text
    assert "A kiln. […]" in seen
    assert "Sign with […]" in seen
    assert MAIL not in (corpus := told_to_visitors(opened))
    assert PHONE not in corpus

    page = desk.get(where).text
    assert "Visitors do not see it until you decide" in page
    decision = f"/portfolio/{opened.pk}/desk/page"
    assert f'href="{decision}#contacts-title"' in page
    keys = keys_in(desk.get(decision).text)
    assert len(keys) == 2
    desk.post(decision, {"do": "decide", "leave": keys})
    assert MAIL in browser().get("/p/mara/the-old-kiln").text


def test_an_open_portfolio_is_not_named_by_an_address(opened, changed):
    assert "contact data public" in changed("portfolio", opened, owner_name=f"Mara {MAIL}")
    assert not changed("portfolio", opened, owner_name="Mara L.")


def test_contact_data_in_an_approved_answer_is_left_out_until_decided(opened, make, desk):
    question = make("portfolio_question", portfolio=opened.pk, question="How do I reach you?")
    where = f"/portfolio/{opened.pk}/desk/unanswered"
    sent = {"do": "approve", "answer": f"By {MAIL}."}
    assert desk.post(f"{where}/{question.pk}", sent).status_code == 302
    assert "By […]." in told_to_visitors(opened)
    assert "Visitors do not see it until you decide" in desk.get(where).text
    decision = f"/portfolio/{opened.pk}/desk/page"
    desk.post(decision, {"do": "decide", "leave": keys_in(desk.get(decision).text)})
    assert f"By {MAIL}." in told_to_visitors(opened)
