"""Commands on the fields of an entry."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final, Literal

from django.utils.translation import gettext as _
from pydantic import Field

from chat.commands.base import Command, Scope
from chat.operations.changes import Change
from chat.operations.registry import operable
from futura.errors import BadInput
from projects.portfolio.entries import changes
from projects.portfolio.models import Entry

Texts = tuple[str, ...]
Clearable = Literal[
    "entry_type", "location", "summary", "impact", "size_or_scope", "role", "organization",
    "context", "started", "ended", "repository_url", "live_url", "seo_title", "seo_description",
    "tags", "materials", "techniques", "tech_stack", "languages",
]  # fmt: skip


class ChangeEntry(Command):
    """Changes fields of an entry of a portfolio: title, summary, dates, tags and the like.

    A list replaces the one that stands.
    """

    name: ClassVar[str] = "change_entry"
    area: ClassVar[str] = "portfolio"
    clearable: ClassVar[frozenset[str]] = frozenset(
        {"entry_type", "location", "summary", "impact", "size_or_scope", "role", "organization",
         "context", "started", "ended", "repository_url", "live_url", "seo_title",
         "seo_description", "tags", "materials", "techniques", "tech_stack", "languages"}
    )  # fmt: skip

    id: uuid.UUID = Field(description="Id of the entry.")
    title: str | None = Field(None, min_length=1)
    entry_type: str | None = Field(None, description="Such as: web service, chair, study.")
    location: str | None = None
    summary: str | None = Field(None, description="One line.")
    impact: str | None = Field(None, description="What came of it.")
    size_or_scope: str | None = None
    role: str | None = Field(None, description="What the owner did themselves.")
    organization: str | None = Field(None, description="For whom, or at which company.")
    context: Literal["personal", "work", "oss", "academic", "other"] | None = None
    started: str | None = Field(None, description="YYYY-MM or YYYY")
    ended: str | None = Field(None, description="YYYY-MM or YYYY")
    repository_url: str | None = None
    live_url: str | None = None
    seo_title: str | None = Field(None, description="Title for search engines.")
    seo_description: str | None = Field(None, description="Text for search engines.")
    tags: Texts | None = None
    materials: Texts | None = None
    techniques: Texts | None = None
    tech_stack: Texts | None = Field(None, description="Software and tools.")
    languages: Texts | None = Field(None, description="Programming languages.")
    clear: tuple[Clearable, ...] = Field((), description="Fields to empty.")
    version: int | None = Field(None, description="The version that was seen.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput, TooLong."""
        entry = scope.get(Entry, self.id)
        values = self.values()
        if not values:
            raise BadInput(_("Say what shall change."), field="id")
        return [changes.updated(entry, values, version=self.version or entry.version)]

    def values(self) -> dict[str, Any]:
        """What is given, by field; emptied ones empty."""
        given = self.model_dump(mode="json", exclude_none=True, exclude={"id", "clear", "version"})
        lists = {"tags", "materials", "techniques", "tech_stack", "languages"}
        return {name: [] if name in lists else "" for name in self.clear} | given

    @property
    def ledger_title(self) -> str:
        """“Edited the entry”."""
        return _("Edited the entry")

    def sentence(self, scope: Scope) -> str:
        """“Change title and tags of Reading app”."""
        labels = operable("portfolio_entry").labels
        names = [str(labels.get(name, name)).lower() for name in self.values()]
        told = {"fields": ", ".join(names), "entry": scope.get(Entry, self.id)}
        return _("Change %(fields)s of %(entry)s") % told


COMMANDS: Final = (ChangeEntry,)
