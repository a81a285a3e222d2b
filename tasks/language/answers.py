"""Which of a question's options an answer such as "both" or "the first two" takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from futura.text import content_stems
from tasks.language.items import Nouns
from tasks.language.phrases import TOOLS, without_leads, without_tail
from tasks.language.questions import Question
from tasks.language.tokens import Token, plain

_NUMBER: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6,
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "1st": 1, "2nd": 2, "3rd": 3,
}  # fmt: skip
_I_DO: Final = re.compile(
    r"[\s]*(?:well,? |oh,? |usually |mostly |mainly |that(?:'s| is| would be) |it's )*"
    r"(?:i do|i am|me|myself|we do|just me|only me|i)(?=$|[\s]*[,.;!:–—-])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Answer:
    """Tasks taken from the question as (start, end, words), and from where to read on."""

    tasks: tuple[tuple[int, int, str], ...] = ()
    consumed: int = 0
    nouns: Nouns = "any"


_END: Final = r"(?=$|[\s,.;:!?)–—-])"
_LEAD: Final = (
    r"[\s\-–—,.!]*(?:(?:well|oh|um+|uh|hmm+|yes|yeah|yep|yup|ya|sure|ok|okay|actually|honestly|"
    r"mostly|"
    r"mainly|i'd say|i would say|probably|both yes|just|only|really|so|right|i (?:really |"
    r"actually |only |just |mostly )?do|"
    r"we (?:both |all )?do|i'm doing|its|it's|it is|that would be|that'd be|definitely|"
    r"absolutely|i guess|i think|"
    r"i handle|i (?:just |only )?take|no,? (?=just|only|i only)|to|for)[\s,.!]+)*"
)
_OF: Final = (
    r"(?: (?:of|on) (?:those|these|them|that|the above|it|the list|the things))?"
    r"(?: (?:you (?:said|mentioned|named|listed)|there|ones?|things|actually|really|sadly|yes))*"
)
_ORDINAL: Final = r"(?:first|second|third|fourth|fifth|1st|2nd|3rd)"
_COUNT: Final = r"(?:one|two|three|four|five|six|[1-6])"

_Picker = Callable[["re.Match[str]", int], list[int]]
_MARKS: Final = " \t\r\n,.!-–—"


def _all(_match: re.Match[str], size: int) -> list[int]:
    return list(range(size))


def _none(_match: re.Match[str], _size: int) -> list[int]:
    return []


def _first_few(match: re.Match[str], size: int) -> list[int]:
    return list(range(min(size, _NUMBER[match["count"]])))


def _last_few(match: re.Match[str], size: int) -> list[int]:
    return list(range(max(0, size - _NUMBER[match["count"]]), size))


def _numbered(match: re.Match[str], size: int) -> list[int]:
    ordinals = re.findall(
        rf"{_ORDINAL}|last|final|{_COUNT}", match.group("which").lower().replace(" one", "")
    )
    picked = [size - 1 if word in {"last", "final"} else _NUMBER[word] - 1 for word in ordinals]
    return sorted({index for index in picked if 0 <= index < size})


def _but_numbered(match: re.Match[str], size: int) -> list[int]:
    left_out = _numbered(match, size)
    return [index for index in range(size) if index not in left_out]


def _former(_match: re.Match[str], _size: int) -> list[int]:
    return [0]


def _latter(_match: re.Match[str], size: int) -> list[int]:
    return [size - 1]


_WHICH: Final = (
    rf"(?P<which>(?:the |number |no\. ?|option )?(?:{_ORDINAL}|last|final)(?: one| thing| part|"
    rf" option)?"
    rf"(?:(?:,| and|, and| &) (?:the |number )?(?:{_ORDINAL}|last|final)(?: one| thing)?)*"
    rf"|(?:number |numbers |option |options )?[1-6](?:(?:,| and|, and| &) ?(?:number )?[1-6])*)"
)
_EXCEPT: Final = r"(?:,? (?:except|but|apart from|besides|other than|minus|bar|not)(?: for)?)"
_ALL_WORDS: Final = (
    r"(?:all(?: (?:of )?(?:those|these|them|that|the above|it|two|three|four|five|six|[2-6]))?|"
    r"every ?thing|the lot|every one of them|all of the above|both|either|each of them|"
    r"a bit of (?:both|everything|all))"
)
_PICKERS: Final[tuple[tuple[re.Pattern[str], _Picker], ...]] = tuple(
    (re.compile(_LEAD + pattern + _END, re.IGNORECASE), picker)
    for pattern, picker in (
        (rf"{_ALL_WORDS}{_OF}{_EXCEPT} {_WHICH}", _but_numbered),
        (rf"(?:just |only )?the (?:first|top) (?P<count>{_COUNT}){_OF}", _first_few),
        (rf"(?:just |only )?the (?:last|final|latter) (?P<count>{_COUNT}){_OF}", _last_few),
        (rf"(?:just |only )?the former{_OF}", _former),
        (rf"(?:just |only )?the latter{_OF}", _latter),
        (rf"(?:just |only )?{_WHICH}{_OF}", _numbered),
        (rf"(?:neither|none)(?: of the (?:first|last) {_COUNT}|{_OF})|nothing like that", _none),
        (rf"{_ALL_WORDS}{_OF}", _all),
        (r"(?:those|these|they) (?:all )?(?:apply|are right|fit|are mine)|that applies", _all),
    )
)
_NO: Final = re.compile(
    r"[\s]*(?:(?:well|oh|um+|uh|hmm+|honestly|actually)[\s,]+)*(?:no|nope|nah|never|"
    r"not (?:really|at all|me|"
    r"usually|anymore|any more|yet|often|directly|personally|my job|my thing|in my)|rarely|"
    r"hardly ever|hardly|"
    r"seldom|i (?:don't|dont|do not|never do|never)(?: (?:do )?(?:that|those|it|any|either|them))?"
    r"(?=$|[\s]*[,.;!]))" + _END,
    re.IGNORECASE,
)
_YES: Final = re.compile(
    r"[\s]*(?:(?:well|oh|um+|uh|hmm+|honestly|actually)[\s,]+)*(?:yes|yeah|yea|yep|yup|ya|yess+|"
    r"sure|sure do|of course|"
    r"correct|right|exactly|definitely|absolutely|indeed|certainly|for sure|i do(?=$|"
    r"[\s]*[,.;!])|we do(?=$|[\s]*[,.;!])|"
    r"i sure do|sometimes|occasionally|often|quite often|regularly|weekly|daily|monthly|a (?:lot|"
    r"bit|little|few)|"
    r"all the time|every (?:day|week|month)|now and then|from time to time|once in a while|"
    r"that's right|thats right|"
    r"true|always|usually|mostly|most days|y)" + _END,
    re.IGNORECASE,
)


def resolve(text: str, tokens: Sequence[Token], question: Question) -> Answer:
    """The options an answer takes, with the stretch of the answer that says so."""
    if not question.options or not tokens:
        return Answer(nouns=question.nouns)
    if question.is_who:
        mine = _I_DO.match(text)
        return _taken(text, question, (0,), mine.end()) if mine else Answer(nouns="none")
    picked = _picked(text, question.options)
    if picked is not None:
        if not picked[0]:
            picked = _only_after(text, tokens, picked[1], question.options)
        return _taken(text, question, *picked)
    refusal = _NO.match(text)
    if refusal:
        return _taken(text, question, *_only_after(text, tokens, refusal.end(), question.options))
    assent = _YES.match(text)
    start = assent.end() if assent else 0
    named, end = _named(tokens, start, question.options)
    if named:
        return _taken(text, question, named, end)
    if assent:
        return _taken(text, question, range(len(question.options)), start)
    return Answer(nouns=question.nouns)


_ONLY: Final = re.compile(
    r"[\s,.;:!–—-]*(?:(?:but|so|i)[\s,]+)*(?:just|only|mainly|mostly)\b", re.IGNORECASE
)


def _only_after(
    text: str, tokens: Sequence[Token], end: int, options: Sequence[str]
) -> tuple[Sequence[int], int]:
    """ "No, just lawn care": the option that stays after a refusal, and where its words end."""
    if not _ONLY.match(text, end):
        return (), end
    named, named_end = _named(tokens, end, options)
    return (named, named_end) if named else ((), end)


def _picked(text: str, options: Sequence[str]) -> tuple[Sequence[int], int] | None:
    """Which options "both", "the first two" and the like take, and where the words end."""
    for pattern, picker in _PICKERS:
        match = pattern.match(text)
        if match is None:
            continue
        if picker is _all:
            return _less_the_excepted(text, match.end(), options)
        return picker(match, len(options)), match.end()
    return None


def _taken(text: str, question: Question, picked: Sequence[int], end: int) -> Answer:
    start = len(text) - len(text.lstrip(_MARKS))
    stretch_end = len(text[:end].rstrip(_MARKS))
    tasks = tuple((start, stretch_end, question.options[index]) for index in picked)
    return Answer(tasks if stretch_end > start else (), end, "work")


_BUT: Final = re.compile(
    r"[\s,]*(?:except|apart from|but not|but(?! (?:mo|mainly|usually|especially|also|i |we ))|"
    r"besides|other than|minus|bar|not|save)(?: for)?(?: the)? "
    r"(?P<what>[^,.;!?]{2,60})",
    re.IGNORECASE,
)


def _less_the_excepted(text: str, end: int, options: Sequence[str]) -> tuple[list[int], int]:
    """ "everything except the invoices": without the options that share words with the rest."""
    picked = list(range(len(options)))
    match = _BUT.match(text, end)
    if match is None:
        return picked, end
    excepted = content_stems(match["what"])
    left = [index for index in picked if not excepted & content_stems(options[index])]
    return (left, match.end()) if len(left) < len(picked) else (picked, end)


def _named(
    tokens: Sequence[Token], start: int, options: Sequence[str]
) -> tuple[Sequence[int], int]:
    """Options that a short answer names again ("only documents"), and where its words end."""
    named: list[int] = []
    end = start
    for words in _parts_after(tokens, start):
        hits = _hits(words, options) if len(options) > 1 else []
        if len(hits) != 1:
            break
        named.extend(hits)
        end = words[-1].end
    return named, end


def _parts_after(tokens: Sequence[Token], start: int) -> Iterator[list[Token]]:
    """The parts of a list from a place on: between "and" and commas, until another mark."""
    words: list[Token] = []
    for token in tokens:
        if token.start < start or (token.kind != "word" and not words):
            continue
        if token.kind == "word" and token.lower not in {"and", "but"}:
            words.append(token)
            continue
        if words:
            yield words
        words = []
        if token.kind not in {"word", "comma"}:
            return
    if words:
        yield words


def _hits(words: Sequence[Token], options: Sequence[str]) -> list[int]:
    if len(words) > _NAMED_WORDS:
        return []
    if words[0].lower in {"i", "we", "not", "no", "my", "the"} and len(words) > 3:
        return []
    named = [t for t in without_tail(without_leads(words)) if t.lower not in TOOLS | _ONLY_WORDS]
    stems = content_stems(plain(named))
    phrase = f" {plain(named)} "
    return [
        index
        for index, option in enumerate(options)
        if (stems and stems <= content_stems(option))
        or (len(named) > 1 and phrase in f" {option.lower()} ")
    ]


_NAMED_WORDS: Final = 5
_ONLY_WORDS: Final = frozenset({"only", "just"})
