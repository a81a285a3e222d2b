"""Copies to keep: what stands in them, what they are called, and that they come in pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import AsyncClient
from django.urls import reverse
from django.utils import timezone
from markdown_it import MarkdownIt

from chat import export
from chat.models import Message, Session
from tests.tasks.pages.conftest import make_survey


@pytest.fixture
def survey(alice, participant_of):
    """A survey of alice's with noted words and suggestions in its talk."""
    session = make_survey(participant_of(alice)).response.session
    said = session.messages.get(seq=2)
    said.parts = [{"type": "noted", "spans": [[2, 12]], "count": 1}]
    said.save()
    card = {"id": "c-1", "statement": "Plan the week"}
    Message.objects.create(
        session=session, seq=3, role="assistant", text="Is **this** yours?",
        parts=[{"type": "suggestions", "cards": [card]}],
    )  # fmt: skip
    return session


def whole(session, ending):
    return "".join(export.pieces_of(session, ending))


def test_json_holds_every_message_with_its_records_in_words(survey):
    told = json.loads(whole(survey, "json"))
    assert (told["format"], told["version"]) == ("futura.conversation", 1)
    assert (told["id"], told["kindName"], told["title"]) == (
        str(survey.pk), "Work survey", "Data analyst",
    )  # fmt: skip
    texts = [(message["role"], message["text"]) for message in told["messages"]]
    assert texts == [
        ("assistant", "What do you do?"),
        ("user", "I clean data and write reports."),
        ("assistant", "Is **this** yours?"),
    ]
    parts = [part for message in told["messages"] for part in message["parts"]]
    assert [part["words"] for part in parts] == [
        "Noted:\n- clean data",
        "Suggested:\n- Plan the week",
    ]
    assert parts[0]["data"]["spans"] == [[2, 12]]


def test_json_of_an_empty_conversation_is_json(alice, participant_of):
    session = Session.objects.create(participant=participant_of(alice), kind="echo")
    assert json.loads(whole(session, "json"))["messages"] == []


def test_markdown_reads_like_the_talk(survey):
    text = whole(survey, "md")
    assert text.startswith("# Data analyst\n\nWork survey, started ")
    you = text.index("**You** ·")
    assert text.index("**Futura** ·") < you < text.index("I clean data and write reports.")
    assert "> Noted:\n> - clean data" in text.replace("  \n", "\n")
    assert "Is **this** yours?" in text


def test_what_a_person_typed_is_shown_as_typed(alice, participant_of):
    typed = "# no heading\n* no *list* <script>\n1. no [link](x) a_b_c `d`\n> no quote"
    session = Session.objects.create(participant=participant_of(alice), kind="echo", title="a *b*")
    Message.objects.create(session=session, seq=1, role="user", text=typed, status="stopped")
    html = MarkdownIt("commonmark").render(whole(session, "md"))
    assert "<h1>a *b*</h1>" in html
    for tag in ("<ul", "<ol", "<blockquote", "<a ", "<code", "<script"):
        assert tag not in html, tag
    assert "# no heading<br />\n* no *list* &lt;script&gt;<br />\n1. no [link](x) a_b_c `d`" in html
    assert "<em>Stopped</em>" in html


def test_replaced_messages_are_left_out(survey):
    survey.messages.filter(seq=3).update(superseded_at=timezone.now())
    assert "Is **this** yours?" not in whole(survey, "md")


def test_long_conversations_are_read_in_batches(alice, participant_of, django_assert_num_queries):
    session = Session.objects.create(participant=participant_of(alice), kind="echo", title="Long")
    Message.objects.bulk_create(
        Message(session=session, seq=seq, role="user", text=f"Nr {seq}") for seq in range(1, 451)
    )
    with django_assert_num_queries(3):
        pieces = list(export.pieces_of(session, "json"))
    assert max(map(len, pieces)) < 1_000
    assert [message["text"] for message in json.loads("".join(pieces))["messages"]] == [
        f"Nr {seq}" for seq in range(1, 451)
    ]


@pytest.mark.parametrize(
    ("title", "begins"),
    [
        ("Nurse", "nurse-"), ("../../etc/passwd", "etcpasswd-"), ("", "conversation-"),
        ("Bäcker & Söhne", "bäcker-söhne-"), ("看護師", "看護師-"), ('a"\r\nX: 1', "a-x-1-"),
        ("x" * 200, "x" * 60 + "-"), ("…", "conversation-"), ("   ", "conversation-"),
    ],
)  # fmt: skip
def test_file_names_fit_any_file_system(alice, participant_of, title, begins):
    session = Session(participant=participant_of(alice), kind="echo", title=title)
    name = export.file_name(session, "md")
    assert name == f"{begins}{session.created_at:%Y-%m-%d}.md"
    assert not set(name) & set('/\\:*?"<>|\r\n\0')


async def test_a_copy_comes_as_a_download_to_its_owner_only(transactional_db, survey, alice, bob):
    url = reverse("chat:export_md", args=[survey.pk])
    client = AsyncClient()
    await client.aforce_login(alice)
    answer = await client.get(url)
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer["Content-Disposition"].startswith('attachment; filename="data-analyst-')
    stream: Any = answer
    body = b"".join([piece async for piece in stream.streaming_content])
    assert b"I clean data and write reports." in body
    await client.aforce_login(bob)
    assert (await client.get(url)).status_code == 404
