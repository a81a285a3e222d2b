"""How the owner speaks, by rules: measured on their own words; and their examples of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Final

from django.utils import timezone

from projects.portfolio.corpus import Corpus, PersonaSummary, ProfileDoc
from projects.portfolio.preprocess.config import Owner
from projects.portfolio.preprocess.failures import Code, PreprocessError
from projects.portfolio.preprocess.sentences import sentences_of

SHORT_CHARS: Final = 200
EXAMPLES: Final = 40
EXAMPLE_CHARS: Final = 1_000
LARGEST_BYTES: Final = 200_000
_EXCHANGE: Final = re.compile(r"\s*USER:\s*\S.*?\bCHATBOT:\s*\S.*", re.DOTALL)
_CONTRACTION: Final = re.compile(r"\b\w+['’](?:m|s|re|ve|ll|d|t)\b", re.IGNORECASE)


def persona_by_rules(owner: Owner, corpus: Corpus, voice: Sequence[str]) -> PersonaSummary:
    """A persona from the profile, the latest position and the skills. Needs a profile."""
    profile = corpus.profile or ProfileDoc(full_name=owner.owner_name)
    return PersonaSummary(
        system_persona=_system(owner, profile, corpus),
        short_about=short_about(owner, profile),
        style_guidelines=_style(profile.about, voice),
        voice_examples=list(voice),
        generated_at=timezone.now(),
    )


def short_about(owner: Owner, profile: ProfileDoc) -> str:
    """One or two lines in which the owner says who they are."""
    is_one = owner.portfolio_kind == "individual"
    opening = (
        f"{'I’m' if is_one else 'We’re'} {owner.owner_name}, {_article(owner, is_one=is_one)}."
    )
    words = profile.headline or next(iter(profile.about), "")
    first = next((one.text for one in sentences_of(words)), "")
    longer = f"{opening} {first}".strip()
    return longer if len(longer) <= SHORT_CHARS else opening


def _article(owner: Owner, *, is_one: bool) -> str:
    label = owner.domain_label
    article = "an" if label[:1].lower() in "aeiou" else "a"
    return f"{article} {label}" if is_one or not label.endswith("s") else label


def _system(owner: Owner, profile: ProfileDoc, corpus: Corpus) -> str:
    """Who is speaking, told to a model; facts only."""
    pronouns = f" ({owner.owner_pronouns})" if owner.owner_pronouns else ""
    kind = {"individual": "a person", "team": "a team", "organization": "an organisation"}
    who = (
        f"You speak as {owner.owner_name}{pronouns}, {kind[owner.portfolio_kind]}: "
        f"{_article(owner, is_one=owner.portfolio_kind == 'individual')}."
    )
    lines = [
        who,
        profile.headline and f"In their own words: {profile.headline}",
        profile.location and f"Location: {profile.location}.",
        profile.current_role and f"Now: {profile.current_role}.",
    ]
    latest = next((one for one in corpus.experiences if one.is_current), None)
    if latest and not profile.current_role:
        lines.append(f"Now: {', '.join(filter(None, (latest.title, latest.company)))}.")
    if profile.top_skills:
        lines.append(f"Known for: {', '.join(profile.top_skills[:8])}.")
    return "\n".join(filter(None, lines))


def _style(about: Sequence[str], voice: Sequence[str]) -> list[str]:
    """How they write, as measured."""
    answers = [one.partition("CHATBOT:")[2].strip() for one in voice]
    text = " ".join([*about, *answers])
    sentences = [one.text for one in sentences_of(text)]
    if not sentences:
        return ["Plain, friendly, first person."]
    length = mean(len(one.split()) for one in sentences)
    found = ["Speak in the first person."]
    found.append(
        "Short sentences." if length < 12 else "Sentences of middle length." if length < 22
        else "Long, connected sentences."
    )  # fmt: skip
    shortened = len(_CONTRACTION.findall(text)) / len(sentences)
    found.append("Contractions are welcome." if shortened > 0.15 else "Few contractions.")
    if text.count("!") / len(sentences) > 0.15:
        found.append("Lively; an exclamation mark now and then.")
    if answers and mean(one[:1].islower() for one in answers) > 0.5:
        found.append("Casual; sentences may begin in lower case.")
    return found


def read_voice(file: Path) -> list[str]:
    """The examples in a JSON file: a list, or an object with `voiceExamples`.

    Raises PreprocessError for a file of another form.
    """
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise _invalid(file, "it is too large")
        told = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise _invalid(file, f"it cannot be read ({error})") from error
    examples = told.get("voiceExamples", []) if isinstance(told, dict) else told
    return checked_voice(examples, file)


def checked_voice(examples: object, file: Path) -> list[str]:
    """Examples of the form “USER: … CHATBOT: …”. Raises PreprocessError."""
    if not isinstance(examples, list) or not all(isinstance(one, str) for one in examples):
        raise _invalid(file, "voiceExamples must be a list of texts")
    for place, one in enumerate(examples, start=1):
        if not _EXCHANGE.fullmatch(one) or len(one) > EXAMPLE_CHARS:
            raise _invalid(file, f"example {place} is not of the form “USER: … CHATBOT: …”")
    return [" ".join(one.split()) for one in examples[:EXAMPLES]]


def _invalid(file: Path, why: str) -> PreprocessError:
    return PreprocessError(Code.VOICE_INVALID, f"voice examples in {file.name}: {why}.")
