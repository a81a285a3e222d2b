"""Two made-up languages: every message accented or in Arabic letters, two fifths longer.

Letters are replaced, so that no message can be confused with one that was never translated.
Placeholders, tags, entities, addresses and plurals stay as they are.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import allauth
import django
import polib
from django.conf import settings

LONG: Final = "qps"
RIGHT_TO_LEFT: Final = "qpr"
ACCENTED: Final = "äƀçđéƒğħïĵķļɱñöþɋŕšŧüṽŵẋýž"
ARABIC: Final = "ابجدهفغحيكقلمنوثطرسشعخظضصز"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_ALPHABETS: Final = {
    LONG: str.maketrans(_LETTERS + _LETTERS.upper(), ACCENTED + ACCENTED.upper()),
    RIGHT_TO_LEFT: str.maketrans(_LETTERS + _LETTERS.upper(), ARABIC * 2),
}
_FIXED: Final = re.compile(r"(%\(\w+\)[sd]|%[sd%]|\{[^}]*\}|<[^>]*>|&#?\w+;|https?://\S+|\n)")
_VOWEL: Final = re.compile(r"([aeiou])")


def translated(text: str, language: str) -> str:
    """The message in the language; every small vowel stands twice."""
    parts = _FIXED.split(text)
    parts[::2] = [_VOWEL.sub(r"\1\1", part).translate(_ALPHABETS[language]) for part in parts[::2]]
    return "".join(parts)


def write_catalogues(folder: Path) -> None:
    """The compiled catalogues of both languages, of what the product and its libraries say."""
    entries = {(item.msgctxt, item.msgid): item for item in _entries()}.values()
    for language in (LONG, RIGHT_TO_LEFT):
        catalogue = polib.POFile()
        catalogue.metadata = {
            "Content-Type": "text/plain; charset=utf-8",
            "Plural-Forms": "nplurals=2; plural=(n != 1);",
        }
        for entry in entries:
            text, plural = entry.msgid, entry.msgid_plural
            forms = {0: translated(text, language), 1: translated(plural, language)}
            catalogue.append(
                polib.POEntry(
                    msgctxt=entry.msgctxt,
                    msgid=text,
                    msgid_plural=plural,
                    msgstr="" if plural else forms[0],
                    msgstr_plural=forms if plural else {},
                )
            )
        place = folder / language / "LC_MESSAGES"
        place.mkdir(parents=True)
        catalogue.save_as_mofile(str(place / "django.mo"))


def _entries() -> list[polib.POEntry]:
    """Every message; the product's come last and stand."""
    libraries = [Path(django.__file__).parent, Path(allauth.__file__).parent]
    sources = [
        path for library in libraries for path in library.rglob("locale/en/LC_MESSAGES/django.po")
    ]
    sources.append(Path(settings.BASE_DIR, "futura", "locale", "de", "LC_MESSAGES", "django.po"))
    return [entry for source in sources for entry in polib.pofile(str(source))]
