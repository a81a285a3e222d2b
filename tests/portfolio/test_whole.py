"""From a pasted resume and two projects that were told to a stranger who checks each claim."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from chat.models import Message, Session
from projects.portfolio.documents import documents_of
from projects.portfolio.index.building import index_for, rows_of
from projects.portfolio.models import Entry, Portfolio, Source
from projects.portfolio.visitors.contract import PART
from tests.portfolio.entries.conftest import jpeg
from tests.portfolio.sources import PROFILE, RESUME

pytestmark = pytest.mark.django_db

LIBRARY = (
    "I built a reading app for the city library in Oslo in 2023. "
    "Nobody could find out which books were free."
)
KILN = (
    "I made a scheduler for pottery kilns in 2021, for 40 studios in Sweden. "
    "Potters got up at night to look after the fire."
)
ANSWERS = {
    "role": "I did the whole back end, two colleagues drew the screens.",
    "process": "We began with ten interviews and a week in the field. Then I drew a prototype on "
    "paper and tested it with five people before anything was programmed.",
    "problem": "Nobody could tell what was free without walking there and looking for it.",
    "outcome": "Calls for help dropped from 80 to 20 a day.",
    "title": "A page for everybody",
    "summary": "A page that says what is free.",
}


@pytest.fixture(autouse=True)
def _files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def told_in_conversation(owner: Any, drain: Any, home: str, first: str) -> Entry:
    """Begins an entry by telling of it and answers each question until none is left."""
    where = owner.post(f"{home}/tell", {"text": first}).headers["Location"]
    entry = Entry.objects.get(pk=re.search(r"entries/([0-9a-f-]{36})", where)[1])
    session = Session.objects.get(kind="portfolio_builder", state__entry_id=str(entry.pk))
    for _turn in range(12):
        drain()
        session.refresh_from_db()
        topic = session.state["open"]
        if not topic:
            break
        owner.post(f"/chat/sessions/{session.pk}/messages", {"text": ANSWERS.get(topic, "skip")})
    made_with = {"id": str(entry.pk), "languages": ["Go"], "tech_stack": ["PostgreSQL", "htmx"]}
    body = {"name": "change_entry", "arguments": made_with}
    assert owner.post("/api/commands", body, content_type="application/json").status_code == 200
    picture = {"files": jpegs(first)}
    assert owner.post(f"{where}/pictures", picture).status_code == 302
    image = entry.images.get(deleted_at=None)
    owner.post(f"{where}/pictures", {f"alt-{image.pk}": "A screen", f"caption-{image.pk}": "",
                                     f"version-{image.pk}": image.version})  # fmt: skip
    shown = owner.get(f"{where}/publish").text
    version = re.search(r'name="version" value="(\w+)"', shown)
    assert version, re.findall(r"<li[^>]*>.*?</li>", shown)
    assert owner.post(f"{where}/publish", {"version": version[1]}).status_code == 302
    return Entry.objects.get(pk=entry.pk)


def jpegs(name: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("a.jpg", jpeg(80, 60, "teal" if "kiln" in name else "red"))


@pytest.mark.thorough
def test_two_projects_are_told_published_asked_about_and_checked(alice, browser, portfolio, drain):
    owner, home = browser(alice), f"/portfolio/{portfolio.pk}"
    owner.post(f"{home}/sources/give/resume", {"text": RESUME})
    owner.post(f"{home}/sources/give/profile", {"text": PROFILE})
    drain()
    for source in Source.objects.filter(outcome="check"):
        checked_page = f"{home}/sources/{source.pk}/check"
        assert owner.post(checked_page, {"do": "confirm"}).status_code == 302
    drain()
    library = told_in_conversation(owner, drain, home, LIBRARY)
    kiln = told_in_conversation(owner, drain, home, KILN)
    assert (library.status, kiln.status) == ("published", "published")
    assert "Go" in kiln.languages
    drain()
    review = owner.get(f"{home}/desk/page").text
    form = {
        "do": "publish",
        "digest": re.search(r'name="digest" value="(\w+)"', review)[1],
        "leave": re.findall(r'name="leave" value="(\w+)"', review),
    }
    assert owner.post(f"{home}/desk/page", form).status_code == 302
    drain()

    visitor = browser()
    assert visitor.get("/p/mara").status_code == 200
    answers = []
    for question in (
        "Have you used Go professionally?",
        "Which projects have you used Go on?",
        "Tell me about your time at BigCo.",
        "How does this work?",
    ):
        assert visitor.post("/p/mara/ask", {"text": question}).status_code == 303
        drain()
        session = Session.objects.get(kind="portfolio_visit")
        answers.append(session.messages.filter(role=Message.Role.ASSISTANT).latest("seq"))
    first, listed, story, meta = answers
    assert "Skills: Go" in first.text
    assert {kiln.doc_id, library.doc_id} <= {card["id"] for card in parts(listed)["cards"]}
    assert "BigCo" in story.text
    assert parts(meta)["evidence"] == []
    page = visitor.get("/p/mara").text
    claims = 0
    for message in answers:
        claims += checked(message, page, portfolio)
    assert claims >= 4


def parts(message: Message) -> dict[str, Any]:
    return next(dict(part) for part in message.parts if part.get("type") == PART)


def checked(message: Message, page: str, portfolio: Portfolio) -> int:
    """Every claim leads to a source on the page whose quote stands in the document; how many."""
    index = index_for(portfolio)
    assert index is not None
    rows, links = rows_of(portfolio)
    documents = {(item.corpus, item.doc_id): item for item in documents_of(rows, links)}
    record = parts(message)
    sources = {"project": "projects", "resume": "resume", "profile": "profile"}
    for one in record["evidence"]:
        if one["source"] == "fact":  # computed, and said to be so
            continue
        document = documents[sources[one["source"]], one["id"]]
        assert " ".join(one["quote"].split()) in " ".join(
            f"{document.title}\n{document.text}".split()
        )
        assert f'id="source-{message.pk}-{one["number"]}"' in page
    for claim in record["claims"]:
        assert message.text[claim["start"] : claim["end"]] == claim["text"]
        assert claim["evidence"]
        assert f'href="#source-{message.pk}-{claim["evidence"][0]}"' in page
    return len(record["claims"])
