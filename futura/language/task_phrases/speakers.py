"""Whose doing a clause reports: the person's own of now, somebody else's, or nobody's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from futura.language.lexicon import NOUN_LIKE, PARTICLES, PERSONS, STATIVES, TOOLS
from futura.language.task_phrases import patterns
from futura.language.task_phrases.clauses import Piece
from futura.language.task_phrases.patterns import (
    AUXILIARIES,
    CONDITIONS,
    DETERMINERS,
    OTHER_PRONOUNS,
    OWN_SUBJECTS,
    POINTING,
    PREPOSITIONS,
    count_of,
    is_person,
    without_leads,
)
from futura.language.tokens import Token, line_of
from futura.language.verbs import Form, forms_of, gerund_base, is_base, is_work_noun

_REACH: Final = 24
"""Words of a clause that are read for what it is."""


class Speaker(Enum):
    """Whose doing a clause reports; FRAME announces a list of the person's own."""

    OWN = auto()
    OTHER = auto()
    NOBODY = auto()
    FACT = auto()
    CONDITION = auto()
    FRAME = auto()


@dataclass(frozen=True)
class Reading:
    """Who does what: the words from the action on and the form of its verb.

    `light` is the verb that a list of nouns shares ("handle", "" for none); None is no list.
    `takes_back`: it gives the last thing away ("that's my manager").
    """

    speaker: Speaker
    tokens: tuple[Token, ...] = ()
    form: Form | None = None
    light: str | None = None
    is_denial: bool = False
    takes_back: bool = False


_OTHER: Final = Reading(Speaker.OTHER)
_DENIED: Final = Reading(Speaker.OTHER, is_denial=True)


def _listing(tokens: Sequence[Token]) -> Reading:
    return Reading(Speaker.OWN, tuple(tokens), light="")


def reading_of(piece: Piece, *, is_future: bool = False) -> Reading:
    """Who does what in one piece."""
    if _names_somebody(piece.tokens):
        return Reading(Speaker.OTHER, takes_back=True)
    tokens = without_leads(piece.tokens)
    if not tokens:
        return Reading(Speaker.NOBODY)
    first, line = tokens[0].lower, line_of(tokens[:_REACH])
    if piece.is_heading and patterns.JOB_COLON.fullmatch(line):
        return Reading(Speaker.FRAME)
    framed = _framed(tokens, line)
    if framed is not None:
        return framed
    if first in CONDITIONS:
        return Reading(Speaker.CONDITION)
    if first in {"which", "who", "whose"}:
        return Reading(Speaker.FACT if first == "which" else Speaker.OTHER)
    if first == "am":
        return own_reading(tokens, is_future=is_future)
    if first in {"is", "are"}:
        return _OTHER
    at = 1 if first in {"myself", "me"} and len(tokens) > 1 else 0
    if tokens[at].lower in OWN_SUBJECTS:
        return own_reading(tokens[at + 1 :], is_future=is_future)
    if patterns.DONE_BY_OTHERS.search(line) or has_other_subject(tokens):
        is_aside = piece.separator == "|" and tokens[-1].lower in {"it", "that", "them", "those"}
        return Reading(Speaker.OTHER, takes_back=is_aside)  # "cleaning (a contractor does it)"
    if re.match(r"(?:got|have|need) to \w", line):
        return Reading(Speaker.OWN, tuple(tokens[2:]), form="base")
    return Reading(Speaker.NOBODY, tuple(tokens))


def _names_somebody(tokens: Sequence[Token]) -> bool:
    """ "that's my manager", "it is the porters": whose the thing before is."""
    words = [token.lower for token in tokens]
    if not 3 <= len(words) <= 6 or words[0] not in {"that", "it", "this"} or words[1] != "is":
        return False
    if words[-1] in {"job", "task", "work"}:  # "that's Anna's job"
        return any(word.endswith("'s") for word in words)
    return words[2] in DETERMINERS | {"for"} and is_person(words[-1].removesuffix("'s"))


# Lists that a frame announces --------------------------------------------------------------------
def _framed(tokens: Sequence[Token], line: str) -> Reading | None:
    match = patterns.JOB_FRAME.match(line)
    if match is None:
        return None
    if match["not"]:
        return _DENIED
    remaining = tokens[count_of(match) :]
    if remaining and match.group().endswith(" to "):
        return Reading(Speaker.OWN, tuple(remaining), form="base")
    remaining = without_leads(remaining)
    if not remaining:
        return _OTHER
    return _listing(remaining[1:] if remaining[0].lower == "to" else remaining)


# Somebody else ------------------------------------------------------------------------------------
_CAUSING: Final = frozenset("help let make have watch train teach".split())
_STOPS: Final = CONDITIONS | frozenset("that which what who whom how why".split())
_ADVERB: Final = re.compile(r"\w+ly|also|always|often|just|sometimes|then|still|never|only|all")
_MANY: Final = frozenset("people kids police staff".split())


def has_other_subject(tokens: Sequence[Token]) -> bool:
    """Whether the piece opens with somebody or something else doing something."""
    first = tokens[0].lower
    if len(tokens) < 2 or first in _CAUSING:
        return False
    if first in OTHER_PRONOUNS - {"this", "that", "these", "those", "another", "others", "people"}:
        return True
    if first not in NOUN_LIKE | PERSONS and is_base(first):
        return False
    last = len(tokens) - 1
    stored = {0, last, *(i for i, t in enumerate(tokens[:9]) if not _ADVERB.fullmatch(t.lower))}
    tokens = [token for index, token in enumerate(tokens[:9]) if index in stored]
    for index in range(1, len(tokens)):
        word, before = tokens[index].lower, tokens[index - 1].lower
        if before in _STOPS or word in _STOPS:
            return False
        if before not in DETERMINERS | PREPOSITIONS and _is_predicate(tokens, index):
            return True
        if first in OTHER_PRONOUNS and (word in AUXILIARIES or "s" in forms_of(word)):
            return True
    return False


def _is_predicate(tokens: Sequence[Token], index: int) -> bool:
    """Whether the word says what the nouns before it do: "the press | packs", "HR | does"."""
    word, before, first = (tokens[at].lower for at in (index, index - 1, 0))
    after = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    forms = forms_of(word)
    if word in AUXILIARIES - {"do", "did", "have", "had"}:
        return True
    somebody = any(is_person(token.lower) for token in tokens[:index]) or first in {"my", "our"}
    somebody = somebody or (tokens[0].capital and index == 1 and not is_work_noun(first))
    is_many = before in _MANY or (before.endswith("s") and before not in _SINGULAR)
    opens_object = after in DETERMINERS | PARTICLES | POINTING or after in {"everything", "to"}
    tells_remark = word.endswith("s") and word[:-1] in STATIVES
    if gerund_base(first):  # "underwriting decides", but "feeding calves"
        is_verb = "s" in forms and bool(after) and forms["s"] not in NOUN_LIKE
        return index == 1 and (tells_remark or is_verb or ("s" in forms and after in DETERMINERS))
    if tells_remark or (word in STATIVES and is_many and word not in NOUN_LIKE):
        return True
    if "s" in forms and not is_many:
        if opens_object or (after and somebody and not is_work_noun(after)):
            return True
        is_noun = forms["s"] in NOUN_LIKE or (is_base(first) and not somebody)
        return not is_noun or (somebody and not after and first in DETERMINERS)
    if "base" in forms and is_many and is_person(before):
        return bool(after) and (word not in NOUN_LIKE or opens_object or not is_work_noun(after))
    if "base" in forms and is_many and not is_base(before):
        return opens_object
    return "past" in forms and "base" not in forms and somebody and bool(after)


_SINGULAR: Final = frozenset("sales accounts logistics ops headquarters forensics boss".split())


# What follows "I" or "we" -----------------------------------------------------------------------
class _Outcome(Enum):
    DENIED = auto()
    OTHER = auto()
    FACT = auto()
    GO_ON = auto()  # the words matched are passed over, and the table is read again
    LIST = auto()  # what follows is a list of nouns or verbs
    VERB = auto()  # the word itself is the action


_ADVERBS: Final = r"(?:(?:\w+ly|also|just|always|often|still|now|all|both|sometimes|more) )*"
_WISHES: Final = (
    "want|hope|plan|wish|intend|aim|wanna|dream|prefer|love|like|hate|used|decided|aspire|expect|"
    "offered|promised|agreed|learned|learnt"
)
_INTENTS: Final = "going|thinking|hoping|looking|learning|considering|trying"
_TABLE: Final = tuple(
    (re.compile(pattern), outcome)
    for pattern, outcome in (
        (
            (
                r"(?:(?:do|does|did|am|are|is|was|were|will|would|can|could|should|have|had|may|might|"
                rf"must) )?{_ADVERBS}(?:not|never|neither|nor|hardly|barely|no)\b(?! only)"
            ),
            _Outcome.DENIED,
        ),
        (r"(?:would|could|can|should|might|may)\b", _Outcome.OTHER),
        (r"will (?:be|become|soon)\b", _Outcome.OTHER),
        (
            (
                r"(?:have|has|had|need|tend|try|got|get|manage|continue|happen|help)"
                rf" {_ADVERBS}(?:got )?to (?=\w)"
            ),
            _Outcome.GO_ON,
        ),
        (rf"(?:{_WISHES}) (?:to|of)\b", _Outcome.OTHER),
        (r"(?:love|enjoy|like|adore|prefer|hate|dislike|wish|hope|aspire)\b", _Outcome.OTHER),
        (rf"(?:have|am|are|was) {_ADVERBS}(?:been )?(?:{_INTENTS})\b", _Outcome.OTHER),
        (r"(?:am|are) (?:training (?:to|as|for)|planning to)\b", _Outcome.OTHER),
        (rf"have {_ADVERBS}been {_ADVERBS}(?=\w+ing\b)", _Outcome.GO_ON),
        (
            (
                rf"(?:am|are|get) {_ADVERBS}(?:responsible (?:for|of)|in charge of|accountable for|"
                r"involved (?:in|with)|tasked with|(?:kept )?busy(?: with)?|occupied with|"
                r"mostly on) "
            ),
            _Outcome.LIST,
        ),
        (rf"(?:am|are) {_ADVERBS}the (?:\w+ )?(?:who|that) ", _Outcome.GO_ON),
        (rf"(?:am|are|was|were) {_ADVERBS}(?=\w+ing\b)", _Outcome.GO_ON),
        (r"(?:am|are) (?=\w+ (?:the|my|our) \w)(?!in|on|at|from|with|of|for|by)", _Outcome.GO_ON),
        (r"(?:am|are|is|was|were|be)\b", _Outcome.FACT),
        (
            r"(?:start|begin|finish|end)(?: (?:at|work|early|around|late|in|my|on)\b|$)",
            _Outcome.FACT,
        ),
        (
            (
                r"spend (?:\S+ ){0,10}?(?:(?:on|in|with|doing|dealing with) |(?=\w+ing\b)"
                r"(?!morning|evening))"
            ),
            _Outcome.LIST,
        ),
        (r"use\b", _Outcome.FACT),
        (
            (
                r"work(?: (?:at|in|for|as|from|nights|full|part|days|shifts|alone|there|here|hard|"
                r"weekends|remotely|long|flexibly|mostly|alongside|under)\b| with \w+$|$)"
            ),
            _Outcome.FACT,
        ),
        (r"go (?:back|in|home|to (?:work|bed|college|university|school|lunch))\b", _Outcome.FACT),
        (r"(?:get|have) (?=(?:\S+ ){1,4}to \w+)", _Outcome.LIST),
        (r"get\b", _Outcome.FACT),
        (
            r"take (?:\w+ )?(?:breaks?|lunch|nap|bus|train|holidays?|leave|pride|time|coffee)\b",
            _Outcome.OTHER,
        ),
        (r"(?:report|belong|travel|commute) to\b", _Outcome.OTHER),
        (r"look (?:up|at|over|into|through|for|out|if|whether|after)\b", _Outcome.VERB),
        (r"(?:see|find|care|wait|decide|ask) (?!it\b|that\b|this\b)\S", _Outcome.VERB),
        (r"(?:focus on|concentrate on|(?:split|divide) \w+ time between) ", _Outcome.LIST),
    )
)
_SHARING: Final = ("deal with", "take care of", "look after", "handle", "cover")


def own_reading(tokens: Sequence[Token], *, is_future: bool) -> Reading:
    """Reads the words after the person's own subject."""
    remaining = _without_adverbs(tokens)
    for _ in range(6):
        line = line_of(remaining[:_REACH])
        if not remaining or (is_future and line.startswith(("will ", "am ", "are "))):
            return _OTHER
        outcome, words = _looked_up(line)
        if outcome is _Outcome.DENIED:
            return _DENIED
        if outcome is _Outcome.OTHER:
            return _OTHER
        if outcome is _Outcome.FACT:
            return Reading(Speaker.FACT)
        if outcome is _Outcome.LIST:
            return _listing(without_leads(remaining[words:]))
        if outcome is None or outcome is _Outcome.VERB:
            break
        remaining = _without_adverbs(remaining[words:])
    return _verb_reading(remaining, is_certain=outcome is _Outcome.VERB)


def _looked_up(line: str) -> tuple[_Outcome | None, int]:
    """What the table says of a line, and how many words that covers."""
    for pattern, outcome in _TABLE:
        match = pattern.match(line)
        if match is not None:
            return outcome, count_of(match)
    return None, 0


def _without_adverbs(tokens: Sequence[Token]) -> list[Token]:
    remaining = without_leads(tokens)
    while len(remaining) > 1 and (
        (remaining[0].lower.endswith("ly") and not is_base(remaining[0].lower))
        or remaining[0].lower in {"myself", "personally", "both", "all", "ever"}
    ):
        remaining = without_leads(remaining[1:])
    return remaining


def _verb_reading(tokens: list[Token], *, is_certain: bool) -> Reading:
    """A verb of work and what follows it, or something else than a task."""
    word, line = tokens[0].lower, line_of(tokens[:4]) + " "
    own = tuple(tokens)
    after = tokens[1].lower if len(tokens) > 1 else ""
    if word == "do" and is_base(after) and after not in NOUN_LIKE:
        own, word = own[1:], after
    for light in _SHARING:
        if line.startswith(light + " ") and len(tokens) > light.count(" ") + 1:
            return Reading(Speaker.OWN, own, form="base", light=light)
    if word in {"do", "have"} and len(own) > 1:
        if word == "have" and not any(is_work_noun(token.lower) for token in tokens[1:4]):
            return _OTHER
        nouns = without_leads(own[1:])
        is_counted = len(nouns) < len(own) - 1  # "do a lot of data analysis"
        return _listing(nouns) if is_counted else Reading(Speaker.OWN, own, form="base", light="")
    if word in STATIVES and not is_certain:
        return _OTHER
    forms = forms_of(word)
    if gerund_base(word):
        return Reading(Speaker.OWN, own, form="ing")
    if word in DETERMINERS | TOOLS or word[:1].isdigit():
        return _OTHER
    if "base" in forms:
        return Reading(Speaker.OWN, own, form="base")
    if "past" in forms:
        return _OTHER
    if "s" in forms:
        return Reading(Speaker.OWN, own, form="s")
    is_verb = not word.endswith("ed") and len(tokens) > 1
    return Reading(Speaker.OWN, own, form="base") if is_verb else _OTHER
