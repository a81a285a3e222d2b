"""What an assistant's question offered: the tasks it named, and which bare nouns answer it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from futura.text import content_stems
from tasks.language.clauses import Piece, pieces_of
from tasks.language.items import Collector, Draft, Nouns
from tasks.language.phrases import without_leads, without_tail
from tasks.language.tokens import Token, plain, sentences_of, tokens_of
from tasks.language.verbs import forms_of, gerund_base, is_base

MAX_OPTIONS: Final = 8


@dataclass(frozen=True)
class Question:
    """What was asked: the tasks it named, in order, and which bare nouns would answer it."""

    options: tuple[str, ...] = ()
    nouns: Nouns = "any"
    is_past: bool = False
    is_who: bool = False


_DO_YOU: Final = re.compile(
    r"(?:^|.*? )(?:(?:do|did|are|is|does|will|have) (?:you|your (?:job|role|work|day|tasks|"
    r"duties)|that|it|this|they)"
    r"|(?:so|and|that|like|seems|say|if|assume|guess|suppose|maybe|perhaps|probably|sure|then) you)"
    r"(?: (?:also|ever|often|usually|sometimes|regularly|personally|still|happen to|have to|get to|"
    r"need to|tend to|say you|say that you|typically|normally|then|not|mostly|mainly|either|"
    r"currently|"
    r"actually|yourself|involved in|involves?|includes?|responsible for|in charge of|expected to|"
    r"spend (?:any |much |a lot of |some )?"
    r"(?:time|your time)(?: on| in| doing)?|do any(?:thing)?(?: of)?|doing|usually))* (?=\S)"
)
_WH: Final = re.compile(r"\b(?:what|which|how|when|where|who|why|whom)\b")
_WHAT_ABOUT: Final = re.compile(r"(?:.*? )?(?:what|how) about (?=\S)|(?:any|ever|and any) (?=\S)")
_EXAMPLES: Final = re.compile(
    r".*? (?:like|such as|for example|for instance|e\.g\.|including) (?=\S)"
)
_DEICTIC: Final = re.compile(
    r"\b(?:those|these|any of (?:that|them|those|these)|do (?:they|these|those) apply|which of|"
    r"is (?:that|this) (?:right|correct|so|part)|(?:that|this|it) (?:right|correct|part|apply|"
    r"fit|sound))\b"
)
_DETAIL: Final = re.compile(
    r"\b(?:what (?:tools?|software|systems?|programs?|apps?|kinds?|types?|sort)|which|how often|"
    r"what (?:goes into|is in|are in)|how (?:much|long|many|do|does|are|is)|"
    r"who|whom|where|when|why|what time)\b"
)
_OPEN: Final = re.compile(
    r"\b(?:what (?:do|does|are|is|else|did|kind of (?:work|tasks|things)|takes?|fills?|happens|"
    r"would|"
    r"other|things|were|have)|tell me|describe|walk me|talk me|anything else|what's|whats|"
    r"typical|share|love to hear|besides|other (?:tasks|things|duties))\b"
)
_WHAT_THING: Final = re.compile(
    r"\bwhat do you (?:\w+ly |also )*(?!\w+ly|also|do\b|handle|spend|work|take|look|cover|deal|"
    r"help|get|have|find|need|focus|run|manage|contribute|enjoy|like)\w+"
)
_ABOUT_THE_TALK: Final = re.compile(
    r"\b(?:your (?:task )?(?:list|tasks|ratings)|to the (?:ratings|review)|the next (?:step|page)|"
    r"wrap (?:up(?= (?:and|here|now|then|\?))|it up|this up)|"
    r"(?:shall|should|can|could) we|(?:ready|happy|want|like) to (?:continue|proceed|finish|stop|"
    r"review|move|go|carry on|see|look|add|rate|wrap)|are you done|is that (?:all|everything)|"
    r"move (?:on|ahead)|(?:any|some)thing (?:else )?(?:to add|missing|i missed|we missed))(?!\w)"
)
"""Questions about the talk itself: a "yes" to one is no task."""
_ADDS: Final = re.compile(r"\b(?:add|missing|missed|else|all|everything)\b")
_WHO: Final = re.compile(r"\bwho (?:\w+ly |else |then )?(?P<verb>\w+s) (?P<what>[^?]{2,80}?) ?\??$")
_PAST: Final = re.compile(r"\b(?:did you|have you|yesterday|last week|today)\b")


def asked(question: str) -> Question:
    """Reads an assistant's message: the tasks its last question offers, if any."""
    sentences = sentences_of(tokens_of(question))
    if not sentences:
        return Question()
    at = max((i for i, s in enumerate(sentences) if s[-1].lower == "?"), default=len(sentences) - 1)
    line = plain(sentences[at])
    if _ABOUT_THE_TALK.search(line) and not any(t.kind == "colon" for t in sentences[at]):
        return Question(nouns="any" if _ADDS.search(line) else "none")
    who = _WHO.search(line)
    base = forms_of(who["verb"]).get("s") if who else ""
    if who and base and not {"it", "them", "that", "this"} & set(who["what"].split()):
        return Question((f"{base} {_to_third_person(who['what'])}",), "none", is_who=True)
    options = _options_in(sentences[at], question)
    if not options and at and _DEICTIC.search(line):
        options = _options_in(sentences[at - 1], question)
    if _OPEN.search(line) and not _EXAMPLES.match(line) and "do you do" not in line:
        options = () if not line.startswith(("do", "and do", "so do")) else options
    return Question(options, _nouns_for(line, options), bool(_PAST.search(line)))


def _nouns_for(line: str, options: Sequence[str]) -> Nouns:
    if _WHAT_THING.search(line):
        return "none"
    if not line or _OPEN.search(line):
        return "any" if not re.search(r"\b(?:tools?|software|systems?)\b", line) else "none"
    if _DETAIL.search(line) and not line.startswith("how about"):
        return "none"
    return "work" if options else "any"


def _options_in(sentence: Sequence[Token], question: str) -> tuple[str, ...]:
    words = [token for token in sentence if token.kind != "stop"]
    line = plain(words)
    colon = next((i for i, token in enumerate(words) if token.kind == "colon"), 0)
    if colon:
        return _listed(words[colon + 1 :], question)
    match = _EXAMPLES.match(line) or _DO_YOU.match(line) or _WHAT_ABOUT.match(line)
    if match is None and words and gerund_base(words[0].lower) and not _WH.search(line):
        return _listed(words, question)
    if match is None and words and words[0].lower == "you":
        return _listed(words[1:], question)
    if match is None:
        return _named_in_statement(words, question)
    if match.re is _DO_YOU and _WH.search(match.group()):
        return ()
    return _listed(words[match.group().count(" ") :], question)


def _named_in_statement(words: Sequence[Token], question: str) -> tuple[str, ...]:
    """ "Many clerks take minutes, book travel and file letters." offers three."""
    for index, token in enumerate(words[:8]):
        if index and is_base(token.lower) and words[index - 1].lower.endswith(("s", "people")):
            return _listed(words[index:], question)
    return ()


def _listed(rest: Sequence[Token], question: str) -> tuple[str, ...]:
    if not rest:
        return ()
    rest = without_leads(rest)
    if not rest or rest[0].lower in {
        "what",
        "how",
        "which",
        "who",
        "any",
        "anything",
        "it",
        "that",
    }:
        rest = rest[1:] if rest and rest[0].lower == "any" else []
    if not rest:
        return ()
    collector = Collector(nouns="any", splits_objects=any(t.lower == "or" for t in rest))
    pieces = [own for p in pieces_of(rest) if p.sep != "?" and (own := _of_you(p)).tokens]
    if not pieces:
        return ()
    first = list(pieces[0].tokens)
    opens_with_verb = is_base(first[0].lower) or not gerund_base(first[0].lower)
    is_action = bool(forms_of(first[0].lower))
    collector.own(
        first, "base" if opens_with_verb and is_action else None, None if is_action else ""
    )
    for piece in pieces[1:]:
        if plain(piece.tokens) in {
            "neither",
            "both",
            "none",
            "not",
            "something else",
            "other things",
        }:
            continue
        collector.feed(piece)
    texts = [_words_of(draft, question) for draft in collector.drafts[:MAX_OPTIONS]]
    return tuple(text for text in texts if content_stems(text))


def _of_you(piece: Piece) -> Piece:
    """The piece without "do you" in front; empty when it asks what somebody else does."""
    words = [token.lower for token in piece.tokens[:3]]
    if words[:1] and words[0] in {"do", "does", "is", "are", "did", "would", "can"}:
        if words[1:2] == ["you"]:
            return replace(piece, tokens=piece.tokens[2:])
        if words[0] not in {"do", "can"} or words[1:2] == ["they"]:
            return replace(piece, tokens=())
    if words[:2] in (["someone", "else"], ["somebody", "else"]):
        return replace(piece, tokens=())
    return piece


def _words_of(draft: Draft, question: str) -> str:
    tokens = without_tail(draft.tokens)
    if not tokens:
        return ""
    words = question[tokens[0].start : tokens[-1].end]
    if draft.borrowed:
        borrowed = without_tail(draft.borrowed)
        words += " " + question[borrowed[0].start : borrowed[-1].end] if borrowed else ""
    return _to_third_person(f"{draft.shared} {words}".strip())


def _to_third_person(words: str) -> str:
    return re.sub(r"\byour\b", "the", words)
