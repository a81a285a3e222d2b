"""Looking for what was said: which words are found, where, and what is shown of it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, strategies as st

from chat import library
from chat.models import Message, Session
from chat.searching import Search, marked, passage

HOLDS = "I check the blood pressure of every patient, and write reports to anna.lee@ward-3.example."


@pytest.fixture
def talk(participant_of):
    """Makes a conversation with one message of a person's."""

    def make(user, text, *, title="", **more):
        session = Session.objects.create(
            participant=participant_of(user), kind="echo", title=title, state={"heard": []}
        )
        Message.objects.create(session=session, seq=1, role="user", text=text, **more)
        return session

    return make


def found(identity, typed, tab="active"):
    return library.page_of(identity, tab, search=Search.of(typed)).rows


@pytest.mark.parametrize(
    "typed",
    ["blood", "BLOOD pressure", "press", "report", "reporting", "anna.lee@ward-3.example", "lee",
     "ward-3", "patients", "  patient!! ", "nurse blood", "nurs"],
)  # fmt: skip
def test_words_are_found_by_beginning_stem_and_piece(talk, alice, identity_for, typed):
    session = talk(alice, HOLDS, title="Nurse")
    # all words in one message, or all in the title
    expected = [] if typed == "nurse blood" else [session]
    assert [row.session for row in found(identity_for(alice), typed)] == expected


@pytest.mark.parametrize("typed", ["田中", "田中 会議", "会議", "田中 monday", "ｔａｎａｋａ"])
def test_words_are_found_where_no_blanks_part_them(talk, alice, identity_for, typed):
    session = talk(alice, "明日の会議は田中さんとです。 It is on Monday.")
    rows = found(identity_for(alice), typed)
    assert [row.session for row in rows] == ([] if typed == "ｔａｎａｋａ" else [session])
    for row in rows:
        pieces = [piece.text for piece in row.hit.pieces if piece.is_found]
        assert {word.lower() for word in pieces} == set(typed.split())
    assert "".join(piece.text for piece in marked("田中さん", Search.of("田中 中さ"))) == "田中さん"


@pytest.mark.parametrize(
    "typed", ["bread", "ood", "blood bread", "%", "_", "'", "!!", "& | !", "\\"]
)
def test_what_was_not_said_is_not_found(talk, alice, identity_for, typed):
    talk(alice, HOLDS)
    assert found(identity_for(alice), typed) == []


def test_nobody_finds_what_others_said(talk, alice, bob, identity_for):
    talk(alice, HOLDS, title="Nurse")
    talk(bob, "Bread")
    assert found(identity_for(bob), "blood") == []
    assert found(identity_for(bob), "nurse") == []


def test_replaced_and_growing_messages_are_not_found(talk, alice, identity_for):
    from_before = talk(alice, "I said blood")
    Message.objects.filter(session=from_before).update(superseded_at=from_before.created_at)
    talk(alice, "I am saying blood", status=Message.Status.STREAMING)
    assert found(identity_for(alice), "blood") == []


def test_a_hit_names_its_message_and_counts_the_others(talk, alice, identity_for):
    session = talk(alice, "Blood first.")
    last = Message.objects.create(
        session=session, seq=2, role="assistant", text="What of **blood** then?"
    )
    (row,) = found(identity_for(alice), "blood")
    assert row.hit is not None
    assert (row.hit.message_id, row.hit.count, row.hit.is_own_words) == (last.pk, 2, False)
    assert [(p.text, p.is_found) for p in row.hit.pieces] == [
        ("What of ", False), ("blood", True), (" then?", False)
    ]  # fmt: skip


def test_what_is_shown_is_text_and_never_markup(talk, alice, browser):
    talk(alice, "<script>alert(1)</script> & blood", title="<i>blood</i>")
    page = browser(alice).get("/conversations", {"q": "blood"}).content.decode()
    assert "<script>alert" not in page
    assert '&lt;script&gt;alert(1)&lt;/script&gt; &amp; <b class="found">blood</b>' in page
    assert '&lt;i&gt;<b class="found">blood</b>&lt;/i&gt;' in page


def test_a_search_that_finds_nothing_says_so_and_shows_the_way_back(talk, alice, browser):
    talk(alice, HOLDS)
    answer = browser(alice).get("/conversations", {"q": "bread"}, HTTP_HX_REQUEST="true")
    page = answer.content.decode()
    assert "No results for “bread”." in page
    assert "<html" not in page
    assert "HX-Request" in answer["Vary"]


@pytest.mark.thorough
def test_the_search_reads_its_index(talk, alice, identity_for):
    session = talk(alice, "Nothing")
    Message.objects.bulk_create(
        Message(session=session, seq=seq, role="user", text=f"word{seq} " * 20)
        for seq in range(2, 3_000)
    )
    with connection.cursor() as cursor:
        # New entries wait in a list beside the index; how long it is decides what reading it costs.
        cursor.execute("SELECT gin_clean_pending_list('chat_message_words')")
        cursor.execute("ANALYZE chat_message")
    with CaptureQueriesContext(connection) as queries:
        assert len(found(identity_for(alice), "word2999")) == 1
    (passages,) = [q["sql"] for q in queries.captured_queries if "DISTINCT ON" in q["sql"]]
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + passages.replace("%", "%%"))
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "chat_message_words" in plan


@pytest.mark.parametrize(
    "text",
    ["".join(chr(0x4E00 + n % 20_000) + " " for n in range(300_000)), "x" * 2_000_000,
     " ".join(f"w{n}" for n in range(300_000))],
    ids=["many words of one letter", "one long word", "many words"],
)  # fmt: skip
def test_no_answer_is_too_long_to_be_kept(talk, alice, identity_for, text):
    session = talk(alice, text)
    assert Message.objects.get(session=session).text == text


@given(text=st.text(max_size=600), typed=st.text(max_size=30))
def test_a_passage_is_a_stretch_of_the_text(text, typed):
    text = " ".join(text.split())
    search = Search.of(typed)
    shown = "".join(piece.text for piece in passage(text, search))
    assert shown.removeprefix("… ").removesuffix(" …") in text
    assert "".join(piece.text for piece in marked(text, search)) == text
