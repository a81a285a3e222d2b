"""Statements of the catalogue in other languages, by the model: kept beside it, shared by all.

The catalogue itself stays as it is. A translation belongs to the English words, so it holds for a
statement that another release has, too.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from futura.errors import ModelUnavailable
from futura.llm.checks import Reason
from futura.llm.client import Llm
from onet.models import ENGLISH_CHARS, StatementTranslation
from onet.prompts import StatementTranslations, translation_messages

log = logging.getLogger(__name__)

STAGE: Final = "statement_translation"
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

    What structure refuses is left in English. Nothing without a model, which may also end in the
    middle: what came is kept.
    """
    usable = [fromkey for fromkey in dict.fromkeys(statements) if 0 < len(fromkey) <= ENGLISH_CHARS]
    if is_english(language) or not llm.is_configured:
        return 0
    existing = translations_of(usable, language)
    missing = [item for item in usable if item not in existing]
    written = 0
    for start in range(0, len(missing), AT_ONCE):
        some = missing[start : start + AT_ONCE]
        try:
            texts = _model_translations(some, language, llm)
        except ModelUnavailable as error:
            log.warning("%d statements were not translated: %s", len(some), error.reason)
            break
        rows = [
            StatementTranslation(english=english, language=language.lower(), text=text)
            for english, text in texts.items()
        ]
        StatementTranslation.objects.bulk_create(rows, ignore_conflicts=True)
        written += len(rows)
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
