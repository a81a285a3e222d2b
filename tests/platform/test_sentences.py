"""Where sentences end, in any script."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from futura.text import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He paid 3.50 euros at 9.30. He came back, e.g. on Monday.\nThen; nothing.",
         ["He paid 3.50 euros at 9.30.", "He came back, e.g. on Monday.", "Then; nothing."]),
        ("Am 12. Juni öffnen wir. Danke!", ["Am 12. Juni öffnen wir.", "Danke!"]),
        ("私はパンを焼きます。「はい。」それから売ります！",
         ["私はパンを焼きます。", "「はい。」", "それから売ります！"]),
        ("Visite mit Dr. Huber, St. Anna. Danach Prof. Au am PC. Dann Tee. Nr. 4",
         ["Visite mit Dr. Huber, St. Anna.", "Danach Prof. Au am PC.", "Dann Tee.", "Nr. 4"]),
        ("1. Flour\n2. Eggs", ["1. Flour", "2. Eggs"]),
        ("It is Kanalstr. 8, upstairs. We move.", ["It is Kanalstr. 8, upstairs.", "We move."]),
        ("We move to Kanalstr. 8.", ["We move to Kanalstr. 8."]),
        ("She won. 8 others came.", ["She won.", "8 others came."]),
        ("Wait... what? Er sagte: „Ja.“ Gut.", ["Wait... what?", "Er sagte: „Ja.“", "Gut."]),
        ("हम काम करते हैं। फिर घर जाते हैं।", ["हम काम करते हैं।", "फिर घर जाते हैं।"]),
        ("ماذا تفعل؟ أعمل.", ["ماذا تفعل؟", "أعمل."]),
        ("no end", ["no end"]),
        (" \n ", []),
    ],
)  # fmt: skip
def test_sentences_end_at_marks_of_any_script(text, expected):
    assert [sentence.text for sentence in sentences(text)] == expected


@given(st.text("aB 1.。!\n”)", max_size=60))
def test_nothing_but_blanks_lies_between_sentences(text):
    end = 0
    for sentence in sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text
        assert not text[end : sentence.start].strip()
        end = sentence.end
    assert not text[end:].strip()
