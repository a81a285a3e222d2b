"""The tasks that a question offered, and which of them a reply such as "both" takes.

A reply counts as a sentence, with a word more at most ("yes, weekly"): "yes, but only the letters"
takes nothing by its yes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from futura.language.task_phrases.clauses import pieces_of
from futura.language.task_phrases.items import Collector
from futura.language.task_phrases.patterns import without_leads, without_tail
from futura.language.tokens import Token, line_of, sentences_of, tokens_of
from futura.language.verbs import forms_of, gerund_base
from futura.text import content_stems

MAX_OPTIONS: Final = 8
_OFFERS: Final = re.compile(
    r"(?:^|.*? )(?:(?:do|did|are|does|will|have) (?:you|your (?:job|role|work|day|tasks|duties))|"
    r"(?:so|and|say|if|guess|suppose|maybe) you|(?:what|how) about|"
    r"like|such as|for example|including)"
    r"(?: (?:also|ever|often|usually|sometimes|regularly|personally|still|happen to|have to|get to|"
    r"need to|tend to|typically|normally|then|either|currently|actually|yourself|"
    r"involved in|involves?|includes?|responsible for|in charge of|expected to|any|"
    r"spend (?:any |much |a lot of |some )?(?:time|your time)(?: on| in| doing)?|"
    r"do any(?:thing)?(?: of)?|doing))* (?=\S)"
)
_ASKS_FOR: Final = re.compile(r"\b(?:what(?! about)|which|how(?! about)|when|where|whom?|why)\b")
_ABOUT_THE_TALK: Final = re.compile(
    r"\b(?:your (?:task )?(?:list|tasks|ratings)|the review|(?:shall|should|can|could) we|"
    r"(?:ready|happy|want|like) to|are you done|is that (?:all|everything)|move (?:on|ahead))\b"
)
"""Questions about the talk itself: a "yes" to one is no task."""
_OF_OTHERS: Final = frozenset("does is are neither both none not something someone".split())
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_REPLY: Final = re.compile(
    r"\s*(?:(?P<all>(?:(?:yes|yeah|yep|yup|sure)[\s,]*)?"
    r"(?:both|all(?: three)?(?: of (?:those|these|them))?|everything|i do)|yes|yeah|yep|yup|sure)"
    rf"|(?P<some>(?:only |just |mostly )?the (?:{'|'.join(_ORDINALS)}|last|former|latter)"
    r"(?: (?:one|two|three))?)"
    r"|(?P<none>no|nope|neither|none(?: of (?:those|these|them))?|not really))"
    r"(?:,? (?!no|but|never|only|except)\w+)?\s*(?P<end>[.!;\n–—]|$)",
    re.IGNORECASE,
)


def options_of(question: str) -> tuple[str, ...]:
    """The tasks that the last question of an assistant's message offers, if any."""
    sentences = sentences_of(tokens_of(question))
    if not sentences:
        return ()
    asking = [sentence for sentence in sentences if sentence[-1].lower == "?"] or sentences
    words = [token for token in asking[-1] if token.kind != "stop"]
    line = line_of(words)
    match = _OFFERS.match(line)
    if match is None or _ASKS_FOR.search(match.group()) or _ABOUT_THE_TALK.search(line):
        return ()
    return _listed(words[match.group().count(" ") :], question)


def _listed(tokens: Sequence[Token], text: str) -> tuple[str, ...]:
    """The tasks of a list in a question, worded without "your"."""
    pieces = [
        piece
        for piece in pieces_of(without_leads(tokens))
        if piece.separator != "?" and piece.tokens[0].lower not in _OF_OTHERS
    ]
    if not pieces:
        return ()
    first = pieces[0].tokens
    forms = forms_of(first[0].lower)
    collector = Collector()
    is_verb = "base" in forms and not gerund_base(first[0].lower)
    collector.own(first, "base" if is_verb else None, None if forms else "")
    for piece in pieces[1:]:
        collector.feed(piece, is_alternative=piece.separator == "or")
    options = []
    for draft in collector.drafts[:MAX_OPTIONS]:
        parts = [part for part in (draft.tokens, draft.borrowed) if without_tail(part)]
        words = [text[(t := without_tail(part))[0].start : t[-1].end] for part in parts]
        option = " ".join([draft.shared, *words]).strip()
        options.append(re.sub(r"\byour\b", "the", option))
    return tuple(option for option in options if content_stems(option))


def taken_of(options: Sequence[str], reply: str) -> tuple[Sequence[str], int, int]:
    """The options that the first sentence of a reply takes, where its words begin, and its end.

    The end is 0 where that sentence is no such reply.
    """
    match = _REPLY.match(reply) if options else None
    if match is None:
        return (), 0, 0
    start = len(reply) - len(reply.lstrip())
    if match["all"]:
        counted = re.search(r"both|three", match["all"].lower())
        is_wrong = counted and len(options) != {"both": 2, "three": 3}[counted[0]]
        return ([] if is_wrong else options), start, match.start("end")
    if match["some"]:
        return _placed(options, match["some"].lower()), start, match.start("end")
    return (), start, match.start("end")


def _placed(options: Sequence[str], which: str) -> Sequence[str]:
    """ "the first", "the last two"."""
    count = next((n for n, word in enumerate(("two", "three"), 2) if which.endswith(word)), 1)
    if "last" in which or "latter" in which:
        return options[-count:]
    first = next((n for n, word in enumerate(_ORDINALS) if word in which), 0)
    return options[first : first + count]
