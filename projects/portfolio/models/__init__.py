"""A portfolio, what it holds, where that was read, and the index visitors' questions go to."""

from __future__ import annotations

from projects.portfolio.models.entry import Entry, EntryImage, StoredImage
from projects.portfolio.models.indexes import Document, DocumentVector, IndexBuild, IndexState
from projects.portfolio.models.portfolio import (
    Clearance,
    OpenQuestion,
    Persona,
    Portfolio,
    Profile,
    VisitMonth,
)
from projects.portfolio.models.resume import Award, Credential, Education, Experience, Skill
from projects.portfolio.models.sources import PreprocessRun, Source

__all__ = [
    "Award",
    "Clearance",
    "Credential",
    "Document",
    "DocumentVector",
    "Education",
    "Entry",
    "EntryImage",
    "Experience",
    "IndexBuild",
    "IndexState",
    "OpenQuestion",
    "Persona",
    "Portfolio",
    "PreprocessRun",
    "Profile",
    "Skill",
    "Source",
    "StoredImage",
    "VisitMonth",
]
