"""Takes a message apart: courtesy off, quotations hidden, one clause for each wish or statement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from projects.language.sentences import Sentence, sentences

HIDDEN: Final = "\ue000"
_QUOTES: Final = re.compile(
    r"[\"“”«][^\"“”«»\n]*[\"”“»]|(?<!\w)[‘'](?=\S)[^‘’'\n]*\S?[’'](?!\w)|`[^`\n]*`"
)
_COURTESY: Final = re.compile(
    r"^(?:(?:hi|hiya|hello|hey|dear)(?:\s+(?:there|again|futura|everyone"
    r"|concierge))?\b|good\s+(?:morning|afternoon|evening)\b"
    r"|ok(?:ay)?\b|alright\b|all\s+right\b|so\b|well\b|now\b|also\b|and\b|then\b"
    r"|plus\b|oh\b|um+\b|btw\b|by\s+the\s+way\b|great\b"
    r"|cool\b|thanks\b|thank\s+you(?:\s+so\s+much|\s+very\s+much)?\b|cheers\b"
    r"|sorry\b|yes\b|yeah\b|yep\b|sure\b|first\b|finally\b|next\b"
    r"|lastly\b|actually\b|just\b|please\b|pls\b|plz\b|kindly\b|quickly\b"
    r"|sorry\s+to\s+bother(?:\s+you)?\b)"
    r"(?=[\s,.!:;–—-]|$)[\s,.!:;–—-]*",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"^(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+|pls\s+|kindly\s+"
    r"|just\s+|also\s+|quickly\s+)*"
    r"|(?:i|we)(?:[’']d|\s+would)\s+(?:like|love)\s+(?:(?:for\s+)?you\s+)?to\s+"
    r"|(?:i|we)\s+(?:want|need)\s+you\s+to\s+"
    r"|(?:i|we)\s+(?:want|wanna|wish)\s+to\s+|you\s+(?:can|could|may"
    r"|should)\s+(?:now\s+|please\s+)?|go\s+ahead\s+and\s+|feel\s+free\s+to\s+"
    r"|let[’']?s\s+|let\s+me\s+|(?:i|we)\s+need\s+to\s+(?=(?:add|create|reschedule"
    r"|rename|undo)\b(?!\s+up))|be\s+so\s+kind\s+(?:as\s+to|and)\s+"
    r"|help\s+me\s+(?:to\s+)?"
    r"|would\s+it\s+be\s+possible\s+to\s+|is\s+it\s+possible\s+to\s+(?=(?:add"
    r"|create|move|mark)\b))",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"[\s,.!:;–—-]*(?:\b(?:please|pls|plz|thanks(?:\s+(?:a\s+lot|so\s+much"
    r"|in\s+advance))?|thank\s+you(?:\s+(?:so|very)\s+much)?|thx|ty|cheers"
    r"|for\s+me|if\s+you\s+(?:can|could|would|don[’']t\s+mind)|when\s+you\s+(?:can"
    r"|get\s+a\s+chance)|as\s+well|too|now|right\s+away|ok(?:ay)?)\b[\s.!?🙏🙂😀👍]*)$",
    re.IGNORECASE,
)
COMMANDS: Final = frozenset(
    """add create complete finish mark tick check cross close delete remove erase trash bin rename
    retitle move push postpone reschedule delay shift snooze defer schedule set change make raise
    lower bump prioritise prioritize deprioritise deprioritize block unblock drop reopen cancel
    undo revert show list find search start run audit forecast remind put clear update assign
    unschedule display insert append resume get""".split()
)  # fmt: skip
_STARTS: Final = (
    r"(?:(?:please|also|then|and|pls)\s+)*(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?)?"
    rf"(?:(?:{'|'.join(sorted(COMMANDS - {'get', 'check', 'run', 'close', 'start'}))}"
    r")\b(?!\s*(?:$|[,.]))"
    r"|(?:start|run)\s+(?:a|an|the)\s+(?:new\s+)?(?:project|forecast|audit|survey)|done\s+with\b"
    r"|remember\s+to\b|take\s+the\s+(?:due\s+)?date|don[’']?t\b|do\s+not\b|never\b|no\s+need\b"
    r"|i(?:[’']ve|\s+have)?\s+(?:just\s+|already\s+)?(?:finished|completed|done"
    r"|sent|paid|booked|called|ordered|bought|fixed)\b"
    r"|i(?:[’']m|\s+am)\s+done\b|what(?:[’']s|\s+is|\s+are)\b|how\s+many\b|which\b"
    r"|(?:new\s+)?(?:task|to-?do)\s*:)"
)
_STATES: Final = (
    r"(?:the\s+|my\s+|our\s+)?(?:[\w'’-]+\s+){1,5}(?:is|are|has\s+been"
    r"|have\s+been)\s+(?:now\s+|all\s+|already\s+)?"
    r"(?:done|due|finished|completed?|out|sent|paid|bought|ready|critical|urgent|blocked|unblocked"
    r"|\w{3,}ed)\b"
)
_CUT: Final = re.compile(
    rf"\s*;\s*|[.!?]\s+(?:(?:also|and|then|please|plus)\s+)*(?={_STARTS})"
    rf"|\s*,?\s+(?:and\s+then|then)\s+(?={_STARTS})|\s*,\s*(?:and|but|plus"
    rf"|also)?\s*(?={_STARTS})"
    rf"|\s+(?:and|but|plus)\s+(?:also\s+)?(?={_STARTS})|\s*,?\s+and\s+(?=due\b)"
    rf"|(?P<state>\s*,\s*(?:and\s+|but\s+)?(?={_STATES})|\s+and\s+(?={_STATES}))",
    re.IGNORECASE,
)
_MAKES: Final = re.compile(
    r"^\W*(?:\w+\s+){0,3}?(?:ad+|create|remind|new|todo|to-?do|put|note|make|need)\b", re.IGNORECASE
)
_QUESTION: Final = re.compile(
    r"^(?:what|why|how|when|where|who|whose|which|is|are|was|were|am|did|does"
    r"|do(?!\s+not|n)|has|have|had|should|shall|may|might|can\s+(?!you)"
    r"|could\s+(?!you)|would\s+(?!you)|will\s+(?!you)|any)\b",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(
    r"^(?:please\s+)?(?:don[’']?t|do\s+not|dont|never|no\s+need\s+to|not|stop"
    r"|i\s+(?:don[’']?t|do\s+not|didn[’']?t|did\s+not|never)\s+"
    r"(?:want|mean|need|ask|wish)?|under\s+no\s+circumstances|whatever\s+you\s+do"
    r"|you\s+(?:must|should)(?:n[’']t|\s+not)|leave\s+(?!a\b))\b",
    re.IGNORECASE,
)
_HAS_NOT: Final = re.compile(
    r"\b(?:not|never|no\s+longer|nobody|hardly|almost|nearly|half(?:way)?|isnt"
    r"|arent|wasnt|havent|hasnt|didnt|dont|wont|cant|nothing|neither|except|unless"
    r"|\w+n[’']t)\b",
    re.IGNORECASE,
)
_HEDGED: Final = re.compile(
    r"\b(?:if|unless|when|whenever|once|as\s+soon\s+as|after\s+(?:i|we|he|she|they)"
    r"|maybe|perhaps|might|possibly|probably|supposed|would\s+have|wish|imagine"
    r"|suppose|hypothetically|pretend|wonder(?:ing)?|considering|thinking\s+(?:of"
    r"|about)|should\s+(?:i|we)|someone|somebody|tempted|assuming|before\s+(?:i|we"
    r"|you))\b",
    re.IGNORECASE,
)
_TAKEN_BACK: Final = re.compile(
    r"(?:[,.;:!–—-]|\bbut\b|^)\s*(?:oh\s+)?(?:no[,.]?\s+wait|wait[,.]?\s+no"
    r"|wait[,.]?\s+don[’']?t|actually[,.]?\s+(?:no|don[’']?t|leave\s+it"
    r"|never\s*mind)"
    r"|never\s*mind|nvm|scratch\s+that|forget\s+(?:it|that|about\s+it)"
    r"|on\s+second\s+thoughts?|strike\s+that|no[,.]?\s+don[’']?t|ignore\s+that)\b",
    re.IGNORECASE,
)
_WISH_ONLY: Final = re.compile(
    r"^(?:(?:i\s+)?hope\b.*|how\s+are\s+you\b.*|(?:hi|hello|hey)\b[\w\s]{0,20}"
    r"|good\s+(?:morning|afternoon|evening)|thanks?(?:\s+you)?\b.{0,30}"
    r"|cheers|have\s+a\s+(?:nice|good|great)\b.*)$",
    re.IGNORECASE,
)


_OTHER_WORDS: Final = frozenset("clean praise paint print learn plaster stark black clock".split())


@dataclass(frozen=True)
class Clause:
    """One wish or statement: `said` as written, `text` without courtesy.

    `masked` is `text` with quotations blanked out, of the same length.
    """

    said: str
    text: str
    masked: str
    is_question: bool = False
    is_negated: bool = False
    is_item: bool = False
    is_asked: bool = False
    follows: str = ""


def masked(text: str) -> str:
    """The text with every quotation blanked out, of the same length."""
    return _QUOTES.sub(lambda one: HIDDEN * len(one.group(0)), text)


def is_taken_back(text: str) -> bool:
    """“… no wait, don't”: whatever else the message wished is not to be done."""
    return bool(_TAKEN_BACK.search(masked(text)))


def is_hedged(text: str) -> bool:
    """“if”, “maybe”, “once it is done”: not a wish for now."""
    return bool(_HEDGED.search(masked(text)))


def has_not(text: str) -> bool:
    """Holds a “not” in some form outside quotations."""
    return bool(_HAS_NOT.search(masked(text)))


def clauses(text: str) -> list[Clause]:
    """The clauses of a message in order, pleasantries left out."""
    found = []
    for sentence in _sentences(text):
        veil = masked(sentence.text)
        place, joint, is_polite = 0, "", False
        for cut in [*_CUT.finditer(veil), None]:
            end = cut.start() if cut else len(veil)
            if cut is not None and not _may_cut(veil[place:end], cut):
                continue
            piece = sentence.text[place:end]
            if any(letter.isalnum() for letter in piece):
                one = _clause(piece, is_polite, is_item=sentence.is_item, follows=joint)
                is_polite = is_polite or one.is_asked
                found.append(one)
            if cut is not None:
                place, joint = cut.end(), cut.group(0).strip()
    return [one for one in found if one.text and not _WISH_ONLY.match(one.masked)]


def _sentences(text: str) -> Sequence[Sentence]:
    """Sentences that do not end inside a quotation."""
    whole = sentences(masked(text).replace(HIDDEN, "q"))
    return [Sentence(text[one.start : one.end], one.start, one.is_item) for one in whole]


def _may_cut(piece: str, cut: re.Match[str]) -> bool:
    """Whether what stands before a cut is a clause of its own, and what follows no part of it."""
    if cut["state"]:
        is_said = re.search(r"\b(?:is|are|was|were|been)\b|[’']s\b", piece, re.IGNORECASE)
        is_made = "," not in cut["state"] and _MAKES.match(piece)
        if is_made or not (is_said or re.match(rf"\W*(?:{_STARTS})", piece, re.IGNORECASE)):
            return False
    return _is_whole(piece) and not _is_title(piece)


def _is_whole(piece: str) -> bool:
    """Whether a piece can stand alone (“add milk”, not “please”)."""
    return len(piece.split()) >= 2 or bool(re.match(r"^\W*(?:undo|done)\W*$", piece, re.IGNORECASE))


def _is_title(piece: str) -> bool:
    """Whether a piece leads up to something that may begin like a command: “remind me to”."""
    return bool(re.search(r"(?:\bto|:|\bcalled|\bnamed)\s*$", piece, re.IGNORECASE))


def _clause(said: str, is_polite: bool, *, is_item: bool, follows: str) -> Clause:
    said = said.strip()
    text = said
    is_asked, before = False, ""
    while before != text:
        before = text
        text = _COURTESY.sub("", text, count=1)
        asked = _ASKED.match(text)
        if asked:
            is_asked, text = True, text[asked.end() :]
    ends_asking = text.rstrip(' .!"”').endswith("?")
    before = ""
    while before != text:
        before, text = text, _ENDS.sub("", text.rstrip(" .!?…,;"), count=1)
    text = text.rstrip(" .!?…,;")
    if not text:
        text = said.strip(" .!?…,;") if not _COURTESY.sub("", said) else ""
    veil = masked(text)
    is_question = bool(_QUESTION.match(veil)) or (ends_asking and not (is_asked or is_polite))
    if is_asked:  # “I'd like to do …” asks nothing, “can you tell which …” does
        is_question = bool(
            re.match(r"(?:what|which|how|when|where|who|why)\b", veil, re.IGNORECASE)
        )
    return Clause(
        said, text, veil, is_question=is_question, is_negated=bool(_NEGATED.match(veil)),
        is_item=is_item, is_asked=is_asked, follows=follows.lower(),
    )  # fmt: skip


def mended(text: str) -> str:
    """A text whose first word is a command with one slip, with that slip put right."""
    first = re.match(r"[^\W\d_]{5,}", text)
    word = first.group(0).lower() if first else ""
    if first is None or word in COMMANDS or word in _OTHER_WORDS or word.endswith(("d", "s", "g")):
        return text
    best = process.extractOne(word, sorted(COMMANDS), scorer=OSA.distance, score_cutoff=1)
    return best[0] + text[first.end() :] if best else text
