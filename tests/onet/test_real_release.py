"""The whole O*NET release, loaded once: what is in it, and how well it is searched."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import transaction

from onet import queries
from onet.models import Occupation, Release, TaskStatement, WorkActivity
from tests.onet.releases import REAL
from tests.onet.test_evaluate import EVAL, evaluate

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.django_db,
    pytest.mark.skipif(not REAL.is_dir(), reason="no O*NET release at ../shared/onet"),
]


@pytest.fixture(scope="module", autouse=True)
def complaints(django_db_setup, django_db_blocker) -> Iterator[str]:
    """Loads it in a transaction around the tests; what the command complained of."""
    said = io.StringIO()
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("onet_load", str(REAL), stdout=io.StringIO(), stderr=said)
        yield said.getvalue()
        transaction.set_rollback(True)


def test_it_is_loaded_whole(complaints: str) -> None:
    release = Release.objects.get(is_active=True)
    assert complaints == ""
    assert release.name.startswith("O*NET 30")
    assert release.counts["occupations"] == Occupation.objects.count() == 1016
    assert release.counts["statements"] == TaskStatement.objects.count() == 18796
    assert TaskStatement.objects.exclude(importance=None).count() == 17951
    assert not TaskStatement.objects.filter(activities=None).exists()
    assert WorkActivity.objects.count() == 41
    used = WorkActivity.objects.filter(statements__isnull=False).distinct().count()
    assert used == 37
    several = TaskStatement.activities.through.objects.count() - TaskStatement.objects.count()
    assert several > 3000


def test_every_civilian_occupation_has_or_borrows_statements() -> None:
    bare = Occupation.objects.filter(statements=None).exclude(code__startswith="55-")
    assert bare.count() > 50
    for row in bare:
        lent = queries.top_statements(row.code)
        assert len(lent) >= 4, row
        assert {statement.occupation_code[:2] for statement in lent} == {row.code[:2]}, row
        kinds = [statement.kind for statement in lent]
        assert kinds == sorted(kinds, key=["Core", "Supplemental", ""].index), row


def test_its_search_keeps_its_level() -> None:
    titles = evaluate("titles", EVAL / "titles_dev.tsv")
    assert titles["hit@1"] >= 0.69
    assert titles["hit@5"] >= 0.86
    retired = evaluate("statements", EVAL / "retired_tasks_dev.tsv")
    assert retired["hit@1"] >= 0.45
    assert retired["hit@5"] >= 0.58
    assert retired["group@1"] >= 0.80
    assert evaluate("statements", EVAL / "dwa_queries_dev.tsv")["hit@5"] >= 0.66
