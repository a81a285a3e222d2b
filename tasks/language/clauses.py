"""Sentences taken apart into pieces, and who each piece speaks of: the person, others, nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tasks.language import own, phrases
from tasks.language.lexicon import NOUN_LIKE, PARTICLES
from tasks.language.phrases import (
    AUXILIARIES,
    CONDITIONS,
    DETERMINERS,
    OTHER_PRONOUNS,
    OWN_SUBJECTS,
    PREPOSITIONS,
    RELATIVES,
    count_of,
    is_person,
    without_leads,
)
from tasks.language.reading import Reading, Speaker
from tasks.language.runs import openings_in
from tasks.language.tokens import Token, plain
from tasks.language.verbs import forms_of, gerund_base, is_base, is_work_noun

_JOINERS: Final = {"and": "and", "or": "or", "plus": "and", "then": "then", "nor": "nor"}
_BREAKERS: Final = {"but": "but", "though": "but", "although": "but", "whereas": "but"}
_MEANWHILE: Final = frozenset({"while", "whereas", "where"})
_OFTEN: Final = frozenset("also always often just sometimes then still never only all".split())
_DECIDES: Final = frozenset(
    "decides handles pays manages approves takes does makes runs deals sorts sets provides gets "
    "keeps sends looks owns".split()
)
_SAYING: Final = frozenset(
    "think thinks believe believes assume assumes say says suppose imagine expect wish hope".split()
)
_HEAD_WORDS: Final = 16
_THINGS_DO: Final = frozenset("come arrive happen stay start end run go".split(" "))
_OPENERS: Final = DETERMINERS | PREPOSITIONS


@dataclass(frozen=True)
class Piece:
    """Tokens between two separators; `sep` is what stood before: "", ",", "and", "or", "but", "|"…

    `is_heading`: a colon follows.
    """

    tokens: tuple[Token, ...]
    sep: str = ""
    comma: bool = False
    is_heading: bool = False


def pieces_of(sentence: Sequence[Token]) -> list[Piece]:
    """The sentence cut at commas, conjunctions and new subjects."""
    pieces: list[Piece] = []
    current: list[Token] = []
    sep, comma = "", False
    openings = openings_in(sentence)
    for index, token in enumerate(sentence):
        cut = _separator(sentence, index) or ("then" if index in openings else "")
        if not cut:
            current.append(token)
            continue
        if current:
            pieces.append(Piece(tuple(current), sep, comma, is_heading=cut == ":"))
            current, sep, comma = [], "", False
        comma = comma or cut == ","
        sep = cut if cut != "," or not sep else sep
        if cut in {"own", "other"} or index in openings:
            current.append(token)
    if current:
        pieces.append(Piece(tuple(current), sep, comma))
    return pieces


def _separator(sentence: Sequence[Token], index: int) -> str:
    token = sentence[index]
    if token.kind != "word":
        return (
            {"comma": ",", "colon": ":", "stop": "?"}.get(token.kind, "|")
            if (token.lower != "/")
            else "and"
        )
    before = sentence[index - 1] if index else None
    after = sentence[index + 1] if index + 1 < len(sentence) else None
    if token.lower in _BREAKERS:
        return "but"
    if token.lower in _JOINERS:
        return _joiner(sentence, index, before, after)
    if before is None or before.kind != "word" or before.lower in _JOINERS:
        return ""
    if token.lower in OWN_SUBJECTS and _starts_clause(sentence, index):
        return "own"
    if token.lower in {"my", "our", "the"} and _starts_other(sentence, index):
        return "other"
    return ""


def _joiner(
    sentence: Sequence[Token], index: int, before: Token | None, after: Token | None
) -> str:
    word = sentence[index].lower
    if (
        word in {"and", "or"}
        and before
        and after
        and (before.lower, after.lower) in phrases.BINOMIALS
    ):
        return ""
    if word == "and" and any(t.lower == "between" for t in sentence[max(0, index - 4) : index]):
        return ""
    if word == "plus" and before and before.lower[:1].isdigit():
        return ""
    return _JOINERS[word]


def _starts_clause(sentence: Sequence[Token], index: int) -> bool:
    """Whether a pronoun without a mark before it opens a clause ("… i check temps i order …")."""
    token, before = sentence[index], sentence[index - 1]
    is_after_that = index > 1 and sentence[index - 2].lower in {"after", "before", "besides"}
    if before.lower in {"that", "this"} and is_after_that:
        return True
    if before.lower in RELATIVES - {"so"} and not (before.lower in _MEANWHILE and index > 1):
        return False
    if before.lower in _SAYING and index > 1 and sentence[index - 2].lower not in OWN_SUBJECTS:
        return False
    if token.lower == "you" and before.lower not in {"so", "day"}:
        return False
    if before.lower in PREPOSITIONS - _MEANWHILE | {
        "not",
        "do",
        "did",
        "am",
        "have",
    } | DETERMINERS - {
        "this",
        "that",
    }:
        return False
    words = 0
    for later in sentence[index + 1 : index + 5]:
        if later.kind != "word" or later.lower in _JOINERS or later.lower in _BREAKERS:
            break
        if later.lower in OWN_SUBJECTS:
            break
        words += 1
    return words >= 2


def _starts_other(sentence: Sequence[Token], index: int) -> bool:
    """Whether "my boss does …" opens here in a run of words without marks."""
    before = sentence[index - 1]
    if before.lower in RELATIVES | PREPOSITIONS or before.lower in {"make", "check", "ensure"}:
        return False
    if is_base(before.lower) or gerund_base(before.lower) or before.lower in AUXILIARIES:
        return False
    for offset in (1, 2):
        noun = sentence[index + offset] if index + offset < len(sentence) else None
        verb = sentence[index + offset + 1] if index + offset + 1 < len(sentence) else None
        if noun and verb and is_person(noun.lower) and "s" in forms_of(verb.lower):
            return index + offset + 2 < len(sentence)
    return False


def reading_of(piece: Piece, *, is_recent: bool = False, is_future: bool = False) -> Reading:
    """Who does what in one piece. `is_recent`: the past tense speaks of the present job."""
    if _names_somebody(piece.tokens):
        return Reading(Speaker.OTHER, is_of_last=True)
    tokens = without_leads(piece.tokens)
    if not tokens:
        return Reading(Speaker.NOBODY)
    if piece.is_heading and phrases.JOB_COLON.fullmatch(plain(tokens[:_HEAD_WORDS])):
        return Reading(Speaker.FRAME)
    found = _framed(tokens) or _conditional(tokens)
    if found is not None:
        return found
    if phrases.DONE_BY_OTHERS.search(plain(tokens[:_HEAD_WORDS])):
        return _about_others(tokens)
    if tokens[0].lower in {"which", "who", "whose"}:
        return Reading(Speaker.FACT if tokens[0].lower == "which" else Speaker.OTHER)
    if tokens[0].lower == "am":
        return own.reading_of(tokens, is_recent=is_recent, is_future=is_future)
    if tokens[0].lower in {"is", "are"}:
        is_list = len(tokens) > 2 and tokens[1].lower == "for"
        return Reading(Speaker.OWN if is_list else Speaker.OTHER, tuple(tokens[2:]), light="")
    if tokens[0].lower in OWN_SUBJECTS or _shares_subject(tokens):
        at = next(i for i, token in enumerate(tokens) if token.lower in OWN_SUBJECTS)
        return own.reading_of(tokens[at + 1 :], is_recent=is_recent, is_future=is_future)
    if _has_other_subject(tokens):
        return _about_others(tokens)
    if len(tokens) > 2 and tokens[0].lower in {"got", "have", "need"} and tokens[1].lower == "to":
        return Reading(Speaker.OWN, tuple(tokens[2:]), form="base")
    return Reading(Speaker.NOBODY, tuple(tokens))


def _shares_subject(tokens: Sequence[Token]) -> bool:
    """ "me and my colleague …" is cut earlier; here only "myself I …"."""
    return (
        len(tokens) > 1 and tokens[0].lower in {"myself", "me"} and tokens[1].lower in OWN_SUBJECTS
    )


def _framed(tokens: Sequence[Token]) -> Reading | None:
    line = plain(tokens[:_HEAD_WORDS])
    mine = phrases.MINE.match(line)
    if mine:
        if mine["not"]:
            return Reading(Speaker.OTHER, is_denial=True)
        return Reading(Speaker.OWN, tuple(tokens[: mine["what"].count(" ")]), light="")
    for frame in (phrases.JOB_FRAME, phrases.IT_FRAME, phrases.THERE_FRAME):
        found = frame.match(line)
        if found is None:
            continue
        rest = tokens[count_of(found) :]
        if rest and rest[0].lower in {"not", "never", "no"}:
            return Reading(Speaker.OTHER, is_denial=True)
        if frame is phrases.JOB_FRAME and found["not"]:
            return Reading(Speaker.OTHER, is_denial=True)
        if found.group().endswith(" to "):
            return Reading(Speaker.OWN, tuple(rest), form="base")
        rest = without_leads(rest)
        if frame is phrases.THERE_FRAME and any(is_person(t.lower) for t in rest[:3]):
            return Reading(Speaker.OTHER)
        if frame is phrases.IT_FRAME and _is_remark(rest):
            return Reading(Speaker.OTHER)
        if rest and rest[0].lower == "to":
            rest = rest[1:]
        return Reading(Speaker.OWN, tuple(rest), light="")
    found = phrases.ME_TO.match(line)
    if found and phrases.ME_TO_VERBS.search(found.group()):
        return Reading(Speaker.OWN, tuple(tokens[count_of(found) :]), form="base")
    found = phrases.OWN_FRAGMENT.match(line)
    if found:
        return Reading(Speaker.OWN, tuple(tokens[count_of(found) :]), light="")
    return None


def _names_somebody(tokens: Sequence[Token]) -> bool:
    """ "that's my manager", "it is the porters": whose the thing said last is."""
    if not 3 <= len(tokens) <= 6 or tokens[0].lower not in {"that", "it", "this"}:
        return False
    end = tokens[-1].lower.removesuffix("'s")
    return tokens[1].lower == "is" and tokens[2].lower in DETERMINERS | {"for"} and is_person(end)


def _is_remark(rest: Sequence[Token]) -> bool:
    """Whether what follows "it is" is no action: "it's mostly quiet", "it's a small shop"."""
    if not rest:
        return True
    first = rest[0].lower
    return not (
        gerund_base(first)
        or (is_base(first) and first not in NOUN_LIKE)
        or is_work_noun(rest[-1].lower)
        or any(is_work_noun(token.lower) for token in rest[:3])
    )


def _conditional(tokens: Sequence[Token]) -> Reading | None:
    if tokens[0].lower in CONDITIONS:
        return Reading(Speaker.CONDITION, tuple(tokens))
    return None


def _about_others(tokens: Sequence[Token]) -> Reading:
    return Reading(Speaker.OTHER, tuple(tokens))


def _has_other_subject(tokens: Sequence[Token]) -> bool:
    """Whether the piece opens with somebody or something else doing something."""
    first = tokens[0].lower
    if first in OTHER_PRONOUNS and len(tokens) > 1:
        following = next((t.lower for t in tokens[1:4] if not t.lower.endswith("ly")), "")
        if first in {"he", "she", "they", "someone", "everyone", "it", "somebody", "nobody"}:
            return True
        if following in AUXILIARIES or "s" in forms_of(following) or "past" in forms_of(following):
            return first not in {"these", "those"} or following in AUXILIARIES
        if first in {"others", "people"} and is_base(following):
            return True
    if len(tokens) > 1 and _is_plural(first) and tokens[1].lower in _THINGS_DO:
        return not is_base(first)
    if _people_do(tokens) or _department_does(tokens) or _subject_verb_object(tokens):
        return True
    for index in range(1, min(7, len(tokens))):
        if _is_predicate(tokens, index):
            return True
        if tokens[index].lower in PREPOSITIONS - {"of", "in", "at"}:
            return False
    return False


def _people_do(tokens: Sequence[Token]) -> bool:
    """ "customers complain about …", "vet comes on Tuesdays", "the parents drop off the kids"."""
    at = 1 if tokens[0].lower in DETERMINERS else 0
    while at + 1 < len(tokens) and not is_person(tokens[at].lower) and at < 2:
        at += 1
    if at + 2 > len(tokens) or not is_person(tokens[at].lower):
        return False
    if any(is_base(t.lower) and t.lower not in phrases.PERSONS for t in tokens[:at]):
        return False
    behind = [t.lower for t in tokens[at + 1 : at + 4]]
    following = [word for word in behind if not word.endswith("ly")]
    while following and following[0] in _OFTEN:
        following = following[1:]
    verb = following[0] if following else ""
    if verb in phrases.OTHERS_DO:
        return True
    if at and tokens[0].lower in DETERMINERS and behind == [verb] and "s" in forms_of(verb):
        return True  # "the chef cooks"
    goes_on = following[:1] != behind[:1] or (len(following) > 1 and following[1] in _OPENERS)
    owner = tokens[at].end - tokens[at].start > len(tokens[at].lower)  # "patients' files"
    is_many = _is_plural(tokens[at].lower) or tokens[at].lower in {"people", "kids", "police"}
    if not is_many or owner or not is_base(verb) or len(following) < 2:
        return False
    return not is_work_noun(verb) or goes_on


def _subject_verb_object(tokens: Sequence[Token]) -> bool:
    """ "Forensics analyses the samples", "the press packs the boxes"."""
    first = tokens[0].lower
    if first not in DETERMINERS | phrases.PERSONS and (
        gerund_base(first) or (is_base(first) and first not in NOUN_LIKE)
    ):
        return False
    if _noun_does(tokens):
        return True
    for index in (1, 2, 3):
        if index + 1 >= len(tokens) or tokens[index].lower in PREPOSITIONS:
            return False
        verb, before = tokens[index].lower, tokens[index - 1].lower
        if before in DETERMINERS or not _opens_object(tokens[index + 1]):
            continue
        if "s" in forms_of(verb) and (index > 1 or not is_base(first)):
            return True
        if _is_plural(before) and is_base(verb) and not is_base(before):
            return True
    return False


def _noun_does(tokens: Sequence[Token]) -> bool:
    """ "Mechanic repairs car": one noun, a verb in -s, and an object of it."""
    if len(tokens) > 2 and tokens[1].lower in phrases.OTHERS_DO and tokens[1].lower[-1] == "s":
        return not is_base(tokens[0].lower) and not gerund_base(tokens[0].lower)
    if len(tokens) < 3 or "s" not in forms_of(tokens[1].lower):
        return False
    first, after = tokens[0].lower, tokens[2].lower
    is_noun = not is_base(first) and first not in PREPOSITIONS | DETERMINERS | AUXILIARIES
    is_object = after not in PREPOSITIONS | {"and", "or"} and not is_work_noun(after)
    return is_noun and is_object and tokens[2].kind == "word"


def _department_does(tokens: Sequence[Token]) -> bool:
    """ "Underwriting decides on approval", "purchasing orders the parts"."""
    if len(tokens) < 3 or not gerund_base(tokens[0].lower):
        return False
    verb = tokens[1].lower
    return verb in _DECIDES or ("s" in forms_of(verb) and tokens[2].lower in DETERMINERS)


def _is_predicate(tokens: Sequence[Token], index: int) -> bool:
    word, before = tokens[index].lower, tokens[index - 1].lower
    first = tokens[0].lower
    is_noun_like = first in NOUN_LIKE and not any(t.lower in RELATIVES for t in tokens[:index])
    starts_noun = first in DETERMINERS or not (is_base(first) or gerund_base(first))
    if word in AUXILIARIES and word not in {"do", "does", "did", "has", "have", "had"}:
        return starts_noun or is_noun_like or index == 1
    has_object = index + 1 < len(tokens)
    somebody = is_person(before) or (tokens[index - 1].capital and index == 1)
    somebody = somebody or (first in {"my", "our", "another", "other"} and index >= 2)
    noun = next((i for i, t in enumerate(tokens[:index]) if t.lower in PREPOSITIONS), 0)
    somebody = somebody or (noun > 0 and is_person(tokens[noun - 1].lower))
    if not starts_noun and not (first in NOUN_LIKE and is_person(first)):
        return False
    forms = forms_of(word)
    if word in {"does", "do", "has", "have", "did", "had"}:
        return somebody or (first in DETERMINERS and index >= 2)
    if "s" in forms and somebody and not _is_plural(before):
        if has_object:
            return not is_work_noun(word) or _opens_object(tokens[index + 1]) or index > 1
        return forms["s"] not in NOUN_LIKE
    if "s" in forms and before in {"hr", "it"}:
        return has_object
    if (
        "base" in forms
        and is_person(before)
        and before.endswith(("s", "men", "team", "crew", "staff", "police", "people", "kids"))
    ):
        return has_object and word not in PREPOSITIONS
    return "past" in forms and "base" not in forms and somebody and first in DETERMINERS


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith("ss") and noun not in phrases.SINGULAR_IN_S


def _opens_object(token: Token) -> bool:
    return (
        token.lower in DETERMINERS
        or token.lower in PARTICLES
        or token.lower
        in {
            "it",
            "them",
            "him",
            "her",
            "us",
            "me",
            "everything",
            "about",
            "on",
            "to",
        }
    )
