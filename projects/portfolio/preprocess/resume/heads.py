"""What stands above and in the summary of a resume, as a first profile; its contacts stay apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from projects.portfolio.corpus import ProfileDoc
from projects.portfolio.preprocess.resume import wording
from projects.portfolio.preprocess.resume.entries import pieces_of
from projects.portfolio.preprocess.resume.sections import BULLET, Section

LINES: Final = 8
"""Of the head, that are looked at."""


def profile_of(sections: Sequence[Section], owner_name: str) -> ProfileDoc | None:
    """Headline, place and summary in the resume's own words; None where it tells neither."""
    head = [line for line in sections[0].lines if line.strip()][:LINES] if sections else []
    pieces = [pieces_of([line]) for line in head if not wording.contacts_in(line)]
    with_contacts = [pieces_of([line]) for line in head if wording.contacts_in(line)]
    about = [
        paragraph
        for section in sections
        if section.kind == "summary"
        for paragraph in _paragraphs(section.lines)
    ]
    headline = next((one for piece in pieces for one in piece.titles), "")
    places = (one for piece in [*pieces, *with_contacts] for one in piece.places)
    if not headline and not about:
        return None
    return ProfileDoc(
        full_name=owner_name,
        headline=headline or None,
        location=next(places, None),
        about=[one for one in about if not wording.contacts_in(one)],
    )


def contacts_of(sections: Sequence[Section]) -> list[str]:
    """Mail addresses and telephone numbers above the first heading."""
    return wording.contacts_in("\n".join(sections[0].lines)) if sections else []


def _paragraphs(lines: Sequence[str]) -> list[str]:
    blocks = re.split(r"\n\s*\n", "\n".join(BULLET.sub("", line) for line in lines))
    return [" ".join(one.split()) for one in blocks if one.strip()]
