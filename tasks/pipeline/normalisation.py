"""Step 2: from raw words to task statements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from futura.llm.client import Llm
from futura.text import content_stems, words
from tasks.language.lexicon import ACTION_NOUNS, WORK_NOUNS
from tasks.language.normalise import MAX_WORDS, statement_of
from tasks.language.verbs import forms_of, is_base
from tasks.pipeline.prompts import NormalisationAnswer, normalisation_messages

_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b", re.IGNORECASE
)
_PLAIN_VERBS: Final = (
    frozenset(
        """do perform conduct handle manage make give prepare provide attend carry complete run work
    use keep maintain coordinate support develop create produce write design process answer
    monitor lead organize""".split()
    )
    | frozenset(WORK_NOUNS.values())
    | frozenset(ACTION_NOUNS.values())
)
"""Verbs that may stand in front although the person did not say them."""


def normalise_by_rules(raws: Sequence[str]) -> list[str]:
    """A statement for each raw task, in order; the raw words where no statement comes of them."""
    return [statement_of(raw) or raw.strip() for raw in raws]


def normalise_with_model(raws: Sequence[str], *, llm: Llm) -> list[str]:
    """A statement for each raw task by the model; by rules where its statement does not hold.

    Raises ModelUnavailable.
    """
    by_rules = normalise_by_rules(raws)
    if not raws:
        return by_rules
    answer = llm.structured(
        "normalisation",
        normalisation_messages(raws),
        NormalisationAnswer,
        prompt_version=NormalisationAnswer.VERSION,
    )
    worded = {item.number: item for item in reversed(answer.normalized_tasks)}
    statements = list(by_rules)
    for index, raw in enumerate(raws):
        item = worded.get(index + 1)
        statement = tidied(item.normalized) if item else ""
        if item and holds(statement, raw):
            statements[index] = statement
    return statements


def tidied(statement: str) -> str:
    """One line, a capital first, no full stop at the end."""
    line = " ".join(statement.split()).strip(" .;,\"'“”")
    return line[:1].upper() + line[1:]


def holds(statement: str, raw: str) -> bool:
    """Whether a statement is about its original, impersonal, short, and adds nothing."""
    said = words(statement)
    if not said or len(said) > MAX_WORDS or _FIRST_PERSON.search(statement):
        return False
    if not is_base(said[0]):
        return False
    given = _known_stems(raw)
    rest = content_stems(" ".join(said[1:]))
    if rest - given:
        return False
    verb_said = content_stems(said[0])
    if not verb_said <= given and said[0] not in _PLAIN_VERBS:
        return False
    wanted = content_stems(raw)
    kept = wanted & (rest | verb_said)
    return not wanted or len(kept) >= min(2, len(wanted)) or len(kept) / len(wanted) >= 0.5


def _known_stems(raw: str) -> frozenset[str]:
    """Stems of the raw words, of the verbs in them, and of what the rules would call them."""
    known = set(content_stems(raw)) | set(content_stems(statement_of(raw)))
    for word in words(raw):
        known |= content_stems(" ".join(forms_of(word).values()))
        known |= content_stems(ACTION_NOUNS.get(word, ""))
    return frozenset(known)
