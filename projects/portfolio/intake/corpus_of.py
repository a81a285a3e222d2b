"""A portfolio's rows as the corpus that a voice is found in; only what visitors may know."""

from __future__ import annotations

from projects.portfolio.corpus import (
    Corpus,
    Dates,
    ExperienceRecord,
    ProfileDoc,
    ProjectDoc,
)
from projects.portfolio.intake.config import Owner
from projects.portfolio.models import Entry, Experience, Portfolio, Profile


def owner_of(portfolio: Portfolio) -> Owner:
    """Who the portfolio belongs to, as the reading steps know it."""
    return Owner.model_construct(
        owner_id=portfolio.slug,
        owner_name=portfolio.owner_name,
        owner_pronouns=portfolio.pronouns,
        domain_label=portfolio.domain_label,
        portfolio_kind=portfolio.kind,  # type: ignore[arg-type]
    )


def corpus_of(portfolio: Portfolio) -> Corpus:
    """Profile, positions and entries. Three queries."""
    alive = {"portfolio": portfolio, "deleted_at": None}
    profile = Profile.objects.filter(**alive).first()
    return Corpus(
        projects=[_project(one) for one in Entry.objects.filter(**alive)],
        resume=[_experience(one) for one in Experience.objects.filter(**alive)],
        profile=_profile(profile) if profile else None,
    )


def _project(row: Entry) -> ProjectDoc:
    return ProjectDoc(
        id=row.doc_id,
        slug=row.slug,
        name=row.title or row.doc_id,
        one_liner=row.summary,
        description=row.description,
    )


def _experience(row: Experience) -> ExperienceRecord:
    return ExperienceRecord(
        id=row.doc_id,
        company=row.company,
        title=row.title,
        dates=Dates(start=row.started or None, end=row.ended or None),
        is_current=row.is_current,
        summary=row.summary or None,
        bullets=row.bullets,
    )


def _profile(row: Profile) -> ProfileDoc:
    return ProfileDoc(
        full_name=row.full_name,
        headline=row.headline or None,
        location=row.location or None,
        current_role=row.current_role or None,
        about=row.about,
        top_skills=row.top_skills,
    )
