"""The product's settings for walks in made-up languages, whose catalogues lie in a folder."""

import os
from pathlib import Path

from django.conf.locale import LANG_INFO

from futura.settings import *  # noqa: F403
from futura.settings import LANGUAGES as _LANGUAGES, LOCALE_PATHS as _LOCALE_PATHS
from tests.browser.pseudo import LONG, RIGHT_TO_LEFT

RATE_LIMITS = False  # all walks come from one address
if folder := os.environ.get("PSEUDO_LOCALES"):
    LOCALE_PATHS = [*_LOCALE_PATHS, Path(folder)]
    LANGUAGES = [*_LANGUAGES, (LONG, "Long"), (RIGHT_TO_LEFT, "Right to left")]
    LANGUAGES_BIDI = [RIGHT_TO_LEFT]
    LANG_INFO |= {
        code: {"bidi": code == RIGHT_TO_LEFT, "code": code, "name": name, "name_local": name}
        for code, name in LANGUAGES[-2:]
    }
