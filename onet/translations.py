"""The catalogue in other languages, by the model: statements of it, and job titles that it lacks.

The catalogue itself stays as it is. A translation belongs to the English words, so it holds for a
statement that another release has, too; all share it.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from django.core.cache import cache
from redis.exceptions import RedisError

from futura.errors import ModelUnavailable
from futura.llm.checks import Reason
from futura.llm.client import Llm, each_side_by_side
from onet import queries
from onet.candidates import OccupationHit
from onet.models import ENGLISH_CHARS, StatementTranslation
from onet.prompts import (
    EnglishTitles,
    StatementTranslations,
    title_messages,
    translation_messages,
)

log = logging.getLogger(__name__)

STAGE: Final = "statement_translation"
TITLE_STAGE: Final = "title_translation"
TITLES: Final = 3
TITLES_KEPT_S: Final = 24 * 3600
AT_ONCE: Final = 25
CHARS: Final = 300


def is_english(language: str) -> bool:
    """Whether a tag such as `en-GB` names the catalogue's own language."""
    return language.lower().partition("-")[0] in {"", "en"}


def translations_of(statements: Iterable[str], language: str) -> dict[str, str]:
    """What is known of them, by the English words. One query; none for English or for nothing."""
    requested = set(filter(None, statements))
    if is_english(language) or not requested:
        return {}
    translations = StatementTranslation.objects.filter(
        language=language.lower(), english__in=requested
    )
    return dict(translations.values_list("english", "text"))


def translate(statements: Iterable[str], language: str, *, llm: Llm) -> int:
    """Has the model translate those that have none yet; how many were written.

    What structure refuses is left in English, and so is what a failing model owes; what came is
    kept. Nothing without a model.
    """
    usable = [fromkey for fromkey in dict.fromkeys(statements) if 0 < len(fromkey) <= ENGLISH_CHARS]
    if is_english(language) or not llm.is_configured:
        return 0
    existing = translations_of(usable, language)
    missing = [item for item in usable if item not in existing]

    def ask(some: Sequence[str]) -> int:
        texts = _model_translations(some, language, llm)
        rows = [
            StatementTranslation(english=english, language=language.lower(), text=text)
            for english, text in texts.items()
        ]
        StatementTranslation.objects.bulk_create(rows, ignore_conflicts=True)
        return len(rows)

    parts = [missing[start : start + AT_ONCE] for start in range(0, len(missing), AT_ONCE)]
    written = 0
    for some, outcome in zip(parts, each_side_by_side(ask, parts), strict=True):
        if isinstance(outcome, ModelUnavailable):
            log.warning("%d statements were not translated: %s", len(some), outcome.reason)
        else:
            written += outcome
    return written


def _model_translations(statements: Sequence[str], language: str, llm: Llm) -> dict[str, str]:
    """The model's usable translations, by the English words. Raises ModelUnavailable."""
    answer = llm.structured(
        STAGE, translation_messages(statements, language), StatementTranslations
    )
    texts: dict[str, str] = {}
    refused: Counter[str] = Counter()
    for item in answer.translations:
        text = " ".join(item.text.split())
        if not 1 <= item.number <= len(statements):
            refused[Reason.UNKNOWN_ID] += 1
        elif statements[item.number - 1] in texts:
            refused[Reason.NAMED_TWICE] += 1
        elif fault := _fault(text):
            refused[fault] += 1
        else:
            texts[statements[item.number - 1]] = text
    llm.checked(STAGE, used=len(texts), refused=refused)
    return texts


def _fault(text: str) -> str:
    """Why a text is no translation; empty when it may be one."""
    if not text:
        return Reason.EMPTY
    if len(text) > CHARS:
        return Reason.TOO_LONG
    return Reason.MARKUP if "<" in text or ">" in text else ""


def occupations_named(title: str, *, llm: Llm | None, limit: int = 5) -> list[OccupationHit]:
    """The occupations that the English names of a job title may mean, those of the likeliest first.

    Without a model, those of a title that one was asked for within a day.
    """
    hits: dict[str, OccupationHit] = {}
    for name in _english_titles(title, llm):
        for hit in queries.pick_occupations(name, limit=limit):
            hits.setdefault(hit.code, hit)
    return list(hits.values())[:limit]


def _english_titles(title: str, llm: Llm | None) -> list[str]:
    key = "title:" + hashlib.sha256(title.casefold().encode()).hexdigest()
    with suppress(RedisError):
        existing: list[str] | None = cache.get(key)
        if existing is not None:
            return existing
    if llm is None or not llm.is_configured:
        return []
    try:
        answer = llm.structured(TITLE_STAGE, title_messages(title), EnglishTitles)
    except ModelUnavailable as error:
        log.warning("a job title was not translated: %s", error.reason)
        return []
    names = [" ".join(name.split()) for name in answer.titles[:TITLES]]
    usable = [name for name in names if not _fault(name)]
    llm.checked(TITLE_STAGE, used=len(usable), refused=Counter(filter(None, map(_fault, names))))
    with suppress(RedisError):
        cache.set(key, usable, TITLES_KEPT_S)
    return usable
