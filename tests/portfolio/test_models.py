"""The rows of a portfolio: written by operations only, whole or not at all, and taken back."""

import uuid

import pytest
from django.db import connection, transaction
from django.db.utils import ProgrammingError

from chat.operations.changes import Create, Delete
from chat.operations.erase import erase
from chat.operations.execute import execute
from chat.operations.undo import undo
from futura.errors import BadInput
from projects.portfolio import operables
from projects.portfolio.models import Entry, Experience, Portfolio, Source

pytestmark = pytest.mark.django_db


def test_every_operable_table_refuses_writes_outside_the_ledger():
    for one in operables.OPERABLES:
        with pytest.raises(ProgrammingError, match="operations only"), transaction.atomic():
            one.model._default_manager.all().update(version=9)
    with pytest.raises(ProgrammingError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM portfolio_experience_linked_entries")


def test_an_entry_with_its_experience_is_made_linked_and_taken_back(actor, portfolio):
    entry = Create(
        "portfolio_entry",
        {"portfolio": portfolio.pk, "doc_id": "kiln", "slug": "kiln", "title": "Kiln"},
    )
    work = Create(
        "portfolio_experience",
        {
            "portfolio": portfolio.pk,
            "doc_id": "exp-1",
            "company": "Acme",
            "linked_entries": [entry.id],
        },
    )
    batch = execute(actor=actor, changes=[entry, work], is_atomic=True)
    assert batch.status == "completed"
    assert [
        linked_entry.doc_id for linked_entry in Experience.objects.get().linked_entries.all()
    ] == ["kiln"]
    undo(actor=actor, operations=list(batch.operations.all()))
    assert not Entry.objects.filter(deleted_at=None).exists()


def test_deleting_a_portfolio_takes_what_stands_in_it_along(actor, portfolio, make):
    entry = make("portfolio_entry", portfolio=portfolio.pk, doc_id="a", slug="a")
    make("portfolio_image", entry=entry.pk, image=uuid.uuid4(), alt="A kiln")
    execute(actor=actor, changes=[Delete("portfolio", portfolio.pk)])
    assert not Entry.objects.filter(deleted_at=None).exists()


def test_erasing_a_portfolio_takes_its_sources_along(actor, portfolio, make):
    source = Source.objects.create(portfolio=portfolio, kind="resume", place="resume.pdf")
    make("portfolio_entry", portfolio=portfolio.pk, doc_id="a", slug="a", source=source.pk)
    erase(actor=actor, rows=[("portfolio", portfolio.pk)], reason="forget me")
    assert not Portfolio.objects.exists()
    assert not Source.objects.exists()


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"tech_stack": "Go"}, "tech_stack"),
        ({"started": "June 2024"}, "started"),
        ({"blocks": [{"type": "script", "text": "x"}]}, "blocks"),
        ({"status": "open"}, "status"),
    ],
)
def test_what_has_the_wrong_form_names_its_field(actor, portfolio, values, field):
    told = {"portfolio": portfolio.pk, "doc_id": "a", "slug": "a", **values}
    with pytest.raises(BadInput) as raised:
        execute(actor=actor, changes=[Create("portfolio_entry", told)])
    assert raised.value.field == field


def test_an_entry_has_one_hero_and_a_portfolio_one_profile(actor, portfolio, make):
    entry = make("portfolio_entry", portfolio=portfolio.pk, doc_id="a", slug="a")
    make("portfolio_image", entry=entry.pk, image=uuid.uuid4(), is_hero=True)
    second = Create("portfolio_image", {"entry": entry.pk, "image": uuid.uuid4(), "is_hero": True})
    assert execute(actor=actor, changes=[second]).operations.get().error
    make("portfolio_profile", portfolio=portfolio.pk, full_name="Mara")
    again = Create("portfolio_profile", {"portfolio": portfolio.pk, "full_name": "Mara"})
    assert "one already" in execute(actor=actor, changes=[again]).operations.get().error
