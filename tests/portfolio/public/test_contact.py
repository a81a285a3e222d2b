"""The contact form of a public page, and the owner's inbox behind it."""

from __future__ import annotations

import pytest

from projects.portfolio.models import OpenQuestion
from tests.portfolio.open import fill, publish

pytestmark = pytest.mark.django_db
MESSAGE = {"sender": "Nia", "reply_to": "nia@example.org", "text": "May I see the kiln? — Grüße"}


@pytest.fixture
def opened(actor, portfolio):
    fill(portfolio)
    return publish(actor, portfolio)


def test_a_message_reaches_the_owners_inbox_and_no_visitor(client, browser, alice, opened):
    url = f"/p/{opened.slug}/contact"
    assert url in client.get(f"/p/{opened.slug}").content.decode()
    sent = client.post(url, MESSAGE)
    assert (sent.status_code, sent["Location"]) == (302, f"{url}?sent=yes")
    assert "was sent" in client.get(sent["Location"]).content.decode()
    (row,) = OpenQuestion.objects.filter(portfolio=opened).exclude(reply_to="")
    assert (row.question, row.sender, row.owner_id) == (
        MESSAGE["text"], "Nia", opened.owner_id,
    )  # fmt: skip
    owner = browser(alice)
    inbox = f"/portfolio/{opened.pk}/desk/unanswered"
    page = owner.get(inbox).content.decode()
    assert "mailto:nia@example.org" in page
    assert "message from Nia" in page
    assert "&lt;nia@example.org&gt;" in page, "readable without a mail program"
    answer = {"do": "approve", "answer": "Come by."}
    assert owner.post(f"{inbox}/{row.pk}", answer).status_code == 422
    for path in ("", "/work", "/contact"):
        assert "nia@example.org" not in client.get(f"/p/{opened.slug}{path}").content.decode()
    owner.post(f"{inbox}/{row.pk}", {"do": "dismiss"})
    assert OpenQuestion.objects.get(pk=row.pk).status == "dismissed"


def test_what_cannot_be_sent_comes_back(client, opened):
    for wrong in ({"text": ""}, {"reply_to": "nia"}, {"text": "x" * 2_001}):
        page = client.post(f"/p/{opened.slug}/contact", MESSAGE | wrong)
        assert page.status_code == 422, wrong
        assert not OpenQuestion.objects.filter(portfolio=opened).exclude(reply_to="").exists()


def test_machines_and_closed_pages_write_to_nobody(client, opened, portfolio, make):
    client.post(f"/p/{opened.slug}/contact", MESSAGE | {"website": "https://spam.example"})
    assert not OpenQuestion.objects.filter(portfolio=opened).exclude(reply_to="").exists()
    closed = make("portfolio", slug="closed", owner_name="Zoe", domain_label="potter")
    assert client.get(f"/p/{closed.slug}/contact").status_code == 404


def test_who_writes_without_end_is_asked_to_wait(client, opened):
    answers = [client.post(f"/p/{opened.slug}/contact", MESSAGE) for _ in range(6)]
    assert answers[-1].status_code == 429


def test_a_message_keeps_its_lines_in_the_inbox(client, browser, alice, opened):
    client.post(f"/p/{opened.slug}/contact", MESSAGE | {"text": "Dear Mara,\n\nmay I come?"})
    inbox = browser(alice).get(f"/portfolio/{opened.pk}/desk/unanswered").content.decode()
    assert "Dear Mara,<br><br>may I come?" in inbox.replace("&nbsp;", " ")
