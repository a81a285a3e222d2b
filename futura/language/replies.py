"""Short replies about the talk itself: yes, no, nothing to add, stop, go on.

Each is known by its exact words, with fillers around them; whatever says more is no such reply.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final


class Stop(Enum):
    """How sure it is that the person wants to end. In doubt the guide offers (DECISIONS 9)."""

    NO = 0
    MAYBE = 1
    YES = 2


_APOSTROPHES: Final = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "\u00a0": " "})
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[!?])")
_CLAUSE: Final = re.compile(
    r"[,;:()]+|\s[-–—]+\s|[–—]|\.{2,}|…|\s+(?=(?:and|but|so|then|because)\s)"
)
_LEAD: Final = (
    r"(?:(?:ok|okay|k|yes|yeah|yep|yup|no|nope|nah|well|so|right|alright|all right|great|cool|"
    r"perfect|good|fine|thanks|thank you|honestly|actually|and|but|then|now|i think|i'd say|"
    r"i guess|i believe|i suppose|otherwise|other than that|sorry|hmm+|um+|oh|lol) )*"
)
_TAIL: Final = (
    r"(?: (?:for me|from me|(?:from|on) my (?:side|end)|for (?:now|today)|i (?:do|did|have|got)|"
    r"really|that i do|(?:that )?i can think of|to (?:add|report|tell|say|share)|at work|"
    r"at the moment|right now|comes to mind|here|now|then|thanks|thank you|i think|i guess|tasks|"
    r"so far|too|honestly|please|today|mate|cheers|tbh|lol))*"
)
_HEDGE: Final = r"(?:(?:pretty much|about|basically|really|probably|just about|all|now|quite) )*"
_STOP: Final = (
    r"(?:all )?(?P<bare>done|finished|complete)|"
    rf"(?P<me>(?:i'm|im|i am|we're|we are)) {_HEDGE}(?:done|finished|through|good)|"
    rf"(?:that's|thats|that is|this is|it's|that was|that would be) {_HEDGE}"
    r"(?:all|it|everything|the whole list)|"
    r"(?:it|(?:my|the) list) (?:is|looks) complete|"
    rf"(?:that|this|it) {_HEDGE}covers (?:it|everything)(?: all)?|"
    r"(?:(?:there's|there is|i have|i've got|got) )?(?:nothing (?:else|more|left)|no more)|"
    r"(?:i have|i've got) nothing to add|"
    r"(?:please )?(?:let's |can we |i want to |i'd like to |i need to )?"
    r"(?:stop|finish|wrap(?: it)? up|end it)"
)
_GO_ON: Final = (
    r"yes|yeah|yep|yup|sure|sure thing|ok|okay|k|please|please do|go ahead|"
    r"let's (?:go|do it|do that|move on|continue|proceed|see it)|continue|proceed|next|move on|"
    r"carry on|(?:i'm |im |i am )?ready|show me(?: the list| my list| the tasks| my tasks)?|"
    r"sounds (?:good|great)|good|great|fine|that's fine|works for me|perfect|absolutely|definitely|"
    r"of course|go on|i (?:would|do|am)|correct|right|exactly|for sure|alright|all right"
)
_NOTHING: Final = (
    r"not? (?:that|which) i (?:can think of|know of|know|can recall)|not? really|no|nope|nah|"
    r"nothing|none|not at the moment|not right now|"
    r"nothing (?:i can think of|(?:comes|springs) to mind|really|special|specific|in particular)|"
    r"i (?:can't|cannot|couldn't) think of (?:anything|any|much)(?: (?:else|more|other))?|"
    r"i (?:don't|do not) (?:think so|think there(?:'s| is) (?:anything|much)(?: else| more)?)|"
    r"i (?:don't|do not) have (?:anything|much)(?: else| more)?|"
    r"(?:i have |i've )?(?:no (?:more |other )?|out of )ideas?|"
    r"(?:there(?:'s| is) )?not much (?:else|more)"
)


def _whole(core: str) -> re.Pattern[str]:
    return re.compile(rf"{_LEAD}(?:{core}){_TAIL}")


_STOP_CLAUSE: Final = _whole(_STOP)
_GO_ON_CLAUSE: Final = _whole(_GO_ON)
_NOTHING_CLAUSE: Final = _whole(_NOTHING)
_ASKS_TO_STOP: Final = re.compile(
    rf"{_LEAD}(?:are we|am i|is (?:that|this|it)) "
    r"(?:all|done|finished|it|everything)(?: now| then)?"
)
_FILLER: Final = re.compile(
    _LEAD + r"(?:thanks?(?: you)?(?: so much| a lot| very much)?|cheers|bye|goodbye|see you|please|"
    r"have a (?:nice|good|great) (?:day|one|evening)|ok(?:ay)?|yes|yeah|no|nope|great|cool|good|"
    r"fine|right|lol|haha+|(?:let's|i'm ready to|show me|take me|you can|we can) .{0,40}|"
    r"what's next|next|i (?:don't|can't|cannot) (?:think|have|do) .{0,30}(?:else|more|add)|)"
)
_TIED: Final = re.compile(
    r"^(?:\W*(?:and|but|so|then)\s+)?(?:when|whenever|once|if|after|until|till|before|unless|"
    r"as soon as|by the time|while|because|since)\b"
)


def _normalized(text: str) -> str:
    return re.sub(r"[ \t]+", " ", text.translate(_APOSTROPHES).lower()).strip()


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.split(_normalized(text)) if part and part.strip()]


def _clauses(sentence: str) -> list[str]:
    parts = (part.strip(" .!?\"'*_~") for part in _CLAUSE.split(sentence))
    return [part for part in parts if part]


def _is_filling(clauses: list[str]) -> bool:
    return all(_FILLER.fullmatch(part) or _STOP_CLAUSE.fullmatch(part) for part in clauses)


def stop_intent(text: str) -> Stop:
    """YES: the person ends the conversation. MAYBE: it sounds so, but they go on or ask.

    A phrase counts only as a clause of its own about the conversation: "I'm done" counts,
    "when the report is done" and "not done yet" do not.
    """
    sentences = _sentences(text)
    for at, sentence in enumerate(sentences):
        is_question = sentence.rstrip().endswith("?")
        clauses = _clauses(sentence)
        if is_question and any(_ASKS_TO_STOP.fullmatch(part) for part in clauses):
            return Stop.MAYBE
        for place, part in enumerate(clauses):
            match = _STOP_CLAUSE.fullmatch(part)
            before, after = clauses[:place], clauses[place + 1 :]
            if match is None or any(_TIED.match(other) for other in (*before, *after)):
                continue
            # "…, sign it, and I'm done" ends a routine as often as a conversation
            is_loose = bool(match["bare"] or match["me"]) and not _is_filling(before)
            later = [*after, *(c for part in sentences[at + 1 :] for c in _clauses(part))]
            is_certain = not (is_loose or is_question) and _is_filling(later)
            return Stop.YES if is_certain else Stop.MAYBE
    return Stop.NO


def accepts_offer(text: str) -> bool:
    """Whether a reply to "shall we go on?" agrees and says nothing else."""
    clauses = [part for sentence in _sentences(text) for part in _clauses(sentence)]
    if "?" in text or not clauses or _GO_ON_CLAUSE.fullmatch(clauses[0]) is None:
        return False
    return all(_GO_ON_CLAUSE.fullmatch(part) or _is_filling([part]) for part in clauses)


def has_nothing_to_add(text: str) -> bool:
    """Whether a reply to "anything else?" says no without ending ("not that I can think of")."""
    sentences = _sentences(text)
    clauses = _clauses(sentences[0]) if sentences else []
    return bool(clauses) and _NOTHING_CLAUSE.fullmatch(clauses[0]) is not None


_OPENING: Final = r"(?:(?:lol|haha+|oh|well|um+|hmm+|honestly|actually|sorry|ah)[\s,.!]+)*"
_END: Final = r"(?=$|[\s,.!;–—-])"
_NO: Final = re.compile(
    rf"{_OPENING}(?!not (?:really|much|sure)|no (?:idea|clue|comment))"
    r"(?:no|nope|nah|never|not at all|not me|none(?: of (?:that|those|them|these))?|neither|"
    r"i (?:don't|do not|never)(?: (?:do|handle|have)\b[^,.!?;]*)?(?=$|[,.!;])|"
    r"(?:that's|it's) not (?:me|my|mine|part)|not (?:part of|my|in my)|"
    rf"(?:someone|somebody) else (?:does|handles)){_END}"
)
_YES: Final = re.compile(
    rf"{_OPENING}(?:(?:yes|yeah|yep|yup|correct|right|exactly|definitely|absolutely|for sure|sure|"
    r"indeed|of course|that's right|sometimes|often|daily|weekly|every day|all the time|a lot|"
    r"(?:i do )?all (?:of )?(?:those|them|these|the above)|(?:those|these) (?:all )?(?:apply|fit)|"
    rf"both){_END}|(?:i do|we do|that too|it does|very much)(?=$|[,.!;–—-]))"
)
_NO_YES: Final = re.compile(
    r"(?:right (?:now|after|before|away|at|when|then|there|up|on)|"
    r"(?:correct|right) (?:the|any|my|our|all|mistakes?|errors?|invoices?|a|an|them|those)|"
    r"(?:sure|definitely|absolutely|exactly|yes|yeah|right)\W+(?:not|no|zero|none|nope))\b|"
    r"(?:yes|yeah|sure)\s*\?"
)


def is_clear_no(text: str) -> bool:
    """Whether a reply starts with a clear no ("No, I don't do that"); "not really" is vague."""
    return _NO.match(_normalized(text).lstrip(" .,!")) is not None


def is_no_yes(text: str) -> bool:
    """Whether what looks like a yes is none: "right after lunch …", "definitely not"."""
    return _NO_YES.match((_sentences(text) or [""])[0].lstrip(" .,!")) is not None


def is_clear_yes(text: str) -> bool:
    """Whether a reply starts with a clear yes that is not taken back at once."""
    start = (_sentences(text) or [""])[0].lstrip(" .,!")
    return _YES.match(start) is not None and not is_no_yes(text)
