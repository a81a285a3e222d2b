"""What a prompt is told of an entry, its pictures and its owner: public fields, with ids."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from chat.assistant.delimiter import cut
from chat.assistant.working import Working
from projects.portfolio.blocks import identified, standing_sources
from projects.portfolio.builder.context import EntryContext
from projects.portfolio.builder.from_project import grounds
from projects.portfolio.builder.waiting import waiting_draft
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry

LISTS: Final = ("tags", "materials", "techniques", "tech_stack", "languages")
SHORT: Final = (
    "title", "entry_type", "location", "organization", "context", "role", "started", "ended",
    "repository_url", "live_url", *LISTS,
)  # fmt: skip
LONG: Final = ("summary", "description", "impact", "size_or_scope", "seo_title", "seo_description")
TEXT_CHARS: Final = 4_000
ABOUT_CHARS: Final = 1_200
RECORD_CHARS: Final = 1_000
READ: Final = "readEntry"
IMPORTED: Final = (
    f"[Read from a source that others may have written; left out. {READ} shows it when the person "
    "asks about it; changes then wait for their review.]"
)


def records(context: EntryContext) -> Mapping[str, str]:
    """Named texts for the records of a prompt; empty ones stay out."""
    turn = context.turn
    is_waiting = waiting_draft(turn.state, turn.session_id) is not None
    return {
        "entry": fields_text(context),
        "story": story_text(context, TEXT_CHARS),
        "pictures": pictures_text(context),
        "owner": owner_text(context),
        "project": project_text(context),
        "draft": "A draft waits; useDraft takes it." if is_waiting else "",
        "what publishing lacks": "\n".join(one.message for one in check(context.entry)),
    }


def note_seen(context: EntryContext, working: Working, *, is_whole: bool = False) -> None:
    """Notes which long texts the model has before it, whole."""
    entry = context.entry
    for name in LONG:
        text = str(getattr(entry, name))
        if is_whole or (len(text) <= TEXT_CHARS and not context.is_of_others(name)):
            working.has_seen(entry.pk, name, text)
    for block in identified(entry.blocks):
        text = str(block.get("text", ""))
        if is_whole or (len(text) <= TEXT_CHARS and not context.is_of_others("blocks")):
            working.has_seen(entry.pk, str(block["id"]), text)


def entry_text(entry: Entry) -> str:
    """Fields that say something; status, type and place always."""
    lines = [f"status: {entry.status}", f"type: {entry.entry_type or '(not known)'}",
             f"location: {entry.location or '(not known)'}"]  # fmt: skip
    for name in (*SHORT, *LONG):
        value = getattr(entry, name)
        if value and name not in {"entry_type", "location"}:
            lines.append(f"{name}: {', '.join(value) if isinstance(value, list) else value}")
    return "\n".join(lines)


def fields_text(context: EntryContext) -> str:
    """The fields as a prompt shows them."""
    entry = context.entry
    lines = [f"id={entry.pk} version={entry.version} status={entry.status}"]
    for name in (*SHORT, *LONG):
        value = getattr(entry, name)
        if not value:
            continue
        text = ", ".join(value) if isinstance(value, list) else str(value)
        if name in LONG and context.is_of_others(name):
            text = IMPORTED
        lines.append(f"{name}: {cut(text, TEXT_CHARS, READ)}")
    empty = [name for name in (*SHORT, *LONG) if not getattr(entry, name)]
    return "\n".join([*lines, f"empty: {', '.join(empty)}"])


def story_text(context: EntryContext, limit: int) -> str:
    """The blocks with their ids; what nothing bears out is marked."""
    if not context.entry.blocks:
        return "(empty)"
    if context.is_of_others("blocks") and limit == TEXT_CHARS:
        return IMPORTED
    return "\n".join(_block(one, limit) for one in identified(context.entry.blocks))


def _block(block: Mapping[str, Any], limit: int) -> str:
    rest = {
        name: value
        for name, value in block.items()
        if name not in {"id", "type", "text", "sources"}
    }
    text = cut(str(block.get("text", "")), limit, READ)
    unsupported = [one.sentence for one in standing_sources(block) if not one.is_supported]
    mark = f" [nothing bears out: {json.dumps(unsupported, ensure_ascii=False)}]"
    more = f" {json.dumps(rest, ensure_ascii=False)}" if any(rest.values()) else ""
    return f"id={block['id']} [{block['type']}] {text}{more}{mark if unsupported else ''}"


def pictures_text(context: EntryContext) -> str:
    """The pictures with their ids, in order."""
    return "\n".join(
        f"id={one.pk}{' hero;' if one.is_hero else ''} alt: {one.alt or '(none)'}"
        + (f"; caption: {one.caption}" if one.caption else "")
        for one in context.images()
    )


def project_text(context: EntryContext) -> str:
    """The records of the project that the entry is about, to draft from."""
    project = context.project()
    if project is None:
        return ""
    return "\n".join(f"- {one.text[:RECORD_CHARS]} ({one.label})" for one in grounds(project))


def owner_text(context: EntryContext) -> str:
    """Who the owner is; contact data and private notes never."""
    portfolio, profile = context.entry.portfolio, context.profile()
    lines = [f"name: {portfolio.owner_name}", f"field: {portfolio.domain_label}"]
    if portfolio.pronouns:
        lines.append(f"pronouns: {portfolio.pronouns}")
    if profile is not None:
        lines += [profile.headline, f"lives in: {profile.location}" if profile.location else "",
                  f"works as: {profile.current_role}" if profile.current_role else "",
                  f"skills: {', '.join(profile.top_skills[:12])}" if profile.top_skills else "",
                  " ".join(profile.about)[:ABOUT_CHARS]]  # fmt: skip
    return "\n".join(filter(None, lines))
