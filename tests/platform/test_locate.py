"""Where a quote stands in its source, in any script."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st

from futura.text import locate

TALK = "Well, I review contracts and don’t sleep (much). I know C++ & <b>HTML</b>."
GERMAN = "Morgens prüfe ich die Kühlung; außerdem schreibe ich Übergabeberichte."
JAPANESE = "毎朝、機械を点検します。はい、報告書も書きます。"
SPANISH = "Atiendo a los clientes y, después, cuadro la caja."


def stretch(quote: str, source: str) -> str | None:
    span = locate(quote, source)
    return source[span[0] : span[1]] if span else None


@pytest.mark.parametrize(
    ("quote", "source", "expected"),
    [
        ("review contracts", TALK, "review contracts"),
        ("REVIEW   Contracts", TALK, "review contracts"),
        ("“don't sleep”", TALK, "don’t sleep"),
        ("reveiw contracts", TALK, "review contracts"),
        ("C++", TALK, "C++"),
        ("‹b›HTML‹/b›", TALK, "<b>HTML</b>"),
        ("paint elephants", TALK, None),
        ("no", TALK, None),  # it is only in "know"
        ("", TALK, None),
        ("(((", TALK, None),
        ("prüfe ich die Kühlung", GERMAN, "prüfe ich die Kühlung"),
        (unicodedata.normalize("NFD", "prüfe ich"), GERMAN, "prüfe ich"),
        ("AUSSERDEM SCHREIBE ICH", GERMAN, "außerdem schreibe ich"),
        ("schreibe Übergabeberichte", GERMAN, None),
        ("機械を点検します", JAPANESE, "機械を点検します"),
        ("はい", JAPANESE, "はい"),
        ("書", JAPANESE, "書"),
        ("報告書を書きます", JAPANESE, "報告書も書きます"),
        ("魚を釣ります", JAPANESE, None),
        ("después cuadro la caja", SPANISH, "después, cuadro la caja"),
        ("Ｃｕａｄｒｏ", SPANISH, "cuadro"),
    ],
)
def test_a_quote_is_located_letter_by_letter_or_by_likeness(quote, source, expected):
    assert stretch(quote, source) == expected


@pytest.mark.parametrize("quote", ["Yes, I fly helicopters", "Yes and no", "yes I do"])
def test_more_than_was_said_is_not_found_in_what_was_said(quote):
    assert locate(quote, "Yes") is None
    assert stretch("Yes", "Yes") == "Yes"


def test_a_quote_from_the_decomposed_source_has_its_places():
    source = unicodedata.normalize("NFD", "Über Öfen wachen")
    assert unicodedata.normalize("NFC", stretch("öfen wachen", source) or "") == "Öfen wachen"


def test_nothing_stands_in_an_empty_source():
    assert locate("anything", "") is None


def test_the_whole_word_is_taken_before_a_part_of_one():
    assert locate("plan", "We explain how we plan") == (18, 22)


# marks that compose with the letter before them are no stretch of their own
LETTERS = st.characters(exclude_categories=["M", "Cs"])


@given(st.text(LETTERS, min_size=1, max_size=80), st.data())
def test_every_stretch_with_words_in_it_is_found_where_its_letters_stand(source, data):
    start = data.draw(st.integers(0, len(source) - 1))
    quote = source[start : data.draw(st.integers(start + 1, len(source)))]
    span = locate(quote, source)
    if span is not None:
        assert 0 <= span[0] < span[1] <= len(source)
    if sum(letter.isalnum() for letter in unicodedata.normalize("NFKC", quote)) >= 4:
        assert span is not None
