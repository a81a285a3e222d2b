"""Entries for programs."""

from __future__ import annotations

import pytest

from projects.portfolio.models import Entry
from tests.portfolio import actions

pytestmark = pytest.mark.django_db


@pytest.fixture
def alices(alice, client):
    client.force_login(alice)
    return client


def send(client, entry, body):
    where = f"/api/portfolio/entries/{entry.pk}/publish"
    return client.post(where, body, content_type="application/json")


def test_entries_are_listed_and_told(alices, entry, picture):
    picture(entry)
    lines = alices.get(f"/api/portfolio/{entry.portfolio_id}/entries").json()["entries"]
    assert [(line["title"], line["status"]) for line in lines] == [("The old kiln", "draft")]
    told = alices.get(f"/api/portfolio/entries/{entry.pk}").json()
    assert told["images"][0]["isHero"] is True
    assert {item["code"] for item in told["failed"]} == {"summary_missing", "too_few_words"}
    assert "privateNotes" not in told


def test_a_persons_portfolios_are_listed_and_nobody_elses(alices, browser, bob, portfolio):
    (line,) = alices.get("/api/portfolio").json()["portfolios"]
    assert (line["id"], line["slug"]) == (str(portfolio.pk), portfolio.slug)
    assert (line["ownerName"], line["status"]) == (portfolio.owner_name, "draft")
    assert browser(bob).get("/api/portfolio").json() == {"portfolios": []}


@pytest.mark.parametrize("body", [{"dryRun": True}, {"dry_run": True}])
def test_a_dry_run_names_each_failed_rule_and_changes_nothing(alices, entry, ready, body):
    told = send(alices, ready, body).json()
    assert told == {"ready": True, "dryRun": True, "failed": [], "status": "draft"}
    assert Entry.objects.get(pk=entry.pk).status == "draft"


@pytest.mark.parametrize("query", ["dry_run=1", "dryRun=true"])
def test_a_dry_run_by_the_address_publishes_nothing_however_it_is_written(
    alices, entry, ready, query
):
    url = f"/api/portfolio/entries/{entry.pk}/publish?{query}"
    assert alices.post(url, content_type="application/json").status_code == 200
    assert Entry.objects.get(pk=entry.pk).status == "draft"


def test_publishing_is_refused_with_reasons_or_done(alices, portfolio, actor, ready):
    empty = actions.create(actor, portfolio, title="Empty").row
    refused = send(alices, empty, {})
    assert refused.status_code == 422
    told = refused.json()
    assert told["error"]["code"] == "not_ready"
    assert {item["code"] for item in told["failed"]} == {
        "summary_missing", "too_few_words", "hero_missing",
    }  # fmt: skip
    done = send(alices, ready, {})
    assert done.status_code == 200
    assert (done.json()["status"], done.json()["ready"]) == ("published", True)
    assert done.json()["batchId"]
