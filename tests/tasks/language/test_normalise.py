"""Statements by rules: a base verb first, impersonal, short, nothing invented."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.language.normalise import MAX_WORDS, statement_of
from tests.extent import examples


@pytest.mark.parametrize(
    ("raw", "statement"),
    [
        (
            "writing up quarterly summaries for leadership",
            "Write up quarterly summaries for leadership",
        ),
        ("stakeholder meetings", "Attend stakeholder meetings"),
        ("data analysis with SQL", "Analyze data with SQL"),
        ("onboarding of new hires", "Onboard new hires"),
        ("I basically check my emails", "Check emails"),
        ("review what other departments send over", "Review what other departments send over"),
        ("prioritising our backlog", "Prioritize the backlog"),
        ("organise events", "Organize events"),
        ("process claims.", "Process claims"),
        ("report writing", "Write reports"),
        ("phone calls", "Make phone calls"),
        ("do the rota", "Prepare the rota"),
        ("sweepin up", "Sweep up"),
        ("check on my patients", "Check on patients"),
        ("deal with angry parents", "Deal with angry parents"),
        ("do my own invoicing", "Do invoicing"),
        ("drive my van", "Drive the van"),
        ("review clients' pension plans", "Review clients' pension plans"),
        ("emails to answer", "Answer emails"),
        ("the ordering", "Do the ordering"),
        ("choosing materials", "Choose materials"),
        ("check deliveries against the invoices", "Check deliveries against the invoices"),
        ("colouring hair in my programme", "Color hair in the program"),
        ("helping my boss with SAP", "Help the boss with SAP"),
    ],
)
def test_raw_words_become_a_statement(raw, statement):
    assert statement_of(raw) == statement


@given(st.one_of(st.text(max_size=300), st.lists(st.sampled_from(
    "i my we our writing reports the and clean data analysis for of to , & w/ SQL us".split(" ")
), max_size=40).map(" ".join)))  # fmt: skip
@settings(max_examples=examples(300), deadline=None)
def test_a_statement_is_short_impersonal_and_plain(raw):
    statement = statement_of(raw)
    words = statement.lower().split()
    assert len(words) <= MAX_WORDS
    assert not {"i", "my", "we", "our", "me", "us"} & set(words)
    assert statement == statement.strip()
    assert not statement.endswith((".", ",", ";"))
    assert statement[:1] == statement[:1].upper()


@given(
    verb=st.sampled_from(["Write", "Prepare", "Collect", "Sell", "Attend", "Analyze"]),
    rest=st.lists(st.sampled_from("reports floors bikes for with tools bread in".split(" "))),
)
@settings(max_examples=examples(100), deadline=None)
def test_a_statement_of_a_statement_is_itself(verb, rest):
    once = statement_of(" ".join([verb, *rest]))
    assert once.startswith(verb)
    assert statement_of(once) == once
