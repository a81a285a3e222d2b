"""Texts that no database takes are made fit to keep, and nothing else about them changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from chat.models import Session
from futura.characters import clean, clean_json, cleaned

ANY = st.text(st.characters(exclude_categories=[]) | st.sampled_from("\x00\ud83d\ude00\udfff"))


@given(ANY)
def test_a_clean_text_can_be_written_and_is_clean(text):
    made = clean(text)
    made.encode()
    assert "\x00" not in made
    assert clean(made) == made


@given(st.text())
def test_a_text_without_bad_characters_stays_as_it_is(text):
    whole = text.replace("\x00", "")
    assert clean(whole) == whole


def test_halves_that_belong_together_become_their_character():
    assert clean("a\ud83d\ude00\x00b\ud83d") == "a😀b\ufffd"


@given(st.dictionaries(ANY, st.lists(ANY)))
def test_json_is_clean_once_it_is_read(value):
    assert json.loads(clean_json(json.dumps(value))) == cleaned(value)


@pytest.mark.parametrize("text", ["", "{", '{"a": "\\u0000', "no \\u0000 JSON", '{"a": 1}'])
def test_what_is_no_json_or_has_nothing_bad_is_left_alone(text):
    assert clean_json(text) == text


def test_what_somebody_types_about_such_characters_is_kept_word_for_word():
    words = {"text": "In JSON NUL is \\u0000 and half of 😀 is \\ud83d"}
    assert json.loads(clean_json(json.dumps(words))) == words


def test_a_json_column_takes_what_postgresql_would_refuse(owner):
    session = Session.objects.create(participant=owner, kind="survey", state={"te\x00xt": "\x00a"})
    session.refresh_from_db()
    assert session.state == {"text": "a"}
    Session.objects.filter(pk=session.pk).update(key_facts=["\ud800", {"text": ["b\x00"]}])
    session.refresh_from_db()
    assert session.key_facts == ["\ufffd", {"text": ["b"]}]
    assert not Session.objects.filter(key_facts__contains=["\x00"]).exists()
