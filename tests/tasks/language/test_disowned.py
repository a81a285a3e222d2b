"""Work that the end of a sentence gives away is nobody's task here."""

import pytest

from tasks.language.extract import tasks_in


@pytest.mark.parametrize(
    "text",
    [
        "dispatch plans the routes, not me",
        "Dispatch plans the routes, that's not my job.",
        "Ordering stock, that is not me though",
        "payroll runs the numbers – never us",
        "the invoices are done by accounting, not by me",
    ],
)
def test_given_away_sentences_hold_no_task(text):
    assert [one.raw for one in tasks_in(text)] == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I write invoices, the books are not mine", ["write invoices"]),
        ("I plan routes. Dispatch loads the vans, not me.", ["plan routes"]),
        ("I answer calls that are not for me", ["answer calls"]),
    ],
)
def test_what_the_person_does_beside_it_stays(text, kept):
    found = [one.raw for one in tasks_in(text)]
    assert len(found) == len(kept)
    assert all(one.startswith(start) for one, start in zip(found, kept, strict=True))
