"""What basic mode asks is there in every language of the interface, text by text."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.utils import translation

from onet.starter.reader import unsaved_activities
from tasks.interview.bank import bank
from tests.tasks.interview.talking import midway

OTHERS = [code for code, _name in settings.LANGUAGES if code != "en"]


def texts(value, path=()):
    """Every text of a bank, by its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from texts(part, (*path, str(key)))
    else:
        for number, part in enumerate(value if isinstance(value, list | tuple) else ()):
            yield from texts(part, (*path, number))


def in_language(code):
    with translation.override(code):
        return dict(texts(bank().model_dump()))


def test_each_area_can_come_up_and_names_only_what_there_is():
    areas = {area.id: area for area in bank().area}
    assert len(areas) == len(bank().area)
    assert set(bank().general_first) - set(areas) == set()
    assert {area.element for area in areas.values()} - {
        "",
        *(activity.element_id for activity in unsaved_activities()),
    } == set()
    unasked = [area for area in areas.values() if not area.element and not area.is_general]
    assert [area.id for area in unasked if area.id not in bank().general_first] == []


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_translated_with_its_placeholders(code):
    english, own = in_language("en"), in_language(code)
    assert list(own) == list(english)
    for path, text in english.items():
        assert re.findall(r"\{\w*\}", own[path]) == re.findall(r"\{\w*\}", text), path
        is_a_name = path[0] == "general_first" or path[-1] in {"id", "element"}
        assert (own[path] == text) == (is_a_name or not text), (path, text)


@pytest.mark.django_db
@pytest.mark.parametrize("code", OTHERS)
def test_the_survey_asks_in_the_language_of_the_person(code):
    with translation.override(code):
        talk = midway(tasks=3, turns=2, language=code)
        reply = talk.say("A, B")
        own = [text for text in in_language(code).values() if text.endswith("?")]
    assert any(text in reply for text in own), reply
