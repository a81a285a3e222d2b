"""The staff's pages of model calls: sums, filters, one run, the file."""

from __future__ import annotations

import re
import uuid
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from futura.llm.models import ModelCall
from futura.llm.staff import queries
from futura.llm.staff.periods import Period, period_of, period_of_day
from futura.llm.staff.queries import Grouping
from tests.markup import flat
from tests.telemetry.conftest import called, failed

pytestmark = pytest.mark.django_db

PAGE = "/staff/models"
NAMES = ("priced", "unpriced")


@contextmanager
def reading(times):
    """Fails unless the ledger is read by exactly so many statements inside."""
    with CaptureQueriesContext(connection) as seen:
        yield
    assert sum("llm_modelcall" in item["sql"] for item in seen) == times


def found_in(pattern, text):
    """The first group of a pattern that must be there, as an address."""
    found = re.search(pattern, text, re.DOTALL)
    assert found, pattern
    return found[1].replace("&amp;", "&")


def summed(by: str = "stage", **options):
    return queries.summary(ModelCall.objects.all(), by, **options)


def test_sums_percentiles_and_outcomes():
    for latency in (100, 200, 300, 400):
        called(latency_ms=latency, ttft_ms=latency // 2)
    failed("rate_limited", latency_ms=50)
    called(stage="extraction", input_tokens=10, reasoning_tokens=7)
    found = summed()
    response, extraction = found["lines"]
    assert (response["key"], response["calls"], response["answered"]) == ("response", 5, 4)
    assert response["share"] == pytest.approx(0.8)
    assert [(item.value, n) for item, n in response["failures"]] == [("rate_limited", 1)]
    assert (response["read"], response["cached"]) == (4000, 800)
    assert response["latency"] == [200.0, 380.0]
    assert response["first_text"] == [125.0, 192.5]
    assert (extraction["read"], extraction["reasoned"]) == (10, 7)
    assert (found["total"]["calls"], found["most_calls"]) == (6, 5)
    assert found["total"]["latency"] == [250.0, 850.0]


def test_an_unknown_price_is_never_shown_as_nothing(desk):
    called(stage="priced", cost_usd=Decimal("0.25"))
    called(stage="priced", cost_usd=None)
    called(stage="unpriced", cost_usd=None)
    priced, unpriced = summed(by="stage")["lines"]
    assert (priced["cost"], priced["unpriced"]) == (Decimal("0.25"), 1)
    assert (unpriced["cost"], unpriced["unpriced"]) == (None, 1)
    rows = re.findall(r"<tr>.*?</tr>", desk.get(PAGE).text, re.DOTALL)
    shown = {
        name: next(row for row in rows if f">{name}<" in row) for name in ("priced", "unpriced")
    }
    assert "$0.2500" in shown["priced"]
    assert "+ 1 unknown" in shown["priced"]
    assert ">unknown<" in shown["unpriced"]
    assert "$0.00" not in shown["unpriced"]


def test_a_stage_that_never_answered_shows_dashes_and_no_zeros(desk):
    failed("unreachable", stage="down")
    text = desk.get(PAGE).text
    row = next(row for row in re.findall(r"<tr>.*?</tr>", text, re.DOTALL) if ">down<" in row)
    assert row.count("–") == 6
    assert "<b>1</b>no connection<" in flat(row)
    assert ">0 %<" in row
    assert desk.get(f"{PAGE}/calls").status_code == 200


@pytest.mark.parametrize("by", Grouping.values)
def test_the_lines_add_up_to_the_total_however_they_are_grouped(by):
    for number in range(12):
        called(
            stage=f"stage-{number % 3}",
            model_asked=f"model-{number % 4}",
            session_id=None if number % 5 == 0 else uuid.UUID(int=number % 2 + 1),
            ago=timedelta(days=number % 3),
        )
    found = summed(by)
    assert sum(line["calls"] for line in found["lines"]) == found["total"]["calls"] == 12
    assert sum(line["cost"] for line in found["lines"]) == found["total"]["cost"]
    assert len(found["lines"]) == 3 + (by == Grouping.MODEL)


def test_the_dearest_come_first_and_those_of_unknown_price_last():
    called(stage="a", cost_usd=Decimal(1))
    called(stage="b", cost_usd=Decimal(9))
    failed("unreachable", stage="c")
    assert [line["key"] for line in summed("stage")["lines"]] == ["b", "a", "c"]


def test_groups_are_paged_and_the_total_stays_of_all():
    for number in range(7):
        called(session_id=uuid.UUID(int=number + 1))
    first, second = (summed("session", page=page, limit=5) for page in (1, 2))
    assert [len(first["lines"]), len(second["lines"])] == [5, 2]
    assert {line["key"] for line in (*first["lines"], *second["lines"])} == {
        uuid.UUID(int=number + 1) for number in range(7)
    }
    assert [first["has_more"], second["has_more"]] == [True, False]
    assert second["total"]["calls"] == 7


def test_periods_begin_and_end_with_their_days():
    today = timezone.localdate()
    assert timezone.localdate(period_of("today").since) == today
    assert timezone.localdate(period_of("7").since) == today - timedelta(days=6)
    assert period_of("all") == Period()
    day = period_of_day(today)
    assert day.since
    assert day.until
    assert day.until - day.since == timedelta(days=1)


def test_what_lies_outside_of_the_period_is_not_counted(desk):
    called(stage="recent", ago=timedelta(days=3))
    called(stage="older", ago=timedelta(days=20))
    called(stage="oldest", ago=timedelta(days=400))

    def shown(query: str) -> set[str]:
        text = desk.get(PAGE + query).text
        return {name for name in ("recent", "older", "oldest") if f">{name}</a>" in text}

    assert shown("") == {"recent"}
    assert shown("?span=30") == {"recent", "older"}
    assert shown("?span=all") == {"recent", "older", "oldest"}
    day = timezone.localdate() - timedelta(days=20)
    assert shown(f"?day={day}") == {"older"}


def test_filters_survive_in_every_address_of_the_page(desk):
    called(model_asked="gpt-4o", outcome="cut")
    text = desk.get(f"{PAGE}?span=30&model=gpt-4o&outcome=bad&by=day").text
    spans = found_in(r'<nav class="spans" aria-label="Period(.*?)</nav>', text)
    for href in re.findall(r'href="\?([^"]*)"', spans):
        assert {"model=gpt-4o", "outcome=bad"} <= set(href.split("&"))
    line = found_in(r'<th scope="row">\s*<a href="([^"]*)"', text)
    assert "model=gpt-4o" in line
    assert line.startswith(f"{PAGE}/calls?")
    assert "gpt-4o" in desk.get(line).text
    assert '<option value="bad" selected' in text


def test_a_group_opens_its_calls_and_a_call_its_run(desk):
    run, session = uuid.uuid4(), uuid.uuid4()
    failed("server_error", run_id=run, session_id=session, latency_ms=300, ago=timedelta(seconds=9))
    called(
        run_id=run, session_id=session, attempt=2, latency_ms=700, ago=timedelta(seconds=8),
        model_asked="gpt-4o-mini", request_id="req-77",
    )  # fmt: skip
    called(stage="extraction", run_id=uuid.uuid4())
    text = desk.get(PAGE).text
    group = found_in(r'href="([^"]*stage=response[^"]*)"', text)
    listed = desk.get(group).text
    assert listed.count("<tr>") == 3  # the head and two calls
    assert f"{PAGE}/runs/{run}" in listed
    page = desk.get(f"{PAGE}/runs/{run}").text
    assert page.index("error of the server") < page.index("answered")
    assert "attempt 2" in page
    assert "req-77" in page
    assert "price unknown" in page
    assert f"/staff/sessions/{session}" in page
    assert "2 attempts in 1.7 s." in page
    assert "<dd>1,000, 100</dd>" in page, "tokens, as far as they are known"


def test_a_run_without_calls_is_not_there(desk):
    assert desk.get(f"{PAGE}/runs/{uuid.uuid4()}").status_code == 404


def test_calls_are_paged_with_one_query_whatever_their_number(desk):
    ModelCall.objects.bulk_create(
        ModelCall(created_at=timezone.now() - timedelta(seconds=n), stage=f"s{n}", attempt=1,
                  wire="chat", model_asked="m", latency_ms=1, outcome="ok")
        for n in range(120)
    )  # fmt: skip
    with reading(1):
        first = desk.get(f"{PAGE}/calls")
    assert first.text.count("<tr>") == 51
    last = flat(desk.get(f"{PAGE}/calls?page=3"))
    assert last.count("<tr>") == 21
    assert ">s119<" in last
    assert "Next" not in last


def test_the_sums_cost_two_queries_whatever_their_number(desk):
    for number in range(30):
        called(stage=f"stage-{number}", session_id=uuid.uuid4())
    for query in ("", "?by=session", "?by=day", "?span=all&stage=stage-3"):
        with reading(2):
            assert desk.get(PAGE + query).status_code == 200


def test_an_empty_ledger_and_an_empty_choice_say_what_is_the_matter(desk):
    assert "No model calls in this period" in desk.get(PAGE).text
    assert "No model calls yet" in desk.get(f"{PAGE}?span=all").text
    called()
    assert "No calls match these filters" in desk.get(f"{PAGE}?stage=extraction").text
    assert "No calls match these filters" in desk.get(f"{PAGE}/calls?model=none").text


def test_the_conversation_leads_to_its_calls_and_back(desk, participant_of, alice):
    from chat.models import Message, Run, Session

    session = Session.objects.create(participant=participant_of(alice), kind="survey")
    reply = Message.objects.create(session=session, seq=1, role="assistant", text="Hello")
    run = Run.objects.create(session=session, reply=reply, status="completed")
    called(session_id=session.pk, run_id=run.pk, ago=timedelta(days=90))
    text = desk.get(f"/staff/sessions/{session.pk}?show=trace").text
    calls = f"{PAGE}/calls?span=all&amp;session={session.pk}"
    assert calls in text
    assert f"{PAGE}/runs/{run.pk}" in text
    assert desk.get(calls.replace("&amp;", "&")).text.count("<tr>") == 2
    assert f"/staff/sessions/{session.pk}" in desk.get(f"{PAGE}/runs/{run.pk}").text


def test_figures_lead_to_no_conversation_that_their_reader_may_not_open(browser, alice):
    session_id, run_id = uuid.uuid4(), uuid.uuid4()
    called(session_id=session_id, run_id=run_id)
    alice.is_staff = True
    alice.save()
    alice.user_permissions.add(Permission.objects.get(codename="figures"))
    reader = browser(alice)
    pages = ("?by=session&span=all", f"/calls?span=all&session={session_id}", f"/runs/{run_id}")
    for page in pages:
        shown = reader.get(f"{PAGE}{page}")
        assert shown.status_code == 200
        assert f"/staff/sessions/{session_id}" not in shown.text, page
