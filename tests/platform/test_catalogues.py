"""The interface's languages: every message is there, translated, and keeps its placeholders."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache, partial
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.text import capfirst

from chat.operations import labels
from chat.operations.registry import all_operables

ROOT = Path(settings.BASE_DIR)
LOCALE = ROOT / "futura" / "locale"
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
SOURCES = ("futura", "chat", "tasks", "onet", "projects", "templates")
HOW = "run `make messages`, translate what is empty or fuzzy, run it again"
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


@cache
def catalogue(code: str) -> polib.POFile:
    """What a language says."""
    return polib.pofile(str(LOCALE / code / "LC_MESSAGES" / "django.po"))


def said_by(entries: list[polib.POEntry]) -> dict[tuple[str, str], str | dict[int, str]]:
    """What each message becomes, by its context and itself."""
    return {(e.msgctxt or "", e.msgid): e.msgstr or e.msgstr_plural for e in entries}


def placeholders(text: str) -> set[str]:
    """The names of what is put into a message."""
    return set(PLACEHOLDER.findall(text))


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_message_is_translated_with_all_its_plurals(code):
    entries = catalogue(code)
    plurals = int(re.search(r"nplurals=(\d)", entries.metadata["Plural-Forms"])[1])
    empty = [
        entry.msgid
        for entry in entries
        if (not entry.msgstr and not entry.msgid_plural)
        or (entry.msgid_plural and len([s for s in entry.msgstr_plural.values() if s]) != plurals)
    ]
    assert empty == [], HOW
    fuzzy = [entry.msgid for entry in entries.fuzzy_entries()]
    assert fuzzy == entries.obsolete_entries() == [], HOW


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_keeps_the_placeholders_and_the_markup(code):
    wrong = []
    for entry in catalogue(code):
        own = placeholders(entry.msgid) | placeholders(entry.msgid_plural)
        for said in (entry.msgstr, *entry.msgstr_plural.values()):
            if not said:
                continue
            # "one" may be said without its number
            has_all = placeholders(said) <= own and (
                entry.msgid_plural or placeholders(said) == own
            )
            tags = sorted(re.findall(r"</?\w+", entry.msgid)) == sorted(re.findall(r"</?\w+", said))
            ends = entry.msgid[:1] == " ", entry.msgid[-1:] == " "
            if not (has_all and tags and ends == (said[:1] == " ", said[-1:] == " ")):
                wrong.append((entry.msgid, said))
    assert wrong == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_is_compiled_is_what_is_written(code):
    compiled = polib.mofile(str(LOCALE / code / "LC_MESSAGES" / "django.mo"))
    assert said_by(compiled) == said_by(catalogue(code)), HOW


def refused_words() -> list[str]:
    """The last column of the glossary's tables."""
    lines = (ROOT / "docs" / "glossary.md").read_text().splitlines()
    rows = [line.strip("|").split("|") for line in lines if line.startswith("|")]
    columns = [row[2].strip() for row in rows if len(row) == 3]
    words = [word.strip() for column in columns for word in column.split(",")]
    return [word for word in words if word and word != "Not" and not word.startswith("---")]


def test_texts_keep_to_the_words_of_the_glossary():
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, refused_words()))})\b", re.IGNORECASE)
    entries = catalogue(LANGUAGES[0])
    wrong = {entry.msgid: pattern.findall(entry.msgid) for entry in entries}
    assert {text: words for text, words in wrong.items() if words} == {}


def test_all_words_that_the_ledger_takes_from_models_are_in_the_catalogue():
    known = {capfirst(entry.msgid) for entry in catalogue(LANGUAGES[0])}
    shown = set()
    for name, of in all_operables().items():
        shown.add(labels.noun(name))
        for field in filter(partial(labels.is_shown, of), of.fields):
            choices = getattr(of.model._meta.get_field(field), "flatchoices", ())
            shown |= {labels.label(of, field)} | {str(word) for _value, word in choices}
    assert {capfirst(word) for word in shown} - known == set(), HOW


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("xgettext"), reason="needs xgettext (Debian: gettext)")
def test_every_message_of_the_product_is_in_every_catalogue(tmp_path):
    for name in SOURCES:
        shutil.copytree(
            ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("locale", "__pycache__")
        )
    (tmp_path / "locale").mkdir()
    subprocess.run(
        [sys.executable, "-m", "django", "makemessages", "-l", "de", "-v", "0"],
        cwd=tmp_path, check=True, capture_output=True, env={"PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    (made,) = tmp_path.rglob("django.po")
    product = {(e.msgctxt, e.msgid, e.msgid_plural) for e in polib.pofile(str(made))}
    for code in LANGUAGES:
        own = {(e.msgctxt, e.msgid, e.msgid_plural) for e in catalogue(code)}
        assert product - own == set(), HOW
        assert own - product == set(), HOW
