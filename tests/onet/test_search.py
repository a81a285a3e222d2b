"""Finding titles and statements in the starter catalogue and in the real release."""

from __future__ import annotations

import numpy as np
import pytest

from onet import queries
from onet.candidates import Candidate
from onet.lexical import character_grams
from onet.matching import activities_for
from onet.search import search
from onet.search.evidence import calibrated_by_meaning
from onet.search.finding import Searcher
from onet.search.index import StatementIndex, build
from onet.titles import suggest_titles
from onet.titles.wording import plain_words

pytestmark = pytest.mark.django_db
DOING = "4.A.3.a.3"


def test_without_a_catalogue_nothing_is_found_and_nothing_fails() -> None:
    assert suggest_titles("nurse") == []
    assert queries.pick_occupations("nurse") == []
    assert search("care for patients").candidates == ()
    assert activities_for("care for patients") == ()


def test_a_title_being_typed_finds_titles_with_their_occupations(starter: None) -> None:
    hits = suggest_titles("register")
    assert any("Registered Nurse" in hit.title for hit in hits)
    assert all(hit.occupations for hit in hits)
    assert len(suggest_titles("a", limit=3)) <= 3


def test_a_misspelled_last_word_still_finds_titles(starter: None) -> None:
    assert any("Nurse" in hit.title for hit in suggest_titles("registered nuse"))


def test_the_picker_describes_up_to_five_occupations(starter: None) -> None:
    hits = queries.pick_occupations("Sr. Software Engr II")
    assert 1 <= len(hits) <= 5
    assert hits[0].code.startswith("15-1252")
    assert hits[0].description
    assert 1 >= hits[0].score >= hits[-1].score > 0


def test_odd_input_gives_a_list_and_no_error(starter: None) -> None:
    for odd in ("", "   ", "???", "<script>alert(1)</script>", "x" * 20_000, "\x00", "日本語",
                "' OR 1=1 --", "%"):  # fmt: skip
        assert isinstance(suggest_titles(odd), list)
        assert isinstance(queries.pick_occupations(odd), list)
        assert isinstance(search(odd).candidates, tuple)
        assert isinstance(activities_for(odd), tuple)


def test_a_catalogue_s_own_statement_finds_itself_first_with_a_high_score(starter: None) -> None:
    own = queries.top_statements(queries.pick_occupations("registered nurse")[0].code)[0]
    found = search(own.text).candidates
    assert found[0].text == own.text
    assert found[0].score >= 0.6
    assert found[0].groups == own.groups


def test_the_occupation_s_statements_come_first_and_no_text_comes_twice(starter: None) -> None:
    code = queries.pick_occupations("registered nurse")[0].code
    own = queries.top_statements(code)[0]
    found = search(own.text, occupation_code=code, limit=5).candidates
    assert found[0].occupation_code == code
    assert len({item.text for item in found}) == len(found) == 5


def test_unrelated_words_score_low(starter: None) -> None:
    found = search("yodel at glaciers").candidates
    assert all(item.score < 0.3 for item in found)


def test_short_forms_levels_and_codes_are_brought_to_plain_words() -> None:
    assert plain_words("Sr. Mktg Mgr III") == ("marketing", "manager")
    assert plain_words("Forestry Worker (SCA WAGE; SCA CODE: 08010") == ("forestry", "worker")
    assert plain_words("L.P.N.") == ("licensed", "practical", "nurse")
    assert plain_words("Level 3") != ()


def test_the_second_statement_shown_is_not_linked_to_the_same_as_the_first() -> None:
    same = [f"Repair {thing} of machines in workshops." for thing in ("belts", "gears", "pumps")]
    searched = Searcher(
        StatementIndex.load(
            build(
                [
                    Candidate(
                        str(number),
                        text,
                        "49-0000.00",
                        "Repairer",
                        "Core",
                        activity_ids=(DOING,),
                        detailed_ids=(linked,),
                    )
                    for number, (text, linked) in enumerate(
                        [
                            *((text, "same") for text in same),
                            ("Repair pumps in houses.", "other"),
                        ]
                    )
                ]
            )
        )
    )
    shown = searched.search("Repair pumps of machines in workshops").candidates
    assert [item.detailed_ids for item in shown[:2]] == [("same",), ("other",)]
    assert shown[0].text == same[2]
    assert len(shown) == 4


def test_a_statement_of_the_person_s_occupation_goes_before_one_of_another_about_as_near() -> None:
    texts = {"11-0000.00": "Plan shifts of staff.", "12-0000.00": "Plan the shifts of all staff."}
    source = [
        Candidate(code, text, code, "Planner", "Core", activity_ids=(DOING,), detailed_ids=(code,))
        for code, text in texts.items()
    ]
    searched = Searcher(StatementIndex.load(build(source)))
    for code in texts:
        assert searched.search("Plan shifts", occupation_code=code).candidates[0].task_id == code


def test_a_chance_by_meaning_lies_between_none_and_sure() -> None:
    alike = np.array([[-9, 0, 0], [0, 0, 0], [0, 0, 9]], dtype=np.float32)
    assert np.allclose(calibrated_by_meaning(alike, (0, 1, 1)), [0, 0.5, 1], atol=0.001)


def test_a_text_is_compared_by_all_its_letters_alone_and_among_others() -> None:
    _rows, alone = character_grams(["tea"])
    assert len(set(alone.tolist())) == 6, "three, four or five letters of a word between blanks"
    rows, hashes = character_grams(["tea", "tea"])
    assert [hashes[rows == row].tolist() for row in (0, 1)] == [alone.tolist()] * 2
