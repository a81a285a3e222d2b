"""The story of an entry changed block by block, by the door that programs use."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from projects.portfolio.models import Entry

pytestmark = pytest.mark.django_db

STORY = [
    {"type": "heading", "text": "How it was done", "level": 2},
    {"type": "text", "text": "We began with ten interviews. Then I drew it on paper."},
    {"type": "text", "text": "Same words."},
    {"type": "text", "text": "Same words."},
]


@pytest.fixture
def entry(make, portfolio) -> Entry:
    return make(
        "portfolio_entry", portfolio=portfolio.pk, doc_id="app", slug="app", title="App",
        blocks=STORY,
    )  # fmt: skip


@pytest.fixture
def change(alice, entry):
    """Edits as alice's program sends them; the answer."""
    client = Client()
    client.force_login(alice)

    def send(*edits: dict[str, Any]) -> Any:
        arguments = {"id": str(entry.pk), "edits": edits}
        body = json.dumps({"name": "change_blocks", "arguments": arguments})
        answer = client.post("/api/commands", body, content_type="application/json")
        entry.refresh_from_db()
        return answer

    return send


def texts(entry: Entry) -> list[str]:
    return [block.get("text", "") for block in entry.blocks]


def ids(entry: Entry) -> list[str]:
    return [block["id"] for block in entry.blocks]


def test_every_block_gets_an_id_that_stays_its_own(change, entry):
    text = {"type": "text", "text": "It opened in May."}
    assert change({"do": "insert", "blocks": [text], "after": "end"}).status_code == 200
    first = ids(entry)
    assert len(set(first)) == 5
    changed = {"type": "text", "text": "It opened in June."}
    change(
        {"do": "set", "id": first[4], "block": changed},
        {"do": "move", "id": first[4], "after": "top"},
    )
    assert ids(entry) == [first[4], *first[:4]]
    assert texts(entry)[0] == "It opened in June."


def test_a_text_is_split_words_are_replaced_blocks_go(change, entry):
    change({"do": "move", "id": "x", "after": "top"})
    change({"do": "insert", "blocks": [STORY[0]], "after": "end"})
    text = ids(entry)[1]
    change({"do": "split", "id": text, "at": "Then I drew"})
    assert texts(entry)[1:3] == ["We began with ten interviews.", "Then I drew it on paper."]
    assert ids(entry)[1] == text
    change({"do": "replace", "id": text, "old": "ten", "new": "twelve"})
    assert texts(entry)[1] == "We began with twelve interviews."
    change({"do": "delete", "ids": ids(entry)[3:]})
    assert len(entry.blocks) == 3


@pytest.mark.parametrize(
    "edit",
    [
        {"do": "set", "id": "nothere", "block": {"type": "text", "text": "A"}},
        {"do": "delete", "ids": ["nothere"]},
        {"do": "move", "id": "nothere", "after": "top"},
        {"do": "insert", "blocks": [{"type": "text", "text": "A"}], "after": "nothere"},
    ],
)
def test_what_is_not_there_is_refused_and_changes_nothing(change, entry, edit):
    answer = change({"do": "insert", "blocks": [STORY[0]], "after": "top"}, edit)
    assert answer.status_code == 409
    assert entry.blocks == STORY


@pytest.mark.parametrize(
    ("block", "field"),
    [
        ({"type": "gallery"}, "gallery.images"),
        ({"type": "text", "text": "A", "sources": []}, "text.sources"),
    ],
)
def test_a_block_without_content_or_with_a_claim_is_refused_at_its_place(
    change, entry, block, field
):
    answer = change({"do": "insert", "blocks": [block], "after": "end"})
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == f"edits.0.insert.blocks.0.{field}"
    assert entry.blocks == STORY
