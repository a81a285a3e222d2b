"""What a person says after "I" or "we": a task of now, or the past, a wish, a fact, a denial."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tasks.language.lexicon import BASES, NOUN_LIKE
from tasks.language.phrases import (
    DETERMINERS,
    DISLIKE_VERBS,
    FEELING_VERBS,
    LEAD,
    MODALS_FOREIGN,
    PREPOSITIONS,
    STATIVES,
    TOOLS,
    WISHES,
    count_of,
    without_leads,
)
from tasks.language.reading import Reading, Speaker
from tasks.language.tokens import Token, plain
from tasks.language.verbs import forms_of, gerund_base, is_base, is_work_noun

_OTHER: Final = Reading(Speaker.OTHER)
_FACT: Final = Reading(Speaker.FACT)
_DENIED: Final = Reading(Speaker.OTHER, is_denial=True)
_NEVER: Final = frozenset({"not", "never", "neither", "nor", "hardly", "barely", "no"})
_LIGHT: Final = {
    "do": "",
    "does": "",
    "doing": "",
    "handle": "handle",
    "have": "",
    "cover": "cover",
}
_OCCUPIED: Final = (
    "am responsible for, are responsible for, am in charge of, are in charge of, am also "
    "responsible for, am accountable for, am involved in, am involved with, get involved "
    "in, get involved with, am tasked with, am busy with, am busy, am kept busy with, am "
    "occupied with, am mostly on, split my time between, divide my time between, "
    "concentrate on, focus on"
)
_LIGHT_PHRASES: Final = (
    *((phrase, phrase) for phrase in ("deal with", "take care of", "look after")),
    *((phrase, "") for phrase in _OCCUPIED.split(", ")),
)
_PLACES: Final = frozenset(
    "work home bed holiday holidays college university school uni lunch sleep".split(" ")
)
_NO_TAKING: Final = frozenset(
    "break breaks lunch nap bus train holiday holidays leave pride time coffee".split(" ")
)
_LOOKED: Final = frozenset("up at over into through for out if whether".split(" "))
_WITHOUT_TASK: Final = frozenset(
    "at in for as from nights full-time part-time full part days shifts alone there here hard "
    "weekends remotely long flexibly mostly alongside under night".split(" ")
)


def reading_of(tokens: Sequence[Token], *, is_recent: bool, is_future: bool) -> Reading:
    """Reads the words after the person's own subject."""
    rest = _skip_adverbs(tokens)
    for _ in range(6):
        if not rest:
            return _OTHER
        step = _STEPS.get(rest[0].lower)
        found = step(rest, is_future) if step else None
        if isinstance(found, Reading):
            return (_action_within(rest) or found) if found is _FACT else found
        if found is None:
            break
        rest = _skip_adverbs(found)
    light = _light(rest)
    return light if light is not None else _verb(rest, is_recent=is_recent)


def _action_within(tokens: Sequence[Token]) -> Reading | None:
    """ "I work in a shop selling shoes": the action that a fact about oneself carries along."""
    for index in range(2, len(tokens)):
        word, before = tokens[index].lower, tokens[index - 1].lower
        if before in PREPOSITIONS or before in DETERMINERS or not gerund_base(word):
            continue
        if word not in _NO_ACTION_WITHIN and index + 1 < len(tokens):
            return Reading(Speaker.OWN, tuple(tokens[index:]), form="ing")
    return None


def _skip_adverbs(tokens: Sequence[Token]) -> list[Token]:
    rest = list(tokens)
    while rest:
        line = plain(rest[:12])
        skipped = count_of(LEAD.match(line))
        if rest[0].kind != "word":
            skipped = 1
        elif (rest[0].lower.endswith("ly") and not is_base(rest[0].lower)) or (
            rest[0].lower in {"myself", "personally", "both", "all", "ever"} and len(rest) > 1
        ):
            skipped = max(skipped, 1)
        if not skipped or skipped >= len(rest):
            return rest if skipped < len(rest) or not skipped else []
        rest = rest[skipped:]
    return rest


_NO_ACTION_WITHIN: Final = frozenset("working living studying going being training".split(" "))

Step = Callable[[list[Token], bool], "Reading | list[Token] | None"]


def _negated(_rest: list[Token], _future: bool) -> Reading:
    return _DENIED


def _auxiliary_do(rest: list[Token], _future: bool) -> Reading | list[Token] | None:
    following = [token.lower for token in rest[1:3]]
    if following and following[0] in {"not", "never"}:
        if following[1:] == ["mind"] and len(rest) > 3 and gerund_base(rest[3].lower):
            return rest[3:]
        return _DENIED
    if (
        following
        and is_base(following[0])
        and following[0] not in NOUN_LIKE
        and rest[0].lower == "do"
    ):
        return rest[1:]
    return None


def _will(rest: list[Token], is_future: bool) -> Reading | list[Token]:
    following = rest[1].lower if len(rest) > 1 else ""
    if following in _NEVER:
        return _DENIED
    return _OTHER if is_future or following in {"be", "become", "soon"} else rest[1:]


def _modal(rest: list[Token], _future: bool) -> Reading:
    following = rest[1].lower if len(rest) > 1 else ""
    return _DENIED if following in _NEVER else _OTHER


def _obliged(rest: list[Token], _future: bool) -> list[Token] | None:
    words = [token.lower for token in rest[:4]]
    if words[1:2] == ["to"]:
        return rest[2:]
    if words[:1] == ["must"]:
        return rest[1:]
    if words[1:3] in (["got", "to"], ["also", "to"]):
        return rest[3:]
    if words[1:3] == ["asked", "to"] or words[1:3] == ["called", "to"]:
        return rest[3:]
    return None


def _wishing(rest: list[Token], is_future: bool) -> Reading | list[Token] | None:
    words = [token.lower for token in rest[:3]]
    if words[0] in {"plan", "like"} and len(words) > 1 and words[1] != "to":
        return None if words[0] == "plan" else _feeling(rest, is_future)
    if len(words) > 1 and words[1] == "to":
        return _OTHER
    if words[0] in FEELING_VERBS | DISLIKE_VERBS:
        return _feeling(rest, is_future)
    return _OTHER if words[0] in {"want", "wish", "hope", "aspire", "used", "decided"} else None


def _feeling(rest: list[Token], _future: bool) -> Reading | list[Token]:
    """ "I love baking bread" names a task, "I love my team" and "I enjoy working here" none."""
    if len(rest) > 2:
        base = gerund_base(rest[1].lower)
        if base and base not in STATIVES | {"work", "help", "be", "meet", "solve", "go"}:
            return rest[1:]
    return _OTHER


def _being(rest: list[Token], _future: bool) -> Reading | list[Token] | None:
    line = plain(rest[:8])
    words = _skip_adverbs(rest[1:])
    if not words:
        return _FACT
    first = words[0].lower
    if first in _NEVER:
        return _DENIED
    if gerund_base(first):
        if first in {"going", "thinking", "hoping", "looking", "learning", "considering", "trying"}:
            return _OTHER
        if first == "training" and len(words) > 1 and words[1].lower in {"to", "as", "for"}:
            return _OTHER
        if first == "planning" and len(words) > 1 and words[1].lower in {"to", "on"}:
            return _OTHER
        return words
    if is_base(first) and len(words) > 2 and words[1].lower in DETERMINERS:
        return words  # "I am clean the offices", as learners of English write
    two = [token.lower for token in words[:3]]
    if two[:1] in (
        ["expected"],
        ["supposed"],
        ["required"],
        ["asked"],
        ["paid"],
        ["there"],
    ) and two[1:2] == ["to"]:
        return words[2:]
    if two[:1] == ["the"] and len(words) > 3 and words[2].lower in {"who", "that"}:
        return words[3:]
    if first in {"in", "on", "at"} and len(words) > 1 and _names_work(words[1:]):
        return Reading(Speaker.OWN, tuple(words[1:]), light="")
    if _light([rest[0], *words]) is not None or line.startswith("am responsible"):
        return _light([rest[0], *words]) or _FACT
    return _FACT


def _names_work(words: Sequence[Token]) -> bool:
    head = [t.lower for t in words[:4] if t.lower not in DETERMINERS]
    return any(is_work_noun(word) for word in head)


def _having(rest: list[Token], is_future: bool) -> Reading | list[Token] | None:
    obliged = _obliged(rest, is_future)
    if obliged is not None:
        return obliged
    words = _skip_adverbs(rest[1:])
    if len(words) > 1 and words[0].lower == "been":
        found = _being(words, is_future)
        return found if isinstance(found, list) else _OTHER
    if words and words[0].lower in {"not", "never", "no"}:
        return _DENIED
    if words and "past" in forms_of(words[0].lower) and words[0].lower != "set":
        return _OTHER
    nouns = [t.lower for t in words[:5]]
    if "experience" in nouns or "degree" in nouns or "years" in nouns:
        return _OTHER
    for index, word in enumerate(nouns):
        if word == "to" and index and len(words) > index + 1 and is_base(words[index + 1].lower):
            return _turned(words)
    if words and _names_work(words):
        return Reading(Speaker.OWN, tuple(words), light="")
    return _OTHER


def _turned(words: list[Token]) -> Reading:
    """ "I have lots of emails to answer": the verb stands behind; the stretch stays whole."""
    return Reading(Speaker.OWN, tuple(words), light="")


def _starting(rest: list[Token], _future: bool) -> Reading | list[Token] | None:
    words = [token.lower for token in rest[:6]]
    for index, word in enumerate(words):
        if word in {"by", "with"} and index and len(rest) > index + 1:
            if word == "by" or gerund_base(rest[index + 1].lower):
                return rest[index + 1 :]
            return Reading(Speaker.OWN, tuple(rest[index + 1 :]), light="")
    if len(words) > 1 and gerund_base(words[1]):
        return rest[1:]
    if words[1:2] and words[1] in {
        "at",
        "work",
        "early",
        "around",
        "about",
        "late",
        "in",
        "my",
        "on",
    }:
        return _FACT
    return None


def _spending(rest: list[Token], _future: bool) -> Reading | None:
    words = [token.lower for token in rest]
    for index, word in enumerate(words[1:14], start=1):
        if gerund_base(word) and word not in {"morning", "evening"}:
            at = index + 1 if word in {"doing", "dealing"} and index + 1 < len(rest) else index
            if word == "dealing" and words[at : at + 1] == ["with"]:
                at += 1
            return Reading(Speaker.OWN, tuple(rest[at:]), light="")
        if word in {"on", "in", "with"} and index + 1 < len(rest):
            return Reading(Speaker.OWN, tuple(without_leads(rest[index + 1 :])), light="")
    return _OTHER


def _using(rest: list[Token], _future: bool) -> Reading | list[Token]:
    for index, token in enumerate(rest[1:10], start=1):
        if token.lower == "to" and index + 1 < len(rest) and is_base(rest[index + 1].lower):
            return rest[index + 1 :]
        if token.lower == "for" and index + 1 < len(rest):
            return Reading(Speaker.OWN, tuple(rest[index + 1 :]), light="")
    return _FACT


def _working(rest: list[Token], _future: bool) -> Reading | None:
    words = [token.lower for token in rest]
    if len(words) < 3 or words[1] in _WITHOUT_TASK:
        return _FACT
    if words[1] == "with" and "to" not in words and "on" not in words:
        return _FACT if len(words) < 5 and words[2] not in {"the", "our"} else None
    return None


def _going(rest: list[Token], _future: bool) -> Reading | None:
    words = [token.lower for token in rest[1:6]]
    if (
        not words
        or any(word in _PLACES for word in words[:3])
        or words[0] in {"back", "in", "home"}
    ):
        return _FACT
    return None


def _getting(rest: list[Token], is_future: bool) -> Reading | list[Token] | None:
    words = [token.lower for token in rest[:9]]
    obliged = _obliged(rest, is_future)
    if obliged is not None:
        return obliged
    if words[1:2] in (["involved"], ["asked"]):
        return rest[1:] if words[1] == "asked" else None
    if len(words) > 2 and {"ready", "dressed", "done", "started", "signed", "approved"} & set(
        words
    ):
        return None
    if "to" in words[2:] and len(rest) > words.index("to", 2) + 1:
        verb = rest[words.index("to", 2) + 1].lower
        if is_base(verb):
            return _turned(rest[1:])
    return _FACT


def _taking(rest: list[Token], _future: bool) -> Reading | None:
    words = [token.lower for token in rest[1:4]]
    return _OTHER if any(word in _NO_TAKING for word in words[:2]) else None


def _looking(rest: list[Token], _future: bool) -> Reading | None:
    """ "I look up orders" and "I look at scans" are tasks; "I look tired" or "look forward" not."""
    after = rest[1].lower if len(rest) > 1 else ""
    return Reading(Speaker.OWN, tuple(rest), form="base") if after in _LOOKED else None


def _reporting(rest: list[Token], _future: bool) -> Reading | None:
    return _OTHER if len(rest) > 1 and rest[1].lower == "to" else None


_STEPS: Final[dict[str, Step]] = {
    **dict.fromkeys(_NEVER, _negated),
    **dict.fromkeys(("do", "does", "did"), _auxiliary_do),
    **dict.fromkeys(("will", "shall"), _will),
    **dict.fromkeys(MODALS_FOREIGN, _modal),
    **dict.fromkeys(("need", "tend", "try", "must", "got", "continue", "has", "manage"), _obliged),
    **dict.fromkeys(WISHES - {"dream", "expect"}, _wishing),
    **dict.fromkeys(DISLIKE_VERBS - {"mind"}, _feeling),
    **dict.fromkeys(("am", "are", "is", "be"), _being),
    "look": _looking,
    "have": _having,
    **dict.fromkeys(("start", "begin", "finish", "end"), _starting),
    **dict.fromkeys(("spend", "spending"), _spending),
    **dict.fromkeys(("use", "using"), _using),
    **dict.fromkeys(("work", "working"), _working),
    "go": _going,
    "get": _getting,
    "take": _taking,
    "report": _reporting,
}


def _light(rest: Sequence[Token]) -> Reading | None:
    line = plain(rest[:6]) + " "
    for phrase, shared in _LIGHT_PHRASES:
        if line.startswith(phrase + " "):
            return Reading(
                Speaker.OWN,
                tuple(rest) if shared else tuple(rest[phrase.count(" ") + 1 :]),
                light=shared,
            )
    if rest and rest[0].lower in _LIGHT and len(rest) > 1:
        return Reading(Speaker.OWN, tuple(rest), form="base", light=_LIGHT[rest[0].lower])
    return None


def _verb(rest: Sequence[Token], *, is_recent: bool) -> Reading:
    word = rest[0].lower
    forms = forms_of(word)
    if gerund_base(word):
        return Reading(Speaker.OWN, tuple(rest), form="ing")
    if word in STATIVES and not (word in {"see", "find", "care", "wait"} and len(rest) > 1):
        return _OTHER
    if word == "find" and rest[1].lower in {"it", "that", "this"} and len(rest) < 5:
        return _OTHER  # "I find it draining"
    if word in DETERMINERS or word in TOOLS or word[:1].isdigit():
        return _OTHER
    if "base" in forms:
        return Reading(Speaker.OWN, tuple(rest), form="base")
    if "past" in forms:
        return Reading(Speaker.OWN, tuple(rest), form="past") if is_recent else _OTHER
    if "s" in forms:
        return Reading(Speaker.OWN, tuple(rest), form="s")
    if word.endswith("ed") or len(rest) < 2 or word in BASES:
        return Reading(Speaker.OWN, tuple(rest), form="base") if word in BASES else _OTHER
    return Reading(Speaker.OWN, tuple(rest), form="base")
