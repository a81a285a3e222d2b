"""Updating a project without a model: what its help names and its buttons say, in each language."""

from __future__ import annotations

import re

import pytest
from django.utils import translation
from django.utils.translation import gettext as _

from chat.models import Participant
from projects.modes.basic import help_text, place_question

pytestmark = pytest.mark.django_db

QUOTED = re.compile(r"[“„«]\s*(?P<text>[^“”„«»]+?)\s*[”“»]")


@pytest.fixture(params=["en", "de", "es", "fr"])
def language(request, owner):
    Participant.objects.filter(pk=owner.pk).update(language=request.param)
    with translation.override(request.param):
        yield request.param


def test_every_command_that_the_help_names_is_one(language, made, update):
    unread = []
    for quoted in QUOTED.finditer(help_text()):
        line = quoted["text"].replace("…", "Call Ana")
        reply = update(made(f"App {line}", [("Call Ana", None)])).say(line)
        unread += [line] if reply in {place_question().text, help_text()} else []
    assert not unread


def test_the_project_is_named_by_its_word(language, made, update):
    line = {
        "en": "rename project to Garden",
        "de": "umbenennen Projekt in Garden",
        "es": "renombrar el proyecto a Garden",
        "fr": "renommer le projet en Garden",
    }
    project = made("Fitness app")
    update(project).say(line[language])
    project.refresh_from_db()
    assert project.name == "Garden"


def test_what_is_no_command_is_kept_by_its_button(language, made, update):
    project = made("Fitness app")
    talk = update(project)
    talk.say("1 2 3 Ana")
    talk.say(_("Add as note"))
    assert project.notes.get().text == "1 2 3 Ana"
