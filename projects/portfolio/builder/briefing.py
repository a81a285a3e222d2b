"""What a prompt is told of an entry, its pictures and its owner: public fields, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from futura.text import shortened
from projects.portfolio.builder import calls, sections, topics
from projects.portfolio.builder.state import BuilderState
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry, EntryImage, Profile

ABOUT_CHARS = 1_200
BLOCK_CHARS = 1_500


def known(
    entry: Entry,
    images: Sequence[EntryImage],
    profile: Profile | None,
    state: BuilderState,
) -> Mapping[str, str]:
    """Named texts for the records of a prompt; empty ones stay out."""
    return {
        "entry": entry_text(entry),
        "description": blocks_text(entry),
        "pictures": pictures_text(images),
        "not told yet": ", ".join(
            str(topics.NAMES[one]) for one in topics.missing(entry, state.told)
        ),
        "asked before": ", ".join(
            str(topics.NAMES[one]) for one in state.asked if one in topics.NAMES
        ),
        "told": "\n".join(f"{name}: {text}" for name, text in state.told.items()),
        "owner": owner_text(entry, profile),
        "proposal on the screen": state.proposal.kind if state.proposal else "",
        "what publishing lacks": "\n".join(one.message for one in check(entry)),
    }


def entry_text(entry: Entry) -> str:
    """Fields that say something; status, type and place always."""
    lines = [f"status: {entry.status}", f"type: {entry.entry_type or '(not known)'}",
             f"location: {entry.location or '(not known)'}"]  # fmt: skip
    for name in (*calls.TEXTS, *calls.LISTS):
        value = getattr(entry, name)
        if value and name not in {"entry_type", "location"}:
            told = ", ".join(value) if isinstance(value, list) else value
            lines.append(f"{name}: {told}")
    return "\n".join(lines)


def blocks_text(entry: Entry) -> str:
    """The blocks with their numbers."""
    return "\n".join(
        f"{number}. [{one['type']}] {shortened(sections.say_of(one), BLOCK_CHARS)}"
        for number, one in enumerate(entry.blocks, start=1)
    )


def pictures_text(images: Sequence[EntryImage]) -> str:
    """The pictures with their numbers."""
    return "\n".join(
        f"{number}. {'hero; ' if one.is_hero else ''}alt: {one.alt or '(none)'}"
        + (f"; caption: {one.caption}" if one.caption else "")
        for number, one in enumerate(images, start=1)
    )


def owner_text(entry: Entry, profile: Profile | None) -> str:
    """Who the owner is; contact data and private notes never."""
    portfolio = entry.portfolio
    lines = [f"name: {portfolio.owner_name}", f"field: {portfolio.domain_label}"]
    if portfolio.pronouns:
        lines.append(f"pronouns: {portfolio.pronouns}")
    if profile is not None:
        lines += [profile.headline, f"lives in: {profile.location}" if profile.location else "",
                  f"works as: {profile.current_role}" if profile.current_role else "",
                  f"skills: {', '.join(profile.top_skills[:12])}" if profile.top_skills else "",
                  shortened(" ".join(profile.about), ABOUT_CHARS)]  # fmt: skip
    return "\n".join(filter(None, lines))
