"""Answers to a question that stands open: a button, a number, a name, an exact yes or no."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from projects.concierge.basic.rows import Scene, fitting_words, place_in, places_in
from projects.concierge.basic.shapes import PLACEHOLDER, Option, Pending, Understanding
from projects.concierge.calls import Call
from projects.language import replies


def answered(text: str, scene: Scene) -> Understanding | None:
    """What a message means as an answer; None when it is none."""
    pending = scene.memory.pending
    if pending is None:
        return None
    if replies.is_no(text):
        return declined()
    if pending.kind == "offer":
        is_taken = replies.is_yes(text) or (len(pending.calls) > 1 and replies.is_all(text))
        return _done(pending.calls) if is_taken else None
    ids = [str(option.id) for option in pending.options]
    if pending.kind == "tick":
        if replies.is_all(text):
            return ticked(ids, pending)
        places = places_in(text, len(ids))
        return ticked([ids[place] for place in places], pending) if places else None
    options = _chosen(text, pending.options)
    calls = [filled for option in options for filled in _filled(pending, str(option.id))]
    return _done(calls, named=options) if calls else None


def ticked(ids: Sequence[str], pending: Pending) -> Understanding:
    """The calls of the rows that were ticked, and of no others."""
    calls = [call for call in pending.calls if getattr(call, "task", None) in set(ids)]
    if not calls:
        return declined(_("All right, I leave everything as it is."))
    return Understanding(kind="calls", calls=tuple(calls), is_answer=True, is_picked=True)


def declined(reply: str = "") -> Understanding:
    """Nothing is done."""
    text = reply or _("All right, I leave that as it is.")
    return Understanding(kind="declined", reply=text, is_answer=True)


def _done(calls: Sequence[Call], named: Sequence[Option] = ()) -> Understanding:
    ids = tuple(option.id for option in named)
    return Understanding(kind="calls", calls=tuple(calls), named=ids, is_answer=True)


def _chosen(text: str, options: Sequence[Option]) -> list[Option]:
    if replies.is_all(text):
        return list(options) if "both" not in text.lower() or len(options) == 2 else []
    place = place_in(text, len(options))
    if place is not None:
        return [options[place]]
    fitting = [option for option in options if fitting_words(text, option.label)]
    return fitting if len(fitting) == 1 else []


def _filled(pending: Pending, value: str) -> list[Call]:
    """The calls of a question with its gap filled."""
    return [
        call.model_copy(update={pending.slot: value})
        if getattr(call, pending.slot, None) == PLACEHOLDER
        else call
        for call in pending.calls
    ]
