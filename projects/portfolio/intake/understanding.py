"""A model's answers as drafts: only what stands in the source is taken over.

Names and sentences are located there, and of a text in the model's own words every figure. What
does not stand there is left empty and marked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from futura.text import locate
from projects.portfolio import periods, vocabulary
from projects.portfolio.intake import prompts
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.models import Experience

# what is no text of the source
_GIVEN: Final = frozenset({"category", "experience_type", "context", "tags"})
_MONTHS: Final = frozenset({"started", "ended", "date"})
# fields of an entry in which a model may use its own words
_OWN_WORDS: Final = frozenset({"summary", "description", "impact", "size_or_scope", "bullets"})
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
# years as Japanese resumes count them, from the year before the first of each era
_ERAS: Final = {"昭和": 1925, "平成": 1988, "令和": 2018}
_ERA_YEAR: Final = re.compile(rf"({'|'.join(_ERAS)})\s*(元|\d{{1,2}})\s*年")
Drop = Callable[[str], None]
"""Hears of what a model told and its source does not say."""


def resume_drafts(answer: prompts.ResumeAnswer, text: str, drop: Drop) -> list[Draft]:
    """Every record of a resume that quotes its place."""
    drafts: list[Draft] = []
    for kind, record in _records(answer):
        place = locate(record.quote, text)
        values = record.model_dump(exclude={"quote", "kind"})
        draft = _draft(kind, place or (0, 0), values, text)
        if place is None or draft.missing:
            drop((place and draft.title) or record.quote[:80])
        else:
            drafts.append(draft)
    return drafts


def _records(answer: prompts.ResumeAnswer) -> Iterator[tuple[str, Any]]:
    if answer.profile is not None:
        yield "profile", answer.profile
    for position in answer.experience:
        is_voluntary = position.experience_type == Experience.Type.VOLUNTEER
        yield "volunteering" if is_voluntary else "position", position
    yield from (("education", record) for record in answer.education)
    yield from (("award", record) for record in answer.awards)
    yield from ((record.kind, record) for record in answer.credentials)
    yield from (("skill", record) for record in answer.skills)


def entry_draft(answer: prompts.ReadmeAnswer, text: str, drop: Drop) -> Draft:
    """The project that a README or a page is about."""
    draft = _draft("entry", (0, len(text)), answer.model_dump(), text, _OWN_WORDS)
    for name in dict.fromkeys([*answer.tech_stack, *answer.languages]):
        if name.strip() not in {*draft.values["tech_stack"], *draft.values["languages"]}:
            drop(name)
    return draft


def profile_draft(
    answer: prompts.ProfileAnswer, text: str, private_contact: Sequence[str]
) -> Draft:
    """Who the owner is; paragraphs with contact data are left out."""
    values = answer.model_dump(exclude={"social_links"})
    draft = _draft("profile", (0, len(text)), values, text, frozenset({"about"}))
    draft.values["about"] = [
        words
        for words in draft.values["about"]
        if not any(contact in words for contact in private_contact)
    ]
    draft.values["social_links"] = [
        link.model_dump(exclude_none=True)
        for link in answer.social_links
        if link.url in text and link.url.startswith(("https://", "http://"))
    ]
    return draft


def _draft(
    kind: str,
    place: tuple[int, int],
    answer: dict[str, Any],
    text: str,
    own_words: frozenset[str] = frozenset(),
) -> Draft:
    """What stands in the source; `unsure` names the fields of which something does not."""
    draft = Draft(kind, *place)
    for name, value in answer.items():
        check = _figures_stand if name in own_words else _stands
        if name in _GIVEN or isinstance(value, bool):
            draft.values[name] = value
        elif name in _MONTHS:
            draft.values[name] = _month(value, text)
            draft.unsure += [name] if value and not draft.values[name] else []
        elif isinstance(value, list):
            draft.values[name] = [words.strip() for words in value if check(words, text)]
            draft.unsure += [name] if len(draft.values[name]) < len(value) else []
        elif value:
            is_there = check(value, text)
            draft.values[name] = value.strip() if is_there else ""
            draft.unsure += [] if is_there else [name]
    started, ended = draft.values.get("started"), draft.values.get("ended")
    if started and ended and started > ended:
        draft.values |= {"started": "", "ended": ""}
        draft.unsure += ["started", "ended"]
    elif ended:
        draft.values["is_current"] = False
    return draft


def _month(value: str | None, text: str) -> str:
    """A month whose year stands in the source, be it as in 01/22 or 令和3年."""
    month = periods.normalised(value) or ""
    text = unicodedata.normalize("NFKC", text)
    # “3.11” is a version
    is_there = month[:4] in text or re.search(rf"(?:/|\b[01]\d\.|['’]){month[2:4]}(?![\d.])", text)
    years = {
        str(_ERAS[era] + int(year.replace("元", "1"))) for era, year in _ERA_YEAR.findall(text)
    }
    return month if is_there or month[:4] in years else ""


def _stands(words: str, text: str) -> bool:
    """Whether the words stand in the source, with the very figures; a tool by any of its names."""
    names = (words, *(vocabulary.spellings_of(words) - {words.casefold()}))
    places = ((name, locate(name, text)) for name in names)
    return any(place and _figures_stand(name, text[slice(*place)]) for name, place in places)


def _figures_stand(words: str, text: str) -> bool:
    said, there = (unicodedata.normalize("NFKC", part) for part in (words, text))
    return set(_NUMBER.findall(said)) <= set(_NUMBER.findall(there))
