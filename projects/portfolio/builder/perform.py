"""Carries calls out, the model's and the rules' alike: every write goes through the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from futura.llm.tools import ToolRejected
from projects.portfolio.builder import calls, content, drafting, sections, undoing
from projects.portfolio.builder.calls import Call
from projects.portfolio.builder.desk import Desk
from projects.portfolio.builder.outcomes import (
    Checked,
    Outcome,
    Proposed,
    Shown,
    Unchanged,
    Written,
)
from projects.portfolio.builder.state import Proposal
from projects.portfolio.builder.understanding.answers import THIN_WORDS, finished
from projects.portfolio.entries import changes
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry

REPLACED: Final = ("title", "summary", "description", "impact", "size_or_scope", "location", "role",
                   "organization", "entry_type", *calls.LISTS)  # fmt: skip


def perform(call: Call, desk: Desk, call_id: str) -> Outcome:
    """Does one call for the entry of the desk and notes what came of it.

    `call_id` makes it happen once: the same call of the same run finds what it did. Raises
    ToolRejected (Gone when the entry is not there), BadInput, TooLong, Conflict; LeaseLost.
    """
    outcome: Outcome = _DOERS[type(call)](call, desk, call_id)
    desk.outcomes.append(outcome)
    return outcome


def _extract(call: calls.Extract, desk: Desk, call_id: str) -> Outcome:
    entry = desk.entry()
    said = call.model_dump(mode="json", exclude_none=True, exclude={"tool"})
    story = {name: said.pop(name) for name in calls.STORY if name in said}
    values: dict[str, Any] = {}
    for name, value in said.items():
        values[name] = _merged(getattr(entry, name), value) if name in calls.LISTS else value
    if "what" in story and len(entry.summary.split()) < THIN_WORDS and "summary" not in values:
        values["summary"], story["what"] = _opened(story["what"], entry.summary)
    blocks = [dict(one) for one in entry.blocks]
    for name, text in story.items():
        if text.strip() and text.strip() not in sections.text_about(blocks, name):
            blocks = sections.with_text(blocks, name, finished(text))
    if blocks != entry.blocks:
        values["blocks"] = blocks
    return _edited(call, entry, values, _("Noted what was told"), desk, call_id, tuple(story))


def _opened(what: str, standing: str) -> tuple[str, str]:
    """The summary that an opening makes, and what of it is left for the story below."""
    first = content.first_sentence(what)
    line = max(first, standing, key=len)
    summary = content.shortened(line, content.SUMMARY_CHARS)
    rest = what.removeprefix(first).strip() if summary == first else what
    return summary, rest


def _merged(standing: list[str], more: list[str]) -> list[str]:
    known: dict[str, str] = {}
    for one in (*standing, *more):
        known.setdefault(one.casefold(), one)
    return list(known.values())


def _update(call: calls.UpdateField, desk: Desk, call_id: str) -> Outcome:
    entry = desk.entry()
    if call.field in calls.LISTS:
        value: Any = _listed(call, list(getattr(entry, call.field)))
    elif call.value is None:
        raise ToolRejected("This field takes `value`, a text.")
    else:
        value = call.value
    values: dict[str, Any] = {call.field: value}
    if (
        call.field == "started"
        and entry.ended
        and value
        and entry.ended < value[: len(entry.ended)]
    ):
        values["ended"] = value  # a beginning after the end: the end moves along
    return _edited(call, entry, values, _("Changed a detail"), desk, call_id)


def _listed(call: calls.UpdateField, standing: list[str]) -> list[str]:
    items = call.items if call.items is not None else [call.value] if call.value else []
    if not items and call.mode != "replace":
        raise ToolRejected("This field takes `items`, a list.")
    if call.mode == "append":
        return _merged(standing, items)
    if call.mode == "remove":
        gone = {one.casefold() for one in items}
        return [one for one in standing if one.casefold() not in gone]
    return list(items)


def _edited(
    call: Call,
    entry: Entry,
    values: Mapping[str, Any],
    title: str,
    desk: Desk,
    call_id: str,
    story: tuple[str, ...] = (),
) -> Outcome:
    new = {name: value for name, value in values.items() if getattr(entry, name) != value}
    if not new:
        return Unchanged(call)
    applied = desk.edit(entry, new, title=title, call_id=call_id)
    shown = new | {"ended": values["ended"]} if "started" in new and "ended" in values else new
    return Written(call, applied, shown, story)


# The description ------------------------------------------------------------------------------
def _blocks(call: calls.UpdateBlocks, desk: Desk, call_id: str) -> Outcome:
    if call.do == "proposal":
        return _accepted(call, desk, call_id)
    entry = desk.entry()
    if call.do == "replace":
        return _replaced(call, entry, desk, call_id)
    blocks = [dict(one) for one in entry.blocks]
    if call.do == "append":
        for one in call.blocks or ():
            after = "outcome" if one.type == "quote" else ""
            blocks = sections.with_block(blocks, _block(one, entry, desk), after=after)
    elif not call.block or call.block > len(blocks):
        raise ToolRejected(f"There is no block {call.block}; there are {len(blocks)}.")
    elif call.do == "remove":
        last = min(max(call.to or 0, call.block), len(blocks))
        for _times in range(call.block, last + 1):
            blocks = sections.without(blocks, call.block)
    else:
        blocks = sections.moved(blocks, call.block, call.to or 1)
    title = {"append": _("Added to the description"), "remove": _("Took out a block")}
    return _edited(
        call, entry, {"blocks": blocks}, title.get(call.do, _("Moved a block")), desk, call_id
    )


def _block(given: calls.BlockIn, entry: Entry, desk: Desk) -> dict[str, Any]:
    """A block in its stored form. Raises ToolRejected when something is missing."""
    ids = [str(desk.picture(entry, number).pk) for number in given.images or ()]
    match given.type:
        case "heading" | "text" if given.text:
            level: dict[str, Any] = {"level": 2} if given.type == "heading" else {}
            return {"type": given.type, "text": given.text, **level}
        case "quote" if given.text:
            return {"type": "quote", "text": given.text, "said_by": given.said_by or ""}
        case "gallery" if ids:
            return {"type": "gallery", "images": ids, "caption": given.caption or ""}
        case "before_after" if len(ids) == 2:
            return {
                "type": "before_after",
                "before": ids[0],
                "after": ids[1],
                "caption": given.caption or "",
            }
        case "facts" if given.facts:
            return {"type": "facts", "facts": [one.model_dump() for one in given.facts]}
    raise ToolRejected(f"A block of type {given.type} lacks what it shows.")


def _replaced(call: calls.UpdateBlocks, entry: Entry, desk: Desk, call_id: str) -> Outcome:
    if not call.old:
        raise ToolRejected("Say which words (`old`).")
    new = call.new or ""
    values: dict[str, Any] = {}
    for name in (*REPLACED, "blocks"):
        standing = getattr(entry, name)
        value = sections.replaced(standing, call.old, new)
        if name == "blocks" and not new:
            value = _without_blank(value)
        if value != standing:
            values[name] = value
    if not values:
        raise ToolRejected("These words do not stand in the entry.")
    return _edited(call, entry, values, _("Replaced words"), desk, call_id)


def _without_blank(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    told = []
    for one in blocks:
        text = str(one.get("text", "-")).replace("  ", " ").strip()
        if text.strip(" .,;"):
            told.append({**one, "text": text} if "text" in one else one)
    return told


def _accepted(call: calls.UpdateBlocks, desk: Desk, call_id: str) -> Outcome:
    """Keeps what was laid before the person: fields, blocks and order of pictures at once."""
    proposal = desk.state.proposal
    if proposal is None:
        raise ToolRejected("Nothing is proposed at the moment; nothing was changed.")
    entry = desk.entry()
    if proposal.blocks is not None and proposal.version != entry.version:
        return _made_anew(call, proposal, entry, desk)
    values: dict[str, Any] = dict(proposal.fields)
    if proposal.blocks is not None:
        values["blocks"] = proposal.blocks
    new = {name: value for name, value in values.items() if getattr(entry, name) != value}
    titles = {"layout": _("Applied the layout"), "section": _("Took the new wording")}
    title = titles.get(proposal.kind, _("Took the draft"))
    with transaction.atomic():
        made = [*_field_changes(entry, new), *_picture_changes(entry, proposal, desk)]
        if not made:
            desk.state.proposal = None
            return Unchanged(call)
        applied = desk.apply(made, title=title, call_id=call_id)
    desk.state.proposal = None
    return Written(call, applied, new)


def _made_anew(call: calls.UpdateBlocks, proposal: Proposal, entry: Entry, desk: Desk) -> Outcome:
    """What was proposed for an entry that has changed since is worked out once more, and shown."""
    desk.state.proposal = None
    if proposal.kind == "layout":
        return proposed(call, drafting.compose(entry, desk.pictures(entry), desk, ""), desk)
    if proposal.kind == "content":
        return proposed(call, drafting.write(entry, desk, ""), desk)
    if entry.blocks:
        raise ToolRejected(_("The entry has a text of its own by now; it was left as it is."))
    return proposed(call, proposal, desk)


def _field_changes(entry: Entry, values: Mapping[str, Any]) -> list[Any]:
    return [changes.updated(entry, values, version=entry.version)] if values else []


def _picture_changes(entry: Entry, proposal: Proposal, desk: Desk) -> list[Any]:
    if not proposal.images:
        return []
    images = desk.pictures(entry)
    by_id = {str(one.pk): one.pk for one in images}
    order = [by_id[one] for one in proposal.images if one in by_id]
    return changes.images_arranged(images, order=order, hero=order[0] if order else None)


# Pictures -------------------------------------------------------------------------------------
def _reorder(call: calls.ReorderImages, desk: Desk, call_id: str) -> Outcome:
    entry = desk.entry()
    images = desk.pictures(entry)
    wanted = [desk.picture(entry, number).pk for number in call.order or ()]
    hero = desk.picture(entry, call.hero).pk if call.hero else None
    if not wanted and hero is None:
        raise ToolRejected("Say which picture is the hero, or the order.")
    made = changes.images_arranged(images, order=wanted or [one.pk for one in images], hero=hero)
    if not made:
        return Unchanged(call)
    return Written(call, desk.apply(made, title=_("Arranged the pictures"), call_id=call_id))


def _describe(call: calls.DescribeImage, desk: Desk, call_id: str) -> Outcome:
    entry = desk.entry()
    image = desk.picture(entry, call.image)
    values = {
        name: value
        for name, value in (("alt", call.alt), ("caption", call.caption))
        if value is not None
    }
    new = {name: value for name, value in values.items() if getattr(image, name) != value}
    if not values:
        raise ToolRejected("Say what is to be seen (`alt`), or the caption.")
    if not new:
        return Unchanged(call)
    change = changes.image_edited(image, new, version=image.version)
    applied = desk.apply([change], title=_("Described a picture"), call_id=call_id)
    return Written(call, applied, new)


def _ask_for_images(call: calls.AskForImages, desk: Desk, _call_id: str) -> Outcome:
    entry = desk.entry()
    part = {
        "type": "images",
        "entry": str(entry.pk),
        "portfolio": str(entry.portfolio_id),
        "why": call.why,
    }
    return Shown(call, part)


# Looking, drafting, checking ------------------------------------------------------------------
def _preview(call: calls.Preview, desk: Desk, _call_id: str) -> Outcome:
    entry = desk.entry()
    return Shown(
        call, {"type": "preview", "entry": str(entry.pk), "portfolio": str(entry.portfolio_id)}
    )


def _clarify(call: calls.Clarify, _desk: Desk, _call_id: str) -> Outcome:
    part = {"type": "clarify", "question": call.question, "alternatives": call.alternatives}
    return Shown(call, part)


def _quick(call: calls.QuickActions, desk: Desk, _call_id: str) -> Outcome:
    desk.state.hinted = list(dict.fromkeys(call.actions))
    return Unchanged(call, "noted")


def _regenerate(call: calls.Regenerate, desk: Desk, _call_id: str) -> Outcome:
    entry = desk.entry()
    text = drafting.reword(call.section, entry, desk, call.wish)
    if not text:
        return Unchanged(call, "nothing")
    proposal = Proposal(kind="section", fields={call.section: text})
    return proposed(call, proposal, desk)


def _generate(call: calls.Generate, desk: Desk, _call_id: str) -> Outcome:
    entry = desk.entry()
    if not (entry.blocks or desk.state.told or entry.summary):
        raise ToolRejected(_("There is nothing told yet that a text could be made of."))
    return proposed(call, drafting.write(entry, desk, call.wish), desk)


def _compose(call: calls.Compose, desk: Desk, _call_id: str) -> Outcome:
    entry = desk.entry()
    if not entry.blocks:
        raise ToolRejected(_("There is no text yet that could be laid out."))
    return proposed(call, drafting.compose(entry, desk.pictures(entry), desk, call.wish), desk)


def proposed(call: Call, proposal: Proposal, desk: Desk) -> Outcome:
    """Lays something before the person; what would change nothing is not laid before them."""
    if not (proposal.fields or proposal.blocks is not None or proposal.images):
        return Unchanged(call, "good")
    proposal = proposal.model_copy(update={"version": desk.entry().version})
    desk.state.proposal = proposal
    part = {"type": "proposal", "kind": proposal.kind, "fields": proposal.fields,
            "blocks": proposal.blocks, "images": proposal.images}  # fmt: skip
    return Proposed(call, proposal, part)


def _check(call: calls.CheckReady | calls.Validate, desk: Desk, _call_id: str) -> Outcome:
    entry = desk.entry()
    images = desk.pictures(entry)
    is_coaching = isinstance(call, calls.CheckReady)
    tips = drafting.advise(entry, images, desk) if is_coaching else []
    return Checked(call, check(entry), tips)


def _publish(call: calls.Publish, desk: Desk, call_id: str) -> Outcome:
    entry = desk.entry()
    is_public = entry.status == Entry.Status.PUBLISHED
    if is_public == call.public:
        return Unchanged(call, "published" if is_public else "draft")
    if call.public and (failed := check(entry)):
        return Checked(call, failed)
    change = changes.published(entry) if call.public else changes.unpublished(entry)
    title = _("Publish the entry") if call.public else _("Take the entry offline")
    return Written(call, desk.apply([change], title=title, call_id=call_id))


_DOERS: Final[dict[type, Callable[[Any, Desk, str], Outcome]]] = {
    calls.Extract: _extract,
    calls.Clarify: _clarify,
    calls.AskForImages: _ask_for_images,
    calls.Preview: _preview,
    calls.QuickActions: _quick,
    calls.UpdateField: _update,
    calls.Regenerate: _regenerate,
    calls.ReorderImages: _reorder,
    calls.DescribeImage: _describe,
    calls.Validate: _check,
    calls.Generate: _generate,
    calls.CheckReady: _check,
    calls.Compose: _compose,
    calls.UpdateBlocks: _blocks,
    calls.Publish: _publish,
    calls.Undo: undoing.undo_last,
}
