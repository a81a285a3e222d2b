"""Updating a project without a model: what its help names and its buttons say, in each language."""

from __future__ import annotations

import re

import pytest
from django.utils import translation
from django.utils.translation import gettext as _

from chat.models import Participant
from projects.modes.basic import help_text
from tests.extent import every

pytestmark = pytest.mark.django_db

QUOTED = re.compile(r"[“„«]\s*(?P<text>[^“”„«»]+?)\s*[”“»]")


LANGUAGES = ("en", "de", "es", "fr")


@pytest.fixture(params=LANGUAGES)
def language(request, owner):
    Participant.objects.filter(pk=owner.pk).update(language=request.param)
    with translation.override(request.param):
        yield request.param


@pytest.mark.thorough
@every(len(LANGUAGES))
def test_every_command_that_the_help_names_is_one(language, made, update, every):
    """Each in one of the languages; in all of them when thorough."""
    unread = []
    for quoted in list(QUOTED.finditer(help_text()))[LANGUAGES.index(language) % every :: every]:
        line = quoted["text"].replace("…", "Call Ana")
        talk = update(made(f"App {line}", [("Call Ana", None)]))
        reply = talk.say(line)
        kinds = [question["kind"] for question in talk.state["update"]["questions"]]
        unread += [line] if "place" in kinds or reply == help_text() else []
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
