"""Drafts: records as they were read, with their place in the source, before anybody confirmed them.

A draft is JSON in its source's row until its owner has checked it. Its values are those of the
schema of its kind: what that does not accept is left empty and marked.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from futura.errors import BadInput
from projects.portfolio import periods
from projects.portfolio.models import Entry
from projects.portfolio.schema import kinds
from projects.portfolio.schema.fields import Field, Text, tidied
from projects.portfolio.schema.kinds import Kind


def _of(slug: str, name: Text = "", *, without: Collection[str] = (), **fixed: str) -> Kind:
    """A kind of the schema's records, as far as a source can say it."""
    kind = kinds.KINDS[slug]
    fields = readable(kind.fields, {*without, *fixed})
    return replace(kind, name=name or kind.name, fields=fields, fixed=fixed)


def readable(fields: Iterable[Field], without: Collection[str] = ()) -> tuple[Field, ...]:
    """Those that a source can say."""
    return tuple(
        field
        for field in fields
        if field.name not in without and not field.is_private and not field.shape.is_rows
    )


# what no source says of an entry
_UNSAID: Final = frozenset(
    {"seo_title", "seo_description", "hide_from_chat", "private_notes"}
    | {"entry_type", "location", "materials", "techniques"}
)
_TITLE: Final = replace(kinds.ENTRY[0], is_required=True)
_SPOKEN: Final = frozenset({"issuer", "date", "summary"})
KINDS: Final[Mapping[str, Kind]] = {
    "entry": Kind(
        "entry", Entry, _("Entry"), "", "",
        (_TITLE, *readable(kinds.ENTRY, {*_UNSAID, _TITLE.name})), ("title",),
        prefix="project", names=("title",),
    ),
    "profile": _of("profile"),
    "position": _of("experience", _("Position")),
    "volunteering": _of("experience", _("Volunteering"), experience_type="volunteer"),
    "education": _of("education"),
    "award": _of("awards", _("Award")),
    "publication": _of(
        "credentials", _("Publication"), without={"level"}, kind="publication"
    ),
    "certificate": _of(
        "credentials", _("Certificate"), without={"level"}, kind="certificate"
    ),
    "language": _of("credentials", _("Language"), without=_SPOKEN, kind="language"),
    "skill": _of("skills", _("Skill")),
}  # fmt: skip
# said by no form: contact data, which stay private, and ids of the entries made at a position
_BESIDE: Final = frozenset({"private_contact", "linked_entries"})


@dataclass
class Draft:
    """A record that waits to be confirmed; `kind` is empty where nobody knows what it is.

    `start` and `end` are its place in the source's text; both 0 for none. `unsure` names fields
    that were left empty or could not be verified, `corrected` those that a person has written.
    """

    kind: str
    start: int = 0
    end: int = 0
    values: dict[str, Any] = field(default_factory=dict)
    unsure: list[str] = field(default_factory=list)
    corrected: list[str] = field(default_factory=list)
    doc_id: str = ""
    key: str = field(default_factory=lambda: uuid.uuid4().hex[:8])

    @property
    def missing(self) -> list[str]:
        """Fields without which it cannot be stored; `kind` where that is not known."""
        kind = KINDS.get(self.kind)
        return [name for name in kind.required if not self.values.get(name)] if kind else ["kind"]

    @property
    def needs_look(self) -> bool:
        return bool(self.missing or self.unsure)

    @property
    def title(self) -> str:
        named = ("full_name", "title", "company", "degree", "institution", "name", "headline")
        return " — ".join(str(self.values[name]) for name in named if self.values.get(name))

    @property
    def period(self) -> str:
        """When it was, as the pages that it gets will say it: an entry without an end goes on."""
        first, last, day = (
            str(self.values.get(name) or "") for name in ("started", "ended", "date")
        )
        is_current = bool(self.values.get("is_current", self.kind == "entry"))
        return periods.month(day) or periods.period_text(first, last, is_current=is_current)


def as_json(drafts: Iterable[Draft]) -> list[dict[str, Any]]:
    return [asdict(draft) for draft in drafts]


def from_json(stored: Iterable[Mapping[str, Any]]) -> list[Draft]:
    return [Draft(**draft) for draft in stored]


def finished(drafts: Sequence[Draft]) -> list[Draft]:
    """Drafts with values that the schema accepts, and ids.

    An id is made of what was read: correcting does not change it. What lacks something has none.
    """
    ids = {draft.doc_id for draft in drafts}
    for draft in drafts:
        kind = KINDS.get(draft.kind)
        if kind is None:
            continue
        draft.values = _accepted(kind, draft)
        if kind.names and not draft.doc_id and not draft.missing:
            draft.doc_id = kind.id_for(draft.values, taken=ids)
            ids.add(draft.doc_id)
    return list(drafts)


def _accepted(kind: Kind, draft: Draft) -> dict[str, Any]:
    """Values by field, cut to what a row holds; what is refused is marked."""
    values = {name: draft.values[name] for name in _BESIDE if draft.values.get(name)}
    for own in kind.fields:
        value = draft.values.get(own.name)
        if value is None:
            continue
        if isinstance(value, str) and own.shape.size and not own.shape.choices:
            value = value.strip()[: own.shape.size]
        accepted = _fitting(kind, own.name, value)
        if accepted is None and isinstance(value, list):
            accepted = []
            for item in value:
                accepted = _fitting(kind, own.name, [*accepted, item]) or accepted
        if accepted is not None:
            values[own.name] = accepted
        if accepted is None or (isinstance(value, list) and len(accepted) < len(value)):
            draft.unsure = sorted({*draft.unsure, own.name})
    return values


def _fitting(kind: Kind, name: str, value: Any) -> Any:
    """A value as the schema stores it; None for what it refuses."""
    try:
        return tidied(kind.values, {name: value})[name]
    except BadInput:
        return None


def row_values(draft: Draft) -> dict[str, Any]:
    """What a complete draft says, by the fields of its row; empty ones as the model has them."""
    kind = KINDS[draft.kind]
    values: dict[str, Any] = {**kind.fixed}
    for own in kind.fields:
        value = draft.values.get(own.name)
        if value or own.name not in values:
            values[own.name] = value or kind.model._meta.get_field(own.name).get_default()  # type: ignore[union-attr]
    return values
