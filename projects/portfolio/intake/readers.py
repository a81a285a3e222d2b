"""Reads a source into drafts: by a model, which has to quote it, else by basic mode.

Of a model's answer only what stands in its source is taken over: names and sentences are located
there, and of a text in its own words every figure. What does not is left empty and marked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from django.utils import timezone
from pydantic import BaseModel

from futura.llm.client import ChatMessage, Llm
from futura.text import locate
from projects.portfolio.corpus import PersonaSummary
from projects.portfolio.intake import periods, prompts
from projects.portfolio.intake.basic import persona as basic_persona
from projects.portfolio.intake.basic import profile as basic_profile
from projects.portfolio.intake.basic import readme as basic_readme
from projects.portfolio.intake.basic import resume as basic_resume
from projects.portfolio.intake.config import Owner
from projects.portfolio.intake.drafts import Draft, identified
from projects.portfolio.intake.failures import Code, Retries, Warned, understood
from projects.portfolio.models import Entry, Experience, Profile

RESUME_CHARS: Final = 60_000
MATERIAL_CHARS: Final = 40_000
TAGS: Final = 12
# enumerations, and what is no text of the source
_GIVEN: Final = frozenset({"category", "experience_type", "context", "tags"})
_OWN_WORDS: Final = frozenset({"summary", "description", "impact", "size_or_scope", "bullets"})
"""Fields of an entry, and the paragraphs of a profile, in which a model may use its own words."""
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")

AnswerT = TypeVar("AnswerT", bound=BaseModel)


@dataclass
class Reader:
    """Who reads for whom, by a model or without; `warn` hears of what was left out."""

    owner: Owner
    retries: Retries = field(default_factory=Retries)
    llm: Llm = field(default_factory=Llm)
    model: str = ""
    has_model: bool = False
    warn: Callable[[Warned], None] = lambda _: None

    def resume(self, text: str) -> list[Draft]:
        """Every record of a resume. Raises Skipped, PreprocessError."""
        if not self.has_model:
            return basic_resume.drafts_of(text)
        messages = prompts.resume_messages(text[:RESUME_CHARS])
        answer = self._ask("portfolio_resume", messages, prompts.ResumeAnswer, "the resume")
        drafts: list[Draft] = []
        for kind, record in _records(answer):
            place = locate(record.quote, text)
            if place is None:
                self._dropped("resume", f"“{record.quote[:80]}”")
                continue
            values = record.model_dump(exclude={"quote", "kind", "is_voluntary"})
            draft = _draft(kind, place, values, text)
            if draft.missing:
                self._dropped("resume", f"“{draft.title or record.quote[:80]}”")
                continue
            drafts.append(draft)
        return identified(drafts)

    def entry(self, text: str, doc_id: str, *, name: str = "", page: str = "") -> list[Draft]:
        """The project that a README or a page is about. Raises Skipped, PreprocessError."""
        if not self.has_model:
            draft = basic_readme.draft_of(text)
        else:
            messages = prompts.readme_messages(text, doc_id, name)
            answer = self._ask("portfolio_readme", messages, prompts.ReadmeAnswer, doc_id)
            values = answer.model_dump()
            named = {"name": "title", "one_liner": "summary", "impact_summary": "impact"}
            named |= {"timeframe": "dates", "context_type": "context"}
            values = {named.get(key, key): value for key, value in values.items()}
            draft = _draft("entry", (0, len(text)), values, text, own_words=_OWN_WORDS)
            for one in {*answer.tech_stack, *answer.languages}:
                if one.strip() not in {*draft.values["tech_stack"], *draft.values["languages"]}:
                    self._dropped(doc_id, f"“{one}”")
            draft.values["tags"] = [one.strip()[:60] for one in answer.tags if one.strip()][:TAGS]
        draft.doc_id = doc_id
        draft.values["title"] = name or draft.values.get("title") or doc_id
        draft.values["repository_url"] = page
        return [draft]

    def profile(self, text: str) -> list[Draft]:
        """Who the owner is. Raises Skipped, PreprocessError."""
        if not self.has_model:
            return [basic_profile.draft_of(text)]
        messages = prompts.profile_messages(text, self.owner.owner_name)
        answer = self._ask("portfolio_profile", messages, prompts.ProfileAnswer, "the profile")
        values = answer.model_dump(exclude={"social_links"})
        draft = _draft("profile", (0, len(text)), values, text, own_words={"about"})
        private = basic_profile.contacts_of(text)
        draft.values["about"] = [
            one for one in draft.values["about"] if not any(part in one for part in private)
        ]
        draft.values["social_links"] = [
            one.model_dump()
            for one in answer.social_links
            if one.url in text and one.url.startswith(("https://", "http://"))
        ]
        return [draft]

    def persona(self, rows: Sequence[Any], voice: Sequence[str]) -> PersonaSummary:
        """How the owner speaks, from a portfolio's rows. Raises Skipped, PreprocessError."""
        if not self.has_model:
            return basic_persona.persona_of(self.owner, rows, voice)
        owner = self.owner
        material = _material(rows, voice)
        messages = prompts.persona_messages(material, owner.owner_name, owner.domain_label)
        answer = self._ask("portfolio_persona", messages, prompts.PersonaAnswer, "the persona")
        return PersonaSummary(
            system_persona=answer.system_persona[:4_000],
            short_about=answer.short_about[:400],
            style_guidelines=[one[:300] for one in answer.style_guidelines[:12]],
            voice_examples=list(voice),
            generated_at=timezone.now(),
        )

    def _dropped(self, item: str, what: str) -> None:
        """A model told what its source does not say."""
        self.warn(Warned(Code.LLM_UNGROUNDED, item, f"{what} does not stand in the source."))

    def _ask(
        self, stage: str, messages: list[ChatMessage], schema: type[AnswerT], what: str
    ) -> AnswerT:
        """One structured answer. Raises Skipped when the model refuses, PreprocessError."""
        version = str(schema.VERSION)  # type: ignore[attr-defined]
        return understood(
            what,
            lambda: self.llm.structured(
                stage, messages, schema, prompt_version=version, model=self.model
            ),
            self.retries,
        )


def _records(answer: prompts.ResumeAnswer) -> Iterator[tuple[str, Any]]:
    if answer.profile is not None:
        yield "profile", answer.profile
    for position in answer.experiences:
        yield "volunteering" if position.is_voluntary else "position", position
    yield from (("education", record) for record in answer.education)
    yield from (("award", record) for record in answer.awards)
    yield from ((record.kind, record) for record in answer.credentials)
    yield from (("skill", record) for record in answer.skills)


def _draft(
    kind: str,
    place: tuple[int, int],
    answer: dict[str, Any],
    text: str,
    own_words: frozenset[str] | set[str] = frozenset(),
) -> Draft:
    """What stands in the source; `unsure` names the fields of which something does not."""
    draft = Draft(kind, *place)
    for name, value in answer.items():
        check = _figures_stand if name in own_words else _stands
        if name in _GIVEN or isinstance(value, bool):
            draft.values[name] = value
        elif name == "dates":
            _put_dates(draft, value or {}, text)
        elif isinstance(value, list):
            draft.values[name] = [item.strip() for item in value if check(item, text)]
            draft.unsure += [name] if len(draft.values[name]) < len(value) else []
        elif name == "date":
            draft.values[name] = _month(value, text)
        elif value:
            is_there = check(value, text)
            draft.values[name] = value.strip() if is_there else ""
            draft.unsure += [] if is_there else [name]
    if draft.values.get("ended"):
        draft.values["is_current"] = False
    return draft


def _put_dates(draft: Draft, dates: dict[str, str | None], text: str) -> None:
    started, ended = _month(dates.get("start"), text), _month(dates.get("end"), text)
    if started and ended and started > ended:
        started = ended = ""
        draft.unsure += ["started", "ended"]
    draft.values |= {"started": started, "ended": ended}


def _month(value: str | None, text: str) -> str:
    """A month whose year stands in the source."""
    month = periods.normalised(value) or ""
    return month if month[:4] in text else ""


def _stands(words: str, text: str) -> bool:
    """Whether the words stand in the source, with the very figures."""
    place = locate(words, text)
    if place is None:
        return False
    return set(_NUMBER.findall(words)) <= set(_NUMBER.findall(text[slice(*place)]))


def _figures_stand(words: str, text: str) -> bool:
    return set(_NUMBER.findall(words)) <= set(_NUMBER.findall(text))


def _material(rows: Sequence[Any], voice: Sequence[str]) -> str:
    """What a voice is found in; only what visitors may know."""
    lines: list[str] = []
    for row in rows:
        if isinstance(row, Profile):
            lines += [row.full_name, row.headline, *row.about]
        elif isinstance(row, Experience):
            parts = (f"{row.title}, {row.company}", row.summary, *row.bullets)
            lines.append(". ".join(filter(None, parts)))
        elif isinstance(row, Entry):
            lines.append(f"{row.title}: {row.summary or row.description[:300]}")
    return "\n".join(filter(None, [*lines, *voice]))[:MATERIAL_CHARS]
