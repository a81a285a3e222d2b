"""Connects projects to the positions in which they were made, by the exact name of the company."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from django.utils.translation import gettext as _

from projects.portfolio.corpus import ExperienceRecord
from projects.portfolio.intake.failures import Code, Warned
from projects.portfolio.intake.repositories import RepoConfig


def link(
    repos: Iterable[RepoConfig],
    experiences: Iterable[ExperienceRecord],
    warn: Callable[[Warned], None],
) -> None:
    """Fills `linked_projects` of the positions, case aside; a company nobody worked at is told."""
    by_company: dict[str, list[ExperienceRecord]] = {}
    for one in experiences:
        by_company.setdefault(_key(one.company), []).append(one)
    for repo in repos:
        for company in repo.linked_to_companies:
            positions = by_company.get(_key(company))
            if positions is None:
                told = f"no experience was found for the company “{company}”."
                warn(Warned(Code.COMPANY_NOT_FOUND, repo.project_id, told))
            for one in positions or ():
                if repo.project_id not in one.linked_projects:
                    one.linked_projects.append(repo.project_id)


def _key(company: str) -> str:
    return " ".join(company.split()).casefold()


def listing(experiences: Sequence[ExperienceRecord]) -> list[str]:
    """The names to use in `linkedToCompanies`, as lines to print."""
    if not experiences:
        return []
    lines = [_("Found experiences (use these exact company names in linkedToCompanies):")]
    for one in experiences:
        start = (one.dates.start if one.dates else None) or "?"
        end = _("present") if one.is_current else (one.dates.end if one.dates else None) or "?"
        lines.append(f'   • "{one.company}" — {one.title} ({start} to {end})')
    return lines
