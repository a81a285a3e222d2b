"""A wish about a task that is not there by that name: asked back instead of passed over."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _

from futura.text import content_stems
from projects.language.changes import moving, states
from projects.language.changes.shapes import Ambiguity, Found, ProposedChange, Reading
from projects.language.targets import Thing

SHOWN: Final = 4
_NOT_A_NAME: Final = re.compile(
    r"^(?:it|this|that|these|those|they|everything|all|i|we|you|he|she|there|nothing|what)\b",
    re.IGNORECASE,
)
_DRESS: Final = re.compile(r"^(?:the|my|our|a|an)\s+|\s+(?:tasks?|to-?dos?|steps?)$", re.IGNORECASE)


def unfound(one: Reading) -> list[Found]:
    """Which of the open tasks is meant, where a wish names none of them."""
    what = states.named_in(one) or moving.named_in(one)
    bare = _DRESS.sub("", _DRESS.sub("", what)).strip()
    is_name = bare and len(bare.split()) <= 5 and content_stems(bare)
    if not is_name or _NOT_A_NAME.match(what) or one.clause.said.rstrip().endswith("?"):
        return []
    things = [thing for thing in one.known.tasks if thing.is_open][:SHOWN]
    options = [option for thing in things for option in _meaning(one, what, thing)]
    if not options:
        question = _("I find no open task like “%(what)s” here. What exactly shall be different?")
        return [Ambiguity(question % {"what": bare})]
    names = _listed([option.label for option in options])
    question = _("I find no task like “%(what)s” here. Which one do you mean: %(names)s?")
    return [Ambiguity(question % {"what": bare, "names": names}, options)]


_RULES: Final[Sequence[Callable[[Reading], list[Found]]]] = (
    states.deleted, states.prioritised, states.status_given, states.estimated, moving.moved,
)  # fmt: skip


def _meaning(one: Reading, what: str, thing: Thing) -> list[ProposedChange]:
    """The same wish about this task."""
    clause = replace(one.clause, text=one.text.replace(what, thing.title, 1))
    for rule in _RULES:
        found = rule(replace(one, clause=clause))
        meant = [each for each in found if isinstance(each, ProposedChange)]
        if meant:
            return [replace(each, label=thing.title) for each in meant if each.id == thing.id][:1]
    return []


def _listed(names: Sequence[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    return _(" or ").join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
