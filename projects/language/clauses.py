"""Splits a message into the wishes and statements it is made of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from projects.language.sentences import sentences

_VERB: Final = (
    r"(?:push|mov|postpon|delay|shift|reschedul|bring|pull|slip|extend|set|chang|put|add|creat|includ"
    r"|plan|drop|cancel|scrap|skip|abandon|forget|kill|ditch|delet|remov|eras|finish|complet|clos|tick"
    r"|check|mark|wrap|renam|call|nam|not|paus|archiv|resum|block|unblock|reopen|mak|prioriti[sz]"
    r"|deprioriti[sz]|remember|keep|get\s+rid)\w*"
)
_CUT: Final = re.compile(
    rf"\s*(?:;|,?\s+(?:and|plus|but)\s+(?:also\s+|then\s+|please\s+)*|,\s*(?:also\s+|then\s+|please\s+)*|\s+then\s+)"
    rf"(?=(?:(?:i|we)(?:'ve|’ve|'ll|’ll|\s+have|\s+will|\s+also|\s+need|\s+should|\s+must|\s+want|\s+decided|\s+no)?\s+)"
    rf"?(?:to\s+|also\s+)?(?:{_VERB}|need\s+to|have\s+to)\b"
    r"|(?:i|we)\s+(?:do\s?n|no\s+longer|need|have|must|should|decided|also)"
    r"|(?:the|our|my|it|that)\s+[\w' -]{2,40}?\s*(?:is|are|was|has|have|moves?|slips?|starts?|takes?|depends?|waits?)\b"
    r"|(?:new\s+)?(?:task|to-?do)\s*:)",
    re.IGNORECASE,
)
_POLITE: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|so|well|hi|hello|hey|also|and|then|plus|now|btw|by\s+the\s+way|great|good\s+news|yes"
    r"|update|first|second|finally|next)\b[\s,:!.-]+)*(?:please\s+)?",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"^(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?|(?:i|we)(?:'d|’d|\s+would)\s+like\s+(?:you\s+)?to\s+"
    r"|(?:i|we)\s+want\s+(?:you\s+)?to\s+|let'?s\s+|let’s\s+|please\s+)",
    re.IGNORECASE,
)
_LISTS: Final = re.compile(
    r"^\W*(?:please\s+)?(?:add|create|plan|include)\s[^:,]{0,30}\b(?:tasks|to-?dos|steps)\s*(?::|to\b)",
    re.IGNORECASE,
)
_DECIDES: Final = re.compile(
    r"^(?:(?:i|we|the\s+team|they)(?:'ve|’ve|\s+have)?\s+(?:now\s+|just\s+|finally\s+)?(?:decided|agreed|chose"
    r"|settled|resolved)\s+(?:that\s+(?:we\s+(?:will\s+|should\s+)?)?|to\s+|on\s+)?)",
    re.IGNORECASE,
)
_NEEDS: Final = re.compile(
    r"^(?:(?:i|we)(?:'ll|’ll)?\s+)?(?:(?:also|still|now|really)\s+)*(?:need\s+to|have\s+to|must|should|ought\s+to|will)"
    r"\s+(?:also\s+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """One wish or statement: `said` as written, `text` without courtesy and lead-in."""

    said: str
    text: str
    is_decision: bool = False
    is_need: bool = False


def clauses(text: str) -> list[Clause]:
    """The clauses of a message in their order; a decision covers what hangs on it."""
    found: list[Clause] = []
    for sentence in sentences(text):
        is_decision = False
        for piece in _pieces(sentence.text):
            clause = _clause(piece, is_decision=is_decision)
            is_decision = clause.is_decision
            found.append(clause)
    return found


def _pieces(sentence: str) -> list[str]:
    if _LISTS.search(sentence):
        return [sentence]
    pieces, start = [], 0
    for cut in _CUT.finditer(sentence):
        if len(sentence[start : cut.start()].split()) >= 2:
            pieces.append(sentence[start : cut.start()])
            start = cut.end()
    return [one for one in [*pieces, sentence[start:]] if one.strip()]


def _clause(said: str, *, is_decision: bool) -> Clause:
    said = said.strip()
    bare = _POLITE.sub("", said, count=1)
    decided = _DECIDES.match(bare)
    if decided:
        bare = bare[decided.end() :]
    bare = _ASKS.sub("", bare, count=1)
    need = _NEEDS.match(bare)
    if need:
        bare = bare[need.end() :]
    return Clause(said, bare.strip(" .!,;"), is_decision or decided is not None, need is not None)
