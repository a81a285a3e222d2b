"""How sure the search is of what it found: what is said in full, in part, or not at all."""

import pytest

from onet.matching import code
from onet.models import TaskStatement

pytestmark = pytest.mark.django_db


def test_every_statement_of_the_catalogue_is_a_strong_match_of_itself(starter):
    rows = TaskStatement.objects.filter(release__is_active=True).select_related("occupation")
    for row in rows.order_by("task_id")[::37]:
        found = code(row.text, occupation_code=row.occupation.code)
        assert found.confidence == "high", row.text
        assert found.choice is not None
        assert found.choice.text == row.text


NOBODYS = ("Yodel at glaciers", "zzqx blorf", "Juggle burning torches", "Milk unicorns")


def test_what_nobody_does_has_no_good_match(starter):
    for text in NOBODYS:
        assert code(text, occupation_code="29-1141.00").choice is None, text


def test_the_same_verb_about_something_else_is_no_match(starter):
    found = code("Give interviews", occupation_code="29-1141.00")
    assert found.choice is None or "interview" in found.choice.text.lower()


def test_fewer_words_are_judged_less_surely(starter):
    row = TaskStatement.objects.filter(
        release__is_active=True, occupation__code="29-1141.00"
    ).first()
    assert row is not None
    whole = code(row.text, occupation_code="29-1141.00")
    part = code(" ".join(row.text.split()[:3]), occupation_code="29-1141.00")
    assert max(candidate.score for candidate in part.candidates) < max(
        candidate.score for candidate in whole.candidates
    )


def test_odd_texts_do_no_harm(starter):
    for text in ("", "   ", "?!", "the of and", "x" * 3000, "<script>"):
        assert code(text, occupation_code="29-1141.00").confidence in {"none", "low"}, text
