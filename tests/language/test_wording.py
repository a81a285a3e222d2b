"""A person's words as a statement: impersonal, nothing added, nothing cut off."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from futura.language.wording import statement_of
from tests.extent import examples


@pytest.mark.parametrize(
    ("raw", "statement"),
    [
        ("writing up quarterly summaries for leadership",
         "Write up quarterly summaries for leadership"),
        ("stakeholder meetings", "Stakeholder meetings"),
        ("data analysis with SQL", "Data analysis with SQL"),
        ("I basically check my emails", "Check the emails"),
        ("review what other departments send over", "Review what other departments send over"),
        ("prioritising our backlog", "Prioritise the backlog"),
        ("process claims.", "Process claims"),
        ("report writing", "Report writing"),
        ("check on my patients", "Check on the patients"),
        ("deal with angry parents", "Deal with angry parents"),
        ("review clients' pension plans", "Review clients' pension plans"),
        ("emails to answer", "Emails to answer"),
        ("choosing materials", "Choose materials"),
        ("training sessions", "Training sessions"),
        ("helping my boss with SAP", "Help the boss with SAP"),
        ("feed them", "Feed them"),
        ("plan which hives go where", "Plan which hives go where"),
        ("the odd bit of beekeeping", "The odd bit of beekeeping"),
    ],
)  # fmt: skip
def test_raw_words_become_a_statement(raw, statement):
    assert statement_of(raw) == statement


@given(st.one_of(st.text(max_size=300), st.lists(st.sampled_from(
    "i my we our writing reports the and clean data analysis for of to , & w/ SQL us".split(" ")
), max_size=40).map(" ".join)))  # fmt: skip
@settings(max_examples=examples(300), deadline=None)
def test_a_statement_is_impersonal_and_plain(raw):
    statement = statement_of(raw)
    words = statement.lower().split()
    assert not {"i", "my", "we", "our", "me", "us"} & set(words)
    assert not statement.startswith("Work on")
    assert statement == statement.strip()
    assert not statement.endswith((".", ",", ";"))
    assert statement[:1] == statement[:1].upper()


def test_in_another_language_only_the_capital_is_set():
    assert statement_of("die Bienen füttern", language="de") == "Die Bienen füttern"
    assert statement_of("my own work", language="de") == "My own work"


@given(
    verb=st.sampled_from(["Write", "Prepare", "Collect", "Sell", "Attend", "Analyze"]),
    rest=st.lists(st.sampled_from("reports floors bikes for with tools bread in".split(" "))),
)
@settings(max_examples=examples(100), deadline=None)
def test_a_statement_of_a_statement_is_itself(verb, rest):
    once = statement_of(" ".join([verb, *rest]))
    assert once.startswith(verb)
    assert statement_of(once) == once
