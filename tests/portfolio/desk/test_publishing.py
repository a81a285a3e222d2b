"""Publishing a portfolio: everything is shown first, contact data are asked about one by one."""

from __future__ import annotations

import re

import pytest

from chat.operations.changes import Update
from chat.operations.execute import execute
from projects.portfolio.contact import find_contacts
from projects.portfolio.models import Entry, Profile
from tests.portfolio.open import publish

pytestmark = pytest.mark.django_db


def page_of(portfolio) -> str:
    return f"/portfolio/{portfolio.pk}/desk/page"


def form_in(page) -> dict[str, object]:
    html = page.content.decode()
    return {
        "do": "publish",
        "digest": re.search(r'name="digest" value="(\w+)"', html)[1],
        "leave": re.findall(r'name="leave" value="(\w+)"', html),
    }


def test_what_becomes_public_is_listed_and_what_stays_private_is_not_shown(filled, desk):
    html = desk.get(page_of(filled)).content.decode()
    for told in ("Tram times", "Senior engineer — Acme Corp", "Engineer for quiet back ends"):
        assert told in html
    assert "Half a thing" in html.partition(">Private</h2>")[2]
    assert "mara@example.org" not in html
    assert "Secret" not in html


def test_a_position_that_goes_on_is_listed_as_one(filled, make, desk):
    make("portfolio_experience", portfolio=filled.pk, doc_id="now", company="Clay Ltd",
         title="Potter", started="2019", is_current=True)  # fmt: skip
    assert (
        'Potter — Clay Ltd <span class="small quiet">since 2019</span>'
        in desk.get(page_of(filled)).text
    )


def test_it_is_published_by_what_was_shown_and_closed_again_and_that_undone(filled, desk, browser):
    visitor = browser()
    published = desk.post(page_of(filled), form_in(desk.get(page_of(filled))))
    assert published.status_code == 302
    assert visitor.get("/p/mara").status_code == 200
    closed = desk.post(page_of(filled), {"do": "unpublish"})
    assert visitor.get("/p/mara").status_code == 404
    batch = re.search(r"done=([\w-]+)", closed.headers["Location"])[1]
    desk.post(f"/projects/undo/{batch}")
    assert visitor.get("/p/mara").status_code == 200


def test_the_overview_says_how_it_stands_and_publishes_and_closes_the_page(filled, desk, browser):
    overview = f"/portfolio/{filled.pk}"
    shown = desk.get(overview)
    assert "Private" in shown.content.decode()
    assert "/p/mara" in shown.content.decode()
    published = desk.post(page_of(filled), form_in(shown))
    assert published.status_code == 302
    assert browser().get("/p/mara").status_code == 200
    open_page = desk.get(overview).content.decode()
    assert "Unpublish" in open_page
    assert 'name="digest"' not in open_page


def test_the_overview_lists_what_is_missing_and_contact_data_that_want_a_decision(
    portfolio, make, filled, actor, desk
):
    entry = Entry.objects.get(slug="depot")
    told = {"description": "Write to depot@example.org."}
    execute(actor=actor, changes=[Update("portfolio_entry", entry.pk, told)])
    shown = desk.get(f"/portfolio/{filled.pk}").content.decode()
    assert "Decide about 1 item of contact data" in shown
    assert 'name="digest"' not in shown
    empty = make("portfolio", slug="empty", owner_name="Empty", domain_label="potter")
    shown = desk.get(f"/portfolio/{empty.pk}").content.decode()
    assert "Required to publish" in shown
    assert "Add a profile: who you are" in shown
    assert 'name="digest"' not in shown


def test_what_changed_since_it_was_shown_is_looked_at_again(filled, actor, desk, browser):
    form = form_in(desk.get(page_of(filled)))
    entry = Entry.objects.get(slug="depot")
    execute(actor=actor, changes=[Update("portfolio_entry", entry.pk, {"summary": "New."})])
    assert desk.post(page_of(filled), form).status_code == 409
    assert browser().get("/p/mara").status_code == 404


def test_each_piece_of_contact_data_wants_a_decision(filled, actor, desk, browser):
    entry = Entry.objects.get(slug="depot")
    told = {"description": "Write to depot@example.org, or call +46 70 123 45 67."}
    execute(actor=actor, changes=[Update("portfolio_entry", entry.pk, told)])
    form = form_in(desk.get(page_of(filled)))
    assert len(form["leave"]) == 2
    refused = desk.post(page_of(filled), form | {"leave": form["leave"][:1]})
    assert refused.status_code == 422
    assert f"/portfolio/{filled.pk}/entries/{entry.pk}" in refused.content.decode()
    assert desk.post(page_of(filled), form).status_code == 302
    assert browser().get("/p/mara").status_code == 200


def test_nothing_is_published_without_a_profile_and_an_entry(portfolio, make, desk):
    page = desk.get(page_of(portfolio))
    refused = desk.post(page_of(portfolio), form_in(page))
    assert refused.status_code == 422
    assert "Required to publish" in refused.content.decode()


def test_the_preview_shows_the_owner_the_page_and_answers_before_it_is_published(
    filled, desk, browser, drain
):
    drain()
    preview = f"/portfolio/{filled.pk}/desk/preview"
    assert "Tram times" in desk.get(preview).content.decode()
    assert desk.get(f"{preview}/tram-times").status_code == 200
    desk.post(f"{preview}/ask", {"text": "Have you used Go at work?"})
    drain()
    assert "Built the payment service in Go" in desk.get(preview).content.decode()
    assert browser().get(preview).status_code == 404
    assert browser().get("/p/mara").status_code == 404


def test_no_decision_about_contact_data_is_wanted_for_what_is_never_shown(filled, actor, desk):
    profile = Profile.objects.get()
    told = {"private_contact": ["secret@example.org", "12 Main Street"]}
    execute(actor=actor, changes=[Update("portfolio_profile", profile.pk, told)])
    assert form_in(desk.get(page_of(filled)))["leave"] == []


def test_a_number_as_spain_writes_it_is_decided_about_and_hidden_until_then(
    filled, desk, browser, actor
):
    publish(actor, filled)
    told = {"headline": "Ingeniera, teléfono 612 345 678"}
    execute(actor=actor, changes=[Update("portfolio_profile", Profile.objects.get().pk, told)])
    assert "Ingeniera, teléfono […]" in browser().get("/p/mara").content.decode()
    review = desk.get(page_of(filled)).content.decode()
    assert re.search(r"contact-hit.*612 345 678", review, re.DOTALL)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mara@example.org | +46 70 123 45 67", ["mara@example.org", "+46 70 123 45 67"]),
        ("mara (at) example (dot) org", ["mara (at) example (dot) org"]),
        ("Call (555) 123-4567 or 555-123-4567", ["(555) 123-4567", "555-123-4567"]),
        ("Tel. 040 1234567", ["040 1234567"]),
        ("Musterstraße 12, 20095 Hamburg", ["Musterstraße 12"]),
        ("12 Main Street, Springfield, IL 62704", ["12 Main Street", "IL 62704"]),
        ("12 rue de la Paix, Paris", ["12 rue de la Paix"]),
        ("Storgatan 5", ["Storgatan 5"]),
        ("Teléfono: 612 345 678", ["612 345 678"]),
        ("Llámame al 612 34 56 78", ["612 34 56 78"]),
        ("Móvil 612345678, tél. : 22 345 67", ["612345678", "22 345 67"]),
        ("הטלפון ٠٥٠١٢٣٤٥٦٧", ["٠٥٠١٢٣٤٥٦٧"]),
        ("mara [at] example [punkt] org", ["mara [at] example [punkt] org"]),
        ("900 000 000 requests, 300 123 456 rows", []),
        ("03/2020 – 12/2021, 2019-06-01 to 2020-01-02", []),
        ("214 vehicles, 300,000 people, version 3.14.159, 192.168.100.200", []),
        ("1 234 567 rows in PostgreSQL 15.4; ISBN 978-3-16-148410-0", []),
    ],
)
def test_contact_data_are_found_and_numbers_of_other_kinds_are_not(text, found):
    assert [find_contact.text for find_contact in find_contacts(text)] == found
