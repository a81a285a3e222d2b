"""Long conversations: which stretch a page shows, the way to the others, and what it costs."""

from __future__ import annotations

import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from chat.fragments import snapshot
from chat.models import Message, Run
from chat.queries import WINDOW, Place, conversation
from tests.markup import flat
from tests.tasks.pages.conftest import make_survey


@pytest.fixture
def long_talk(alice, participant_of):
    """Makes a survey of alice's with so many messages, every answer by a run of its own."""

    def make(count):
        session = make_survey(participant_of(alice)).response.session
        made = Message.objects.bulk_create(
            Message(
                session=session, seq=seq, role=("user", "assistant")[seq % 2], text=f"Nr {seq}."
            )
            for seq in range(3, count + 1)
        )
        Run.objects.bulk_create(
            Run(session=session, reply=item, status="completed", trace=[{"name": "x"}])
            for item in made
            if item.role == "assistant"
        )
        return session

    return make


def seqs(shown):
    return [item.message.seq for item in shown.messages]


def orders(html):
    """Places of everything in a fragment, in order, links to more included."""
    return [float(item) for item in re.findall(r'data-order="([\d.]+)"', html)]


def test_the_end_is_shown_and_that_there_is_more_before_it(long_talk):
    shown = conversation(long_talk(120))
    assert seqs(shown) == list(range(71, 121))
    assert (shown.has_earlier, shown.has_later) == (True, False)


STRETCHES = (
    (Place(before=71), range(21, 71), True, True),
    (Place(before=21), range(1, 21), False, True),
    (Place(before=1), (), False, True),
    (Place(before=999_999), range(71, 121), True, False),
    (Place(after=20), range(21, 71), True, True),
    (Place(after=70), range(71, 121), True, False),
    (Place(after=0), range(1, 51), False, True),
    (Place(after=999_999), (), True, False),
    (Place(at=uuid.uuid4()), range(71, 121), True, False),
)
AROUND = ((60, range(36, 86)), (1, range(1, 27)), (120, range(96, 121)), (10, range(1, 36)))


def test_a_stretch_is_found_by_its_key_and_a_message_among_those_around_it(long_talk):
    session = long_talk(120)
    for place, expected, earlier, later in STRETCHES:
        shown = conversation(session, place=place)
        assert seqs(shown) == [*expected], place
        assert (shown.has_earlier, shown.has_later) == (earlier, later), place
    for wanted, expected in AROUND:
        shown = conversation(session, place=Place(at=session.messages.get(seq=wanted).pk))
        assert seqs(shown) == [*expected], wanted
        assert (shown.has_earlier, shown.has_later) == (1 not in expected, 120 not in expected)


def test_a_message_of_another_conversation_is_not_shown(long_talk, bob, participant_of):
    session = long_talk(60)
    others = make_survey(participant_of(bob)).response.session.messages.get(seq=1)
    assert seqs(conversation(session, place=Place(at=others.pk)))[-1] == 60


def test_going_back_step_by_step_meets_every_message_once(long_talk, alice, browser):
    session, client = long_talk(163), browser(alice)
    html = client.get(reverse("survey:chat", args=[session.pk])).content.decode()
    met: list[str] = []
    for _step in range(10):
        met = re.findall(r'<article [^>]*id="m-[^>]*data-order="(\d+)"', html) + met
        link = re.search(r'id="earlier".*?hx-get="([^"]+)"', flat(html))
        if link is None:
            break
        html = client.get(link[1], HTTP_HX_REQUEST="true").content.decode()
        assert "<html" not in html
        assert 'id="later"' not in html
        places = orders(html)
        assert places == sorted(places)
    assert [int(seq) for seq in met] == list(range(1, 164))


def test_without_scripts_links_lead_back_and_forth_and_what_was_shown_counts_as_seen(
    long_talk, alice, browser
):
    session, client = long_talk(120), browser(alice)
    page = reverse("survey:chat", args=[session.pk])

    def shown(query: str, *, seen: int) -> str:
        html: str = client.get(f"{page}{query}").content.decode()
        session.refresh_from_db()
        assert session.seen_seq == seen, query
        return html

    html = shown("?before=71", seen=70)
    assert f'href="{page}?before=21"' in html
    assert f'href="{page}?after=70"' in html
    assert "Newest messages" in html
    assert shown("?after=0", seen=70).count("<article") == WINDOW
    html = shown("", seen=120)
    assert f'href="{page}?before=71"' in html
    assert 'id="later"' not in html
    assert shown("?after=70", seen=120).count("<article") == WINDOW


def test_a_page_that_is_only_read_ahead_is_not_seen(long_talk, alice, browser):
    session, client = long_talk(10), browser(alice)
    page = reverse("survey:chat", args=[session.pk])
    client.get(page, HTTP_SEC_PURPOSE="prefetch;prerender")
    client.head(page)
    session.refresh_from_db()
    assert session.seen_seq == 0


def test_a_snapshot_brings_the_way_back_with_it(long_talk):
    html = snapshot(long_talk(120).pk, "chat").html
    assert orders(html)[0] == 70.5
    assert 'id="earlier"' in html


@pytest.mark.thorough
def test_two_thousand_messages_open_with_the_queries_of_fifty(long_talk, alice, browser):
    client, counts = browser(alice), []
    for count in (50, 2_000):
        session = long_talk(count)
        page = reverse("survey:chat", args=[session.pk])
        client.get(page)
        with CaptureQueriesContext(connection) as queries:
            html = client.get(page).content.decode()
        counts.append(len(queries))
        assert html.count("<article") == WINDOW
        assert not [q for q in queries.captured_queries if "state_before" in q["sql"]]
    assert counts[0] == counts[1] > 0
