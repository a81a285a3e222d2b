"""The starter catalogue: large enough, over all groups, in our own words, and consistent."""

from __future__ import annotations

from collections import Counter

import pytest
from rapidfuzz import fuzz, process

from futura.text import words
from onet.actions import ensure_starter, load_starter
from onet.candidates import ActivityGroup, group_of
from onet.models import Release, TaskStatement, WorkActivity
from onet.starter.reader import read_starter, starter_occupations, unsaved_activities
from tests.onet.releases import REAL

MAJOR_GROUPS = set("11 13 15 17 19 21 23 25 27 29 31 33 35 37 39 41 43 45 47 49 51 53".split())
"""The civilian major groups of the Standard Occupational Classification, 2018."""

SPEC_TITLES = {
    "Policy Analyst": "19-3094.00",
    "Product Manager": "11-2021.00",
    "Data Analyst": "15-2051.00",
    "Nurse": "29-1141.00",
    "Software Engineer": "15-1252.00",
    "Social Media Manager": "27-3031.00",
    "Marketing Manager": "11-2021.00",
    "Financial Analyst": "13-2051.00",
    "Project Manager": "13-1082.00",
    "Teacher": "25-2021.00",
}
NOT_VERBS = {"the", "a", "an", "i", "we", "my", "to", "and", "all", "daily", "regular"}

real_only = pytest.mark.skipif(not REAL.is_dir(), reason="no O*NET release at ../shared/onet")


@pytest.fixture(scope="module")
def catalogue():
    return read_starter()


def test_at_least_forty_occupations_cover_every_major_group(catalogue) -> None:
    assert len(catalogue.occupations) >= 40
    assert {row.code[:2] for row in catalogue.occupations} == MAJOR_GROUPS
    codes = Counter(row.code for row in catalogue.occupations)
    assert max(codes.values()) == 1


def test_every_occupation_has_twelve_statements_or_more_over_all_four_groups(catalogue) -> None:
    for occupation in catalogue.occupations:
        own = [row for row in catalogue.statements if row.occupation == occupation]
        links = catalogue.activity_links
        groups = {activity.group for row, activity in links if row.occupation == occupation}
        kinds = {row.kind for row in own}
        assert len(own) >= 12, occupation.title
        assert groups == set(ActivityGroup), occupation.title
        assert kinds == {"Core", "Supplemental"}, occupation.title
        assert len({row.importance for row in own}) >= 8, occupation.title


def test_every_occupation_has_ten_to_twenty_distinct_other_names(catalogue) -> None:
    for occupation in catalogue.occupations:
        names = [row.title for row in catalogue.titles if row.occupation == occupation]
        assert 10 <= len(names) <= 20, occupation.title
        assert len({name.lower() for name in names}) == len(names), occupation.title


@pytest.mark.parametrize(("title", "code"), SPEC_TITLES.items())
def test_the_job_titles_of_the_specification_are_there(catalogue, title: str, code: str) -> None:
    assert (code, title) in {(row.occupation.code, row.title) for row in catalogue.titles}


def test_ids_are_unique_and_tell_the_occupation(catalogue) -> None:
    ids = [row.task_id for row in catalogue.statements]
    assert len(set(ids)) == len(ids)
    for row in catalogue.statements:
        assert row.task_id.startswith(f"S-{row.occupation.code[:7]}-")


def test_every_activity_is_one_of_the_41_and_each_is_used(catalogue) -> None:
    known = {activity.element_id for activity in unsaved_activities()}
    used = {activity.element_id for _row, activity in catalogue.activity_links}
    assert len(known) == 41
    assert used == known
    per_group = Counter(group_of(element) for element in known)
    assert [per_group[group] for group in ActivityGroup] == [5, 10, 9, 17]


def test_statements_read_like_statements(catalogue) -> None:
    for row in catalogue.statements:
        first, *rest = words(row.text)
        assert row.text.endswith("."), row.text
        assert row.text[0].isupper(), row.text
        assert first not in NOT_VERBS, row.text
        assert not first.endswith(("ing", "ed")) or first in {"bring", "ring", "embed"}, row.text
        assert 3 <= len(rest) + 1 <= 25, row.text
        assert not {"i", "my", "we", "our"} & set(rest), row.text


def test_no_statement_is_there_twice(catalogue) -> None:
    texts = Counter(" ".join(words(row.text)) for row in catalogue.statements)
    assert [text for text, count in texts.items() if count > 1] == []


def test_importance_falls_and_supplemental_statements_come_last() -> None:
    for occupation in starter_occupations():
        importance = [statement["importance"] for statement in occupation["statements"]]
        assert importance == sorted(importance, reverse=True), occupation["title"]
        assert 1 <= importance[-1] <= importance[0] <= 5, occupation["title"]


@pytest.mark.thorough
@real_only
def test_codes_titles_and_activity_names_are_o_net_s_and_the_words_are_not(catalogue) -> None:
    def column(file: str, *places: int) -> list[tuple[str, ...]]:
        lines = (REAL / file).read_text("utf-8").splitlines()[1:]
        return [tuple(line.split("\t")[place] for place in places) for line in lines]

    titles = set(column("Occupation Data.txt", 0, 1))
    assert {(row.code, row.title) for row in catalogue.occupations} <= titles
    names = set(column("Content Model Reference.txt", 0, 1))
    assert {(row.element_id, row.name) for row in unsaved_activities()} <= names
    theirs = {text for (text,) in column("Content Model Reference.txt", 2)}
    assert not {row.description for row in unsaved_activities()} & theirs
    statements = [" ".join(words(text)) for (text,) in column("Task Statements.txt", 2)]
    for row in catalogue.statements:
        close = process.extractOne(
            " ".join(words(row.text)), statements, scorer=fuzz.ratio, score_cutoff=88
        )
        assert close is None, (row.text, close)


@pytest.mark.django_db
def test_loading_it_makes_it_the_active_catalogue_and_says_what_it_is(catalogue) -> None:
    load_starter()
    release = Release.objects.get(is_active=True)
    assert (release.name, release.is_starter) == ("Starter catalogue", True)
    assert TaskStatement.objects.count() == len(catalogue.statements)
    assert WorkActivity.objects.count() == 41
    assert not TaskStatement.objects.filter(activities=None).exists()


@pytest.mark.django_db
def test_a_changed_starter_replaces_the_one_before() -> None:
    Release.objects.create(
        name="Starter catalogue", source="old", fingerprint="0" * 64, is_starter=True,
        is_active=True,
    )  # fmt: skip
    report = ensure_starter()
    assert report is not None
    assert Release.objects.get(is_active=True).fingerprint == read_starter().fingerprint
