"""A person's own words said back: turned to the second person, short, as a thing done."""

import pytest

from tasks.elicitation.wording import echo, gerund, second_person


@pytest.mark.parametrize(
    ("base", "form"),
    [("write", "writing"), ("plan", "planning"), ("tie", "tying"), ("see", "seeing"),
     ("answer", "answering"), ("submit", "submitting"), ("draw", "drawing"), ("fix", "fixing")],
)  # fmt: skip
def test_gerunds(base, form):
    assert gerund(base) == form


@pytest.mark.parametrize(
    ("said", "before", "back"),
    [
        ("write up the weekly sheet for our office", "I ",
         "writing up the weekly sheet for your office"),
        ("calm them down", "I ", "calming them down"),
        ("remake their drink", "I ", "remaking their drink"),
        ("staff meetings", "we have ", "staff meetings"),
        ("emails from parents", "tons of ", "emails from parents"),
        ("Kids fight", "", ""),
        ("restart services, page people", "- ", "restarting services"),
        ("call dispatch when I'm late", "I ", "calling dispatch when you're late"),
        ("call my boss whenever I'm late", "I ", "calling your boss whenever you're late"),
        ("SQL queries", "", "SQL queries"),
        ("<b>weld</b> frames", "I ", "b weld /b frames"),
        ("the", "", ""),
    ],
)  # fmt: skip
def test_echoes(said, before, back):
    assert echo(said, before=before) == back


def test_the_person_is_turned_round():
    assert second_person("I tell my boss what we’ve done for us") == (
        "you tell your boss what you've done for you"
    )
