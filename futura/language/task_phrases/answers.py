"""The tasks that a question offered, and which of them an answer such as "both" takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from futura.language.replies import is_no_yes
from futura.language.task_phrases.clauses import pieces_of
from futura.language.task_phrases.items import Collector, Nouns
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
_ASKS_FOR_DETAIL: Final = re.compile(
    r"\b(?:which|how (?:often|much|long|many|do|does|are|is)|whom?|where|when|why)\b"
)
_ASKS_OPENLY: Final = re.compile(
    r"\b(?:what (?:do|does|are|is|else|did|kind of (?:work|tasks|things)|takes?|fills?|happens|"
    r"would|other|things|were|have)|tell me|describe|walk me|talk me|anything else|what's|whats|"
    r"typical|share|love to hear|besides|other (?:tasks|things|duties))\b"
)
_ASKS_FOR_THINGS: Final = re.compile(
    r"\bwhat (?:tools?|software|systems?|kinds?|types?|sort|time|goes into|is in|are in)\b|"
    r"\bwhat do you (?!do\b|handle|spend|work|take|look|cover|deal|help|get|have|need|focus|run|"
    r"manage|\w+ly|also)\w+"
)
_ABOUT_THE_TALK: Final = re.compile(
    r"\b(?:your (?:task )?(?:list|tasks|ratings)|the review|(?:shall|should|can|could) we|"
    r"(?:ready|happy|want|like) to|are you done|is that (?:all|everything)|move (?:on|ahead))\b"
)
"""Questions about the talk itself: a "yes" to one is no task."""
_ADDS: Final = re.compile(r"\b(?:add|missing|missed|else|all|everything)\b")
_OF_OTHERS: Final = frozenset("does is are neither both none not something someone".split())

_MARKS: Final = " \t\r\n,.!-–—"
_NUMBERS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5,
    **{str(number): number for number in range(1, 7)},
}  # fmt: skip
_COUNT: Final = r"(?:one|two|three|four|five|six|[2-6])"
_PLACE: Final = r"(?:first|second|third|fourth|fifth|last|latter|former|[1-6])"
_SOFTENED: Final = (
    r"[\s\-–—,.!]*(?:(?:well|oh|um+|hmm+|yes|yeah|yep|yup|sure|ok|okay|actually|honestly|mostly|"
    r"mainly|probably|just|only|really|so|right|i (?:really |actually |only |just |mostly )?do|"
    r"it's|to|for|definitely|absolutely|i guess|i think|no,? (?=just|only))[\s,.!]+)*"
)
_WHICH: Final = (
    rf"(?P<which>(?:the |number )?{_PLACE}(?: one| {_COUNT})?"
    rf"(?:(?:,| and|, and| &) (?:the )?{_PLACE}(?: one)?)*)"
)
_ALL: Final = (
    rf"(?:all(?: (?:of )?(?:those|these|them|that|the above|it|{_COUNT}))?"
    rf"(?! (?:{_COUNT} )?(?:of )?(?:my|our|the)\b)|every ?thing|the lot|both|either|"
    r"i do (?:those|these|them|all|both)(?: all)?|"
    r"(?:those|these|they) (?:all )?(?:apply|are right|fit|are mine)|that applies)"
)
_EXCEPT: Final = (
    r"[\s,]*(?:except|apart from|but(?: not| i (?:don't|do not|never))?|besides|other than|minus|"
    r"not)(?: for)?"
)
_BARE: Final = r"(?=$|[\s]*[,.;!])"


def _reply(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"{_SOFTENED}{pattern}(?=$|[\s,.;:!)–—-])", re.IGNORECASE)


def _choice(pattern: str) -> re.Pattern[str]:
    """A choice stands alone, or goes on to name what it is of or without."""
    of = r"(?: of (?:those|these|them))?(?: (?:really|please|sadly|do|apply|ones?|"
    of += r"you (?:said|named)|there))*"
    after = r"(?=\s*(?:$|[,.;:!)–—-]|and\b|but\b|except\b|apart\b|besides\b|minus\b|not\b))"
    return re.compile(rf"{_SOFTENED}{pattern}{of}{after}", re.IGNORECASE)


_NONE_OF_THEM: Final = _choice(rf"(?:(?:neither|none)(?: of (?:the (?:first|last) {_COUNT}|\w+))?)")
_ALL_BUT: Final = _choice(rf"{_ALL}{_EXCEPT} {_WHICH}")
_SOME: Final = _choice(rf"{_WHICH}")
_EVERY: Final = _choice(_ALL)
_LEFT_OUT: Final = re.compile(
    rf"{_EXCEPT}(?! (?:mo|mainly|usually|also|i |we ))(?: the)? (?P<what>[^,.;!?]{{2,60}})",
    re.IGNORECASE,
)
_NO: Final = _reply(
    r"(?:no|nope|nah|never|not (?:really|at all|me|usually|anymore|any more|yet|often|directly|"
    r"personally|my job|my thing)|rarely|hardly(?: ever)?|seldom|used to|"
    rf"i (?:don't|dont|do not|never)(?: (?:do )?(?:that|those|it|any|either|them))?{_BARE}|"
    r"(?:someone|somebody) else)"
)
_YES: Final = _reply(
    r"(?:yes|yeah|yea|yep|yup|sure|of course|correct|right|exactly|definitely|absolutely|indeed|"
    rf"certainly|for sure|(?:i|we) do{_BARE}|sometimes|occasionally|often|regularly|weekly|daily|"
    r"monthly|a (?:lot|bit|little|few)|all the time|every (?:day|week|month)|now and then|"
    r"that's right|true|always|usually|mostly|most days)"
)
_ONLY: Final = re.compile(r"[\s,.;:!–—-]*(?:(?:but|so|i)\s+)*(?:just|only)\b", re.IGNORECASE)
_NAMED_WORDS: Final = 5
"""Longest part of an answer that names an option again ("only documents")."""


@dataclass(frozen=True)
class Question:
    """The tasks that were named, in order, and which bare nouns would answer it."""

    options: tuple[str, ...] = ()
    nouns: Nouns = "any"


@dataclass(frozen=True)
class Answer:
    """Tasks taken from the question as (start, end, words), and from where to read on."""

    tasks: tuple[tuple[int, int, str], ...] = ()
    end: int = 0
    nouns: Nouns = "any"


def question_of(text: str) -> Question:
    """Reads an assistant's message: the tasks its last question offers, if any."""
    sentences = sentences_of(tokens_of(text))
    if not sentences:
        return Question()
    asking = [sentence for sentence in sentences if sentence[-1].lower == "?"] or sentences
    words = [token for token in asking[-1] if token.kind != "stop"]
    line = line_of(words)
    colon = next((place for place, token in enumerate(words) if token.kind == "colon"), 0)
    if colon:
        return Question(_listed(words[colon + 1 :], text), "work")
    if _ABOUT_THE_TALK.search(line):
        return Question(nouns="any" if _ADDS.search(line) else "none")
    match = _OFFERS.match(line)
    is_open = match is None or _ASKS_FOR.search(match.group()) is not None
    options = () if is_open or match is None else _listed(words[match.group().count(" ") :], text)
    if _ASKS_FOR_THINGS.search(line):
        return Question(options, "none")
    if not line or _ASKS_OPENLY.search(line) or (match and not options):
        return Question(options, "any")
    return Question(
        options, "none" if _ASKS_FOR_DETAIL.search(line) else "work" if options else "any"
    )


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
    collector = Collector(nouns="any")
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


def answer_to(text: str, tokens: Sequence[Token], question: Question) -> Answer:
    """The options an answer takes, with the stretch of the answer that says so."""
    options = question.options
    if not options or not tokens:
        return Answer(nouns=question.nouns)
    places, end = options_taken(text, options)
    if not places:
        assent = end
        named, end = _named(tokens, end, options)
        if assent and not _ONLY.match(text, assent):
            named, end = [], assent
        places = named
    elif _YES.match(text) and not _EVERY.match(text):
        named, named_end = _named(tokens, end, options)  # "yes, the letters"
        places, end = (named, named_end) if named else (places, end)
    if not end:
        return Answer(nouns=question.nouns)
    start = len(text) - len(text.lstrip(_MARKS))
    stop = len(text[:end].rstrip(_MARKS))
    tasks = tuple((start, stop, options[place]) for place in places) if stop > start else ()
    return Answer(tasks, end, "work")


def options_taken(
    text: str, options: Sequence[str], *, by_yes: bool = True
) -> tuple[list[int], int]:
    """Places of the options that a reply takes by "yes", "both", "the first two", and its end.

    No places and an end: it takes none of them. No places and no end: it is no such reply.
    """
    size = len(options)
    if match := _NONE_OF_THEM.match(text):
        return [], match.end()
    if match := _ALL_BUT.match(text):
        left_out = _places(match["which"], size)
        return [place for place in range(size) if place not in left_out], match.end()
    if match := _SOME.match(text):
        return _places(match["which"], size), match.end()
    if match := _NO.match(text):
        return [], match.end()
    match = _EVERY.match(text) or (_YES.match(text) if by_yes and not is_no_yes(text) else None)
    if match is None:
        return [], 0
    counted = set(match.group().lower().split()) & {"both", *_NUMBERS}
    if any(size != _NUMBERS.get(word, 2) for word in counted):
        return [], match.end()
    excepted = _LEFT_OUT.match(text, match.end())
    stems = content_stems(excepted["what"]) if excepted else frozenset()
    left = [place for place in range(size) if not stems & content_stems(options[place])]
    return left, (excepted if excepted and len(left) < size else match).end()


def _places(which: str, size: int) -> list[int]:
    """ "the first two", "the second and the last" as places from 0."""
    words = re.findall(rf"{_PLACE}|{_COUNT}", which.lower().replace(" one", ""))
    if len(words) == 2 and words[0] in {"first", "last"} and " and" not in which.lower():
        count = _NUMBERS[words[1]]
        return list(range(size))[:count] if words[0] == "first" else list(range(size))[-count:]
    ends = {"last": size, "latter": size, "former": 1}
    numbers = {ends.get(word) or _NUMBERS[word] for word in words}
    return sorted(number - 1 for number in numbers if number <= size)


def _named(tokens: Sequence[Token], start: int, options: Sequence[str]) -> tuple[list[int], int]:
    """Options that a short answer names again ("only documents"), and where its words end."""
    named: list[int] = []
    end = start
    part: list[Token] = []
    for token in [*(t for t in tokens if t.start >= start), Token("", 0, 0, "stop")]:
        if token.kind == "word" and token.lower not in {"and", "but"}:
            part.append(token)
            continue
        if part:
            matches = _matches(part, options) if len(options) > 1 else []
            if len(matches) != 1:
                break
            named.extend(matches)
            end, part = part[-1].end, []
        if token.kind not in {"word", "comma"} and named:
            break
    return named, end


def _matches(words: Sequence[Token], options: Sequence[str]) -> list[int]:
    if len(words) > _NAMED_WORDS or (words[0].lower in {"i", "we", "not", "no"} and len(words) > 3):
        return []
    remaining = [t for t in without_tail(without_leads(words)) if t.lower not in {"only", "just"}]
    stems = content_stems(line_of(remaining))
    return [
        place for place, option in enumerate(options) if stems and stems <= content_stems(option)
    ]
