"""A portfolio, what it holds, where that was read, and the index visitors' questions go to."""

from __future__ import annotations

from projects.portfolio.models.corpus import (
    SCHEMA_VERSION,
    Document,
    DocumentVector,
    IndexBuild,
    IndexState,
    Source,
)
from projects.portfolio.models.portfolio import (
    Clearance,
    OpenQuestion,
    Persona,
    Portfolio,
    Profile,
    VisitMonth,
)
from projects.portfolio.models.work import (
    Award,
    Credential,
    Education,
    Entry,
    EntryImage,
    Experience,
    Skill,
    StoredImage,
)

__all__ = [
    "SCHEMA_VERSION", "Award", "Clearance", "Credential", "Document", "DocumentVector", "Education",
    "Entry", "EntryImage", "Experience", "IndexBuild", "IndexState", "OpenQuestion", "Persona",
    "Portfolio", "Profile", "Skill", "Source", "StoredImage", "VisitMonth",
]  # fmt: skip
