"""What READMEs, profiles and everything together say: by a model, else by basic mode.

What a model says beyond its source is dropped, with a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from django.utils import timezone
from django.utils.text import slugify
from pydantic import BaseModel

from futura.llm.client import ChatMessage, Llm
from projects.portfolio.corpus import (
    Corpus,
    Dates,
    PersonaSummary,
    ProfileDoc,
    ProjectContext,
    ProjectDoc,
    SocialLink,
)
from projects.portfolio.intake import periods
from projects.portfolio.intake import source_prompts as prompts
from projects.portfolio.intake.basic import persona as personas
from projects.portfolio.intake.basic import profile as profiles
from projects.portfolio.intake.basic import readme
from projects.portfolio.intake.config import Owner
from projects.portfolio.intake.failures import Code, Retries, Warned, understood
from projects.portfolio.intake.grounding import Ground
from projects.portfolio.intake.repositories import RepoConfig

MATERIAL_CHARS: Final = 40_000


@dataclass
class Reader:
    """Who reads for whom, by a model or without; `warn` hears of what was dropped."""

    owner: Owner
    retries: Retries = field(default_factory=Retries)
    llm: Llm = field(default_factory=Llm)
    model: str = ""
    has_model: bool = False
    warn: Callable[[Warned], None] = lambda _: None

    def dropped(self, item: str, what: str) -> None:
        """A model told what its source does not say."""
        self.warn(Warned(Code.LLM_UNGROUNDED, item, f"{what} does not stand in the source."))


def project(reader: Reader, text: str, repo: RepoConfig, page: str | None) -> ProjectDoc:
    """A README as a project. Raises Skipped, PreprocessError."""
    if not reader.has_model:
        return readme.project_of(text, repo, page)
    messages = prompts.readme_messages(text, repo.repo, repo.display_name)
    found = ask(reader, "portfolio_readme", messages, prompts.ReadmeAnswer, repo.project_id)
    ground = Ground(text)
    stack, languages = ground.named(found.tech_stack), ground.named(found.languages)
    for name in {*found.tech_stack, *found.languages} - {*stack, *languages}:
        reader.dropped(repo.project_id, f"“{name}”")
    span = found.timeframe
    return ProjectDoc(
        id=repo.project_id,
        slug=slugify(repo.project_id)[:120] or "project",
        name=(repo.display_name or found.name or repo.project_id)[:200],
        one_liner=(ground.told(found.one_liner) or "")[:400],
        description=ground.told(found.description) or "",
        impact_summary=ground.told(found.impact_summary),
        size_or_scope=ground.told(found.size_or_scope),
        tech_stack=stack,
        languages=languages,
        tags=[one.strip()[:60] for one in found.tags if one.strip()][:12],
        context=ProjectContext(
            type=found.context_type,
            organization=ground.kept(found.organization),
            role=ground.kept(found.role),
            timeframe=_dates(span, ground),
        ),
        bullets=[one for one in found.bullets if ground.figures_hold(one)],
        github_url=page,
        live_url=found.live_url if found.live_url and found.live_url in text else None,
    )


def _dates(span: prompts.SpanAnswer | None, ground: Ground) -> Dates | None:
    if span is None:
        return None
    start, end = _month(span.start, ground), _month(span.end, ground)
    if start and end and start > end:
        return None
    return Dates(start=start, end=end) if start or end else None


def _month(told: str | None, ground: Ground) -> str | None:
    """A month whose year stands in the source."""
    month = periods.normalised(told)
    return month if month and month[:4] in ground.text else None


def profile(reader: Reader, text: str) -> ProfileDoc:
    """A profile in Markdown as a record. Raises Skipped, PreprocessError."""
    if not reader.has_model:
        return profiles.profile_of(text, reader.owner.owner_name)
    messages = prompts.profile_messages(text, reader.owner.owner_name)
    found = ask(reader, "portfolio_profile", messages, prompts.ProfileAnswer, "the profile")
    ground = Ground(text)
    about = [one for one in found.about if ground.figures_hold(one)]
    private = profiles.contacts_of(text)
    return ProfileDoc(
        full_name=ground.kept(found.full_name) or reader.owner.owner_name,
        headline=ground.kept(found.headline),
        location=ground.kept(found.location),
        current_role=ground.kept(found.current_role),
        about=[one for one in about if not any(contact in one for contact in private)],
        top_skills=ground.named(found.top_skills),
        social_links=[
            SocialLink(platform=one.platform, label=one.label, url=one.url, blurb=one.blurb)
            for one in found.social_links
            if one.url in text and one.url.startswith(("https://", "http://"))
        ],
    )


def persona(reader: Reader, corpus: Corpus, voice: Sequence[str]) -> PersonaSummary:
    """How the owner speaks, from everything that was read. Raises Skipped, PreprocessError."""
    if not reader.has_model:
        return personas.persona_of(reader.owner, corpus, voice)
    owner = reader.owner
    material = _material(corpus, voice)
    messages = prompts.persona_messages(material, owner.owner_name, owner.domain_label)
    found = ask(reader, "portfolio_persona", messages, prompts.PersonaAnswer, "the persona")
    return PersonaSummary(
        system_persona=found.system_persona[:4_000],
        short_about=found.short_about[:400],
        style_guidelines=[one[:300] for one in found.style_guidelines[:12]],
        voice_examples=list(voice),
        generated_at=timezone.now(),
    )


def _material(corpus: Corpus, voice: Sequence[str]) -> str:
    told = corpus.profile
    lines = [
        *([told.full_name, told.headline or "", *told.about] if told else []),
        *(
            ". ".join(filter(None, (f"{one.title}, {one.company}", one.summary, *one.bullets)))
            for one in corpus.experiences
        ),
        *(f"{one.name}: {one.one_liner or one.description[:300]}" for one in corpus.projects),
        *voice,
    ]
    return "\n".join(filter(None, lines))[:MATERIAL_CHARS]


AnswerT = TypeVar("AnswerT", bound=BaseModel)


def ask(
    reader: Reader, stage: str, messages: list[ChatMessage], schema: type[AnswerT], what: str
) -> AnswerT:
    """One structured answer of the model. Raises Skipped when it refuses, PreprocessError."""
    version = str(schema.VERSION)  # type: ignore[attr-defined]
    return understood(
        what,
        lambda: reader.llm.structured(
            stage, messages, schema, prompt_version=version, model=reader.model
        ),
        reader.retries,
    )
