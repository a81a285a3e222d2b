"""Reads from the active catalogue."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from onet import queries
from onet.actions import load_release, load_starter
from onet.candidates import ActivityGroup, Candidate
from onet.models import AlternateTitle, Occupation, Release, TaskStatement, WorkActivity
from tests.onet.releases import tables, write_folder

pytestmark = pytest.mark.django_db


@pytest.fixture
def release(tmp_path: Path) -> Release:
    load_release(str(write_folder(tmp_path / "db_30_2_text", tables())))
    return Release.objects.get(is_active=True)


def test_before_anything_is_loaded_there_is_no_catalogue_but_the_41_activities() -> None:
    assert queries.active_release() is None
    assert queries.catalogue().name == ""
    assert queries.occupations(["15-1252.00"]).get("15-1252.00") is None
    assert queries.top_statements("15-1252.00") == []
    assert queries.statements(["1"]) == {}
    assert len(queries.activities()) == 41


def test_the_catalogue_in_use_tells_its_name_kind_and_origin(release: Release) -> None:
    facts = queries.catalogue()
    assert (facts.name, facts.kind, facts.is_starter) == ("O*NET 30.2", "onet", False)
    assert facts.attribution == (
        "O*NET database by U.S. Department of Labor, Employment and Training Administration, "
        "CC BY 4.0"
    )
    load_starter()
    assert queries.catalogue().is_starter


def test_an_occupation_is_found_by_its_code_with_everyday_names_first(release: Release) -> None:
    found = queries.occupations(["15-1252.00"]).get("15-1252.00")
    assert found is not None
    assert found.title == "Software Developers"
    assert found.also_called[0] == "Programmer"
    assert set(found.also_called[1:]) == {"Software Engineer", "Software Development Engineer"}
    assert queries.occupations(["99-9999.00"]).get("99-9999.00") is None
    assert queries.occupations(["' OR 1=1 --"]).get("' OR 1=1 --") is None


def test_several_occupations_take_as_many_queries_as_one(
    starter: None, django_assert_num_queries
) -> None:
    codes = list(Occupation.objects.values_list("code", flat=True)[:20])
    with django_assert_num_queries(2):
        assert len(queries.occupations(codes[:1])) == 1
    with django_assert_num_queries(2):
        assert len(queries.occupations([*codes, "99-9999.00"])) == 20


def test_core_statements_come_first_then_the_more_important(release: Release) -> None:
    top = queries.top_statements("35-2014.00")
    assert [(row.task_id, row.kind, row.importance) for row in top] == [
        ("2", "Core", 3.1),
        ("1", "Supplemental", 4.9),
    ]
    assert [row.task_id for row in queries.top_statements("15-1252.00")] == ["3", "4"]
    assert [row.task_id for row in queries.top_statements("15-1252.00", limit=1)] == ["3"]


def test_a_statement_carries_its_occupation_activities_and_groups(release: Release) -> None:
    plate = queries.statements(["2", "unknown"])["2"]
    assert plate == Candidate(
        task_id="2",
        text='Plate "amuse-bouche" dishes.',
        occupation_code="35-2014.00",
        occupation_title="Cooks, Restaurant",
        kind="Core",
        score=0.0,
        groups=(ActivityGroup.MENTAL_PROCESSES, ActivityGroup.WORK_OUTPUT),
        activity_ids=("4.A.2.b.2", "4.A.3.a.2"),
        importance=3.1,
        detailed_ids=("4.A.2.b.2.I01.D01", "4.A.3.a.2.I01.D01"),
    )


def test_top_statements_take_the_same_queries_for_one_and_for_many(
    starter: None, django_assert_num_queries
) -> None:
    with django_assert_num_queries(3):
        assert len(queries.top_statements("15-1252.00", limit=1)) == 1
    with django_assert_num_queries(3):
        assert len(queries.top_statements("15-1252.00", limit=15)) == 15


def lent_by(code: str) -> set[str]:
    return {row.occupation_code for row in queries.top_statements(code)}


def add_occupation(release: Release, code: str, title: str, description: str = "") -> Occupation:
    return Occupation.objects.create(
        release=release, code=code, title=title, description=description
    )


def add_statement(occupation: Occupation, task_id: str, kind: str = "Core") -> TaskStatement:
    return TaskStatement.objects.create(
        release=occupation.release,
        occupation=occupation,
        task_id=task_id,
        text=f"Do {task_id}.",
        kind=kind,
    )


def test_an_occupation_without_statements_borrows_from_the_nearest(release: Release) -> None:
    for number, code in enumerate(["35-2019.01", "35-2015.00", "35-3031.00", "35-9011.00"]):
        add_statement(add_occupation(release, code, "Cooks in restaurants"), f"b{number}")
    assert lent_by("35-2019.00") == {"35-2019.01"}
    TaskStatement.objects.filter(occupation__code="35-2019.01").delete()
    assert lent_by("35-2019.00") <= {"35-2014.00", "35-2015.00"}
    TaskStatement.objects.filter(occupation__code__startswith="35-2").delete()
    assert lent_by("35-2019.00") <= {"35-3031.00", "35-9011.00"}
    TaskStatement.objects.filter(occupation__code__startswith="35-").delete()
    assert queries.top_statements("35-2019.00") == []


def test_among_neighbours_the_likest_in_words_lends(release: Release) -> None:
    poets = add_occupation(release, "27-3099.00", "Poets, All Other", "Write poems and verse.")
    for code, title, description in (
        ("27-3091.00", "Interpreters", "Translate speech."),
        ("27-3092.00", "Poets and Lyricists", "Write poems and songs in verse."),
        ("27-3093.00", "Captioners", "Write captions."),
    ):
        add_statement(add_occupation(release, code, title, description), code)
    assert lent_by(poets.code) == {"27-3092.00"}


def test_borrowed_statements_come_core_first_and_in_six_queries_at_most(
    release: Release, django_assert_max_num_queries
) -> None:
    lender = add_occupation(release, "35-2019.01", "Cooks on ships")
    add_statement(lender, "x1", "Supplemental")
    add_statement(lender, "x2", "Core")
    with django_assert_max_num_queries(6):
        lent = queries.top_statements("35-2019.00")
    assert [row.task_id for row in lent] == ["x2", "x1"]


def test_the_activities_are_those_of_the_release(release: Release) -> None:
    assert [(a.element_id, a.name, a.group) for a in queries.activities()] == [
        ("4.A.2.b.2", "Thinking Up Things", ActivityGroup.MENTAL_PROCESSES),
        ("4.A.3.a.2", "Handling Things", ActivityGroup.WORK_OUTPUT),
        ("4.A.3.b.1", "Using Computers", ActivityGroup.WORK_OUTPUT),
    ]


def test_releases_that_are_not_active_are_never_read(release: Release) -> None:
    load_starter()
    assert queries.occupations(["35-2019.00"]).get("35-2019.00") is None
    assert queries.statements(["1", "2"]) == {}
    assert len(queries.activities()) == 41
    assert AlternateTitle.objects.filter(occupation__release=release).exists()
    assert WorkActivity.objects.count() == 44


KNOWN = (
    ("Software Engineer", "15-1252.00"),
    ("policy analyst", "19-3094.00"),
    ("Product Manager", "11-2021.00"),
    ("nurse", "29-1141.00"),
    ("social media manager", "27-3031.00"),
)


def test_the_picker_puts_the_occupation_of_a_known_title_first(starter: None) -> None:
    for title, code in KNOWN:
        picked = queries.pick_occupations(title)
        assert picked[0].code == code, (title, code)
        assert 1 <= len(picked) <= 5
        assert [row.score for row in picked] == sorted((row.score for row in picked), reverse=True)
        assert picked[0].description
        assert picked[0].also_called


def test_the_picker_offers_nothing_for_nothing(starter: None) -> None:
    assert queries.pick_occupations("") == []
    assert queries.pick_occupations("!?") == []


FOREIGN = (
    "Krankenschwester",
    "Enfermera de quirófano",
    "Comptable",
    "Hausmeister",
    "看護師",
    "Zookeeper",
)


def test_the_picker_offers_nothing_that_has_nothing_in_common(starter: None) -> None:
    for title in FOREIGN:
        assert queries.pick_occupations(title) == [], title


@pytest.mark.parametrize(
    ("title", "code"),
    [("Softwareentwickler", "15-1252.00"), ("Acountant", "13-2011.00")],
)
def test_the_picker_offers_what_is_spelled_alike(starter: None, title: str, code: str) -> None:
    picked = queries.pick_occupations(title)
    assert picked[0].code == code
    assert len(picked) < 5


def test_what_many_are_given_nobody_changes() -> None:
    value: Any = queries.Catalogue()
    with pytest.raises(FrozenInstanceError):
        value.name = "Another"
