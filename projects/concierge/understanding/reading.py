"""Reads a whole message: what of it is to be done, what has to be asked, what was only said."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from projects.concierge.calls import Call, CreateTask, RescheduleTask, UpdateTask
from projects.concierge.understanding import (
    asking,
    changing,
    conditions,
    creating,
    moving,
    numbers,
    on_projects,
    repeating,
    talking,
    undoing,
)
from projects.concierge.understanding.answering import answered, ticked
from projects.concierge.understanding.hearing import (
    Clause,
    clauses,
    is_hedged,
    is_taken_back,
    masked,
    mended,
)
from projects.concierge.understanding.references import Scene, place_in, tasks_meant
from projects.concierge.understanding.said import Rule, Said
from projects.concierge.understanding.shapes import (
    Kind,
    Known,
    KnownTask,
    Memory,
    Pending,
    Ticked,
    Understanding,
)

_LOOKS: Final[tuple[Rule, ...]] = (
    asking.chatted, talking.foreseen, asking.looked,
)  # fmt: skip
_ACTS: Final[tuple[Rule, ...]] = (
    undoing.undone, asking.chatted, changing.noted, on_projects.changed, talking.talked,
    repeating.repeated, creating.asked, creating.marked,
    changing.renamed, changing.completed, changing.put_in_project, moving.moved, changing.ranked,
    changing.put_in_status, changing.deleted, asking.looked, changing.told_done,
)  # fmt: skip
_MENTIONS: Final[tuple[Rule, ...]] = (creating.needed, creating.imperative)
_BULK: Final = re.compile(
    r"^(?:\w+\s+){1,2}(?:all|every|each|everything|anything|whatever)\b", re.IGNORECASE
)
_CONDITION: Final = re.compile(
    r"\s(?:that|which|who|whose|except|but|not|without|unless|if|excluding|apart)\b.*?"
    r"(?=\s(?:to|by|until|as)\s(?!be\b)|$)",
    re.IGNORECASE,
)
_SUBJECT: Final = re.compile(
    r"^(?P<ref>\S.{1,80}?)\s+(?:is|are|was|were|has|have|isn[’']t|aren[’']t"
    r"|hasn[’']t|needs?|can|cannot|can[’']t)\b",
    re.IGNORECASE,
)
LONGEST: Final = 20_000


def understand(text: str, *, now: dt.datetime, briefing: Known, earlier: Memory) -> Understanding:
    """What a message means without a model.

    `now` is aware and in the person's zone. A request becomes calls; a mention becomes an offer;
    a question never writes; quoted words are only words. Where a reference is not certain the
    answer is a question that names the candidates.
    """
    scene = Scene(briefing, earlier, now)
    text = text[:LONGEST]
    tapped = _suggested(text, earlier)
    if tapped:
        text = tapped
    given = answered(text, scene)
    if given is not None:
        is_tick = earlier.pending is not None and earlier.pending.kind == "tick"
        return replace(_whole([given]), is_answer=True, is_picked=is_tick)
    found = _whole(_said(text, scene))
    if found.kind == "unknown" and earlier.pending is not None and earlier.pending.question:
        return _put_again(earlier.pending)
    return found


def taken(given: Ticked, earlier: Memory) -> Understanding:
    """What was ticked in the list that stands open; another list changes nothing."""
    pending = earlier.pending
    if pending is None or pending.kind != "tick" or pending.key != given.key:
        gone = _("That list is not the current one any more, so nothing was changed.")
        return _whole([Said("declined", reply=gone)])
    return replace(_whole([ticked(given.ids, pending)]), is_answer=True, is_picked=True)


def _put_again(pending: Pending) -> Understanding:
    """What was not read as an answer changes nothing; the question stays with its buttons."""
    unread = _("I did not read that as an answer, so nothing was changed.")
    return Understanding(kind="question", reply=unread, question=pending.question, pending=pending)


def _suggested(text: str, earlier: Memory) -> str:
    """What a numbered suggestion says, where only its number is said."""
    if earlier.pending is not None or not earlier.suggestions or earlier.listed:
        return ""
    place = place_in(text, len(earlier.suggestions))
    return earlier.suggestions[place] if place is not None else ""


def _said(text: str, scene: Scene) -> list[Said]:
    """The meaning of each clause in order."""
    found = clauses(text)
    if not found:
        plain = Clause(text, text.strip(" .!?,;"), masked(text.strip(" .!?,;")))
        return [asking.chatted(scene, plain) or _unknown(text, scene)]
    if is_taken_back(text):
        return [Said("declined", reply=_("All right, I leave everything as it is."))]
    if any(creating.wants_those(one) for one in found[1:]):
        return _wanted(found, scene)
    if _is_bullets(found):
        return [one for clause in _items(found) for one in [_one(clause, scene)]]
    return _in_order(found, scene)


def _in_order(found: Sequence[Clause], scene: Scene) -> list[Said]:
    """Clause by clause; what follows a condition hangs on it."""
    said: list[Said] = []
    told = conditions.in_order(found, scene)
    for place, clause in enumerate(told, start=1):
        if is_conditional(clause) or (place < len(told) and conditions.waits(clause)):
            verdict = conditions.judged(clause, found, scene)
            if verdict is None:
                reply = conditions.cannot_wait(clause.said)
                return [*said, Said("unknown", reply=reply)]
            if not verdict.holds:
                return [*said, Said("declined", reply=conditions.not_so(verdict))]
            scene.focus = [one.id for one in verdict.rows]
            continue
        if _is_amended(said, clause, scene):
            continue
        one = _one(clause, scene)
        said.append(one)
        _follow(one, clause, scene)
    return said


def _is_amended(said: list[Said], clause: Clause, scene: Scene) -> bool:
    """“add buy milk and make it urgent”: what is said of the task just made goes into it."""
    made = said[-1].calls[-1] if said and said[-1].calls else None
    if not isinstance(made, CreateTask) or clause.is_question or clause.is_negated:
        return False
    new = KnownTask(uuid.UUID(int=1), made.title)
    alone = Scene(Known((new,), scene.known.projects), Memory(focus=[new.id]), scene.now)
    for rule in (moving.moved, changing.ranked, changing.put_in_project):
        found = rule(alone, clause)
        if found is None or not found.calls:
            continue
        if not re.search(r"\b(?:it|that|this|the\s+task)\b|^due\b", clause.masked, re.IGNORECASE):
            return False
        values: dict[str, Any] = {}
        for call in found.calls:
            values |= call.model_dump(exclude_none=True, exclude={"tool", "task", "clear"})
        said[-1] = replace(said[-1], calls=(*said[-1].calls[:-1], made.model_copy(update=values)))
        return True
    return False


def is_conditional(clause: Clause) -> bool:
    """“if it rains, delete …”, “once X is done, mark …”: nothing for now."""
    return (
        bool(
            re.match(
                r"^(?:if|unless|in\s+case|when(?:ever)?|once|as\s+soon\s+as)\b(?!\s+(?:is|are|will|do|did"
                r"|should)\b)",
                clause.masked,
                re.IGNORECASE,
            )
        )
        and not clause.is_question
    )


def _is_bullets(found: Sequence[Clause]) -> bool:
    return (
        len(found) > 1
        and not found[0].is_item
        and all(one.is_item for one in found[1:])
        and bool(re.search(r"\b(?:add|create|tasks?|to-?dos?)\b", found[0].text, re.IGNORECASE))
    )


def _items(found: Sequence[Clause]) -> list[Clause]:
    """“Add these:” and a list of lines."""
    if not re.match(
        r"^(?:add|create|make|put|new|please|my|these|tasks?|to-?dos?)\b",
        found[0].text,
        re.IGNORECASE,
    ):
        return list(found)
    return [
        replace(one, text=f"add task: {one.text}", masked=masked(f"add task: {one.text}"))
        for one in found[1:]
    ]


def _wanted(found: Sequence[Clause], scene: Scene) -> list[Said]:
    """“I need to book flights and renew my passport, add both please”."""
    said = []
    for clause in found:
        one = (
            None
            if creating.wants_those(clause)
            else creating.needed(scene, clause) or creating.imperative(scene, clause)
        )
        if one is not None and one.pending is not None:
            said.append(Said("calls", tuple(one.pending.calls)))
    return said or [Said("question", question=_("What shall I add?"))]


def _one(clause: Clause, scene: Scene) -> Said:
    """The meaning of one clause."""
    if clause.is_negated:
        return Said("declined", reply=_("All right, I leave that as it is."))
    if clause.is_question:
        for rule in _LOOKS:
            said = rule(scene, clause)
            if said is not None:
                return said
        return _unknown_question(clause, scene)
    if any(one.title.casefold() == clause.text.casefold() for one in scene.known.tasks):
        return _unknown(clause.text, scene)  # its title alone is no wish, whatever it begins with
    for text in dict.fromkeys((clause.text, numbers.dashed(clause.text), mended(clause.text))):
        tried = replace(clause, text=text, masked=masked(text))
        for rule in _ACTS:
            said = rule(scene, tried)
            if said is not None:
                return said
    loose = _without_condition(clause, scene)
    if loose is not None:
        return loose
    for rule in _MENTIONS:
        said = rule(scene, clause)
        if said is not None:
            return said
    return _unknown(clause.text, scene)


def _without_condition(clause: Clause, scene: Scene) -> Said | None:
    """“complete everything except …”: all rows to tick, where a condition is not read."""
    if not _BULK.match(clause.masked):
        return None
    text = " ".join(_CONDITION.sub(" ", clause.text).split())
    tried = replace(clause, text=text, masked=masked(text))
    for rule in _ACTS:
        said = rule(scene, tried)
        if said is not None:
            is_tick = said.pending is not None and said.pending.kind == "tick"
            return said if is_tick else None
    return None


def _follow(said: Said, clause: Clause, scene: Scene) -> None:
    """“it” in the next clause is what this one spoke of."""
    subject = _SUBJECT.match(clause.text)
    if said.kind == "unknown" and subject:
        rows = tasks_meant(subject["ref"], scene).rows
        scene.focus = [one.id for one in rows] or scene.focus
    elif said.named:
        scene.focus = [one.id for one in said.named]
    elif any(isinstance(call, CreateTask) for call in said.calls):
        scene.focus = []


def _unknown(text: str, scene: Scene) -> Said:
    """Says what cannot be done, and what can, near what was said."""
    found = tasks_meant(text, scene) if len(text) < 200 and not is_hedged(text) else None
    rows = (
        (found.rows or found.candidates or found.near)[:2] if found and not found.is_pronoun else ()
    )
    taps = [
        tap
        for one in rows
        for tap in (
            _("Mark “%(t)s” as done") % {"t": one.title},
            _("Show tasks about “%(t)s”") % {"t": one.title},
        )
    ]
    if 0 < len(text.split()) <= 12 and not rows:
        title = text.strip(" .!?")
        taps = [_("Add task: %(title)s") % {"title": title[:1].upper() + title[1:]}]
    reply = _(
        "I did not understand that as something to do, so nothing was changed. Without "
        "a model I understand plain wishes such as “add …”, “mark … done” or “move … to"
        " Friday”."
    )
    return Said("unknown", reply=reply, did_you_mean=tuple(taps[:4]))


def _unknown_question(clause: Clause, scene: Scene) -> Said:
    found = tasks_meant(clause.text, scene) if len(clause.text) < 200 else None
    rows = (
        (found.rows or found.candidates or found.near)[:1] if found and not found.is_pronoun else ()
    )
    taps = [_("Show tasks about “%(t)s”") % {"t": one.title} for one in rows]
    reply = _(
        "I cannot answer that without a model. I can list and search your tasks and pro"
        "jects, and change them when you say so."
    )
    return Said("unknown", reply=reply, did_you_mean=(*taps, _("What can you do?")))


def _whole(said: Sequence[Said]) -> Understanding:
    """One meaning from those of the clauses."""
    calls = _merged([call for one in said for call in one.calls])
    asked = next((one for one in said if one.question), None)
    has_more = bool(calls) or asked is not None
    replies = [one.reply for one in said if one.reply and not (has_more and one.kind == "unknown")]
    taps = [tap for one in said if one.kind != "unknown" or not calls for tap in one.did_you_mean]
    return Understanding(
        kind="calls" if calls else asked.kind if asked else _kind_of(said),
        calls=tuple(calls),
        question=asked.question if asked else "",
        reply=" ".join(dict.fromkeys(replies)),
        did_you_mean=tuple(dict.fromkeys(taps))[:5],
        pending=_with_question(asked) if asked else None,
        named=tuple(dict.fromkeys(task.id for one in said for task in one.named)),
    )


def _with_question(asked: Said) -> Pending | None:
    pending = asked.pending
    return pending and pending.model_copy(update={"question": asked.question})


def _kind_of(said: Sequence[Said]) -> Kind:
    """What a message without calls and questions is, by the weightiest of its clauses."""
    ranks: tuple[Kind, ...] = ("focus", "greet", "help", "declined", "small_talk", "thanks")
    kinds = {one.kind for one in said}
    return next((one for one in ranks if one in kinds), "unknown")


def _merged(calls: Sequence[Call]) -> list[Call]:
    """Updates of one task in one message as one call; the same for its dates."""
    merged: dict[tuple[str, str, int], Call] = {}
    for number, call in enumerate(calls):
        if not isinstance(call, UpdateTask | RescheduleTask):
            merged[call.tool, "", number] = call
            continue
        key = (call.tool, call.task, 0)
        before = merged.get(key)
        more = call.model_dump(exclude_none=True)
        merged[key] = before.model_copy(update=more) if before else call
    return list(merged.values())
