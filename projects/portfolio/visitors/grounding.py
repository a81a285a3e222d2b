"""Whether a sentence of an answer may be said: by its numbers, dates and names, counts, verdict.

Pure. Everything a sentence names must stand in what the answer rests on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from projects.portfolio import vocabulary
from projects.portfolio.visitors.contract import EvidenceCounts, Verdict
from projects.portfolio.visitors.lexicon import key_of
from projects.portfolio.visitors.quotes import keys_of

Fault = Literal["NOT_IN_EVIDENCE", "PLURAL_OF_ONE", "CONTRADICTS_VERDICT", "OUT_OF_SCOPE"]
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_WORDS: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "dozen": 12, "hundred": 100, "thousand": 1000,
    "million": 1_000_000,
}  # fmt: skip
_NUMBER: Final = re.compile(r"(?<![\w.])\d[\d.,]*(?:\s?%)?|\b\d+(?=[kKmM]\b)")
_NAME: Final = re.compile(r"(?<![\w'’])[A-ZÀ-Þ][\w'’&.+#-]*(?:\s+[A-ZÀ-Þ][\w'’&.+#-]*)*")
_PLURAL: Final = re.compile(
    r"\b(?:various|several|multiple|numerous|many|a number of|a range of|a variety of|countless|"
    r"different|plenty of|among others|and (?:more|others))\b|\b(?:related|other|similar) "
    r"(?:experiences?|projects|roles|work)\b",
    re.IGNORECASE,
)
_LINK: Final = re.compile(r"(?:https?://|www\.)[^\s<>\"\])]+", re.IGNORECASE)
_MARKUP: Final = re.compile(
    r"!\[|\]\(\s*(?!https?://)|<\s*/?\s*[a-z!|]|javascript:|```", re.IGNORECASE
)
_YES: Final = re.compile(
    r"^\W*(?:yes|yeah|yep|sure|absolutely|definitely|of course|certainly)\b", re.IGNORECASE
)
_NO: Final = re.compile(
    r"^\W*(?:no|nope|not really|i have(?: not|n't)|i've never|never)\b", re.IGNORECASE
)
# at the beginning of a sentence, or in an answer's own manner of speaking
_COMMON: Final = frozenset(
    """i i'm i've i'd i'll we we're we've my our the a an and but so yes no in at on for from to of
    as it its this that these those there here you your one two most both all some each besides
    also then when while where what which who why how if after before during since until with by
    professionally personally currently recently previously earlier later today now overall still
    not nothing none hi hello hey thanks thank sure happy glad feel ask sorry well okay ok let
    because although though however while apart outside inside beyond below above examples example
    see take looking working building he she they his her their monday tuesday wednesday thursday
    friday saturday sunday markdown unfortunately absolutely definitely certainly good great nice
    part partly only just even every everything something someone anything please welcome""".split()
)


@dataclass(frozen=True)
class Ground:
    """What an answer may rest on. `text` is everything that was proved, and who is speaking;
    `leaks` are texts of which nothing may show.
    """

    text: str
    verdict: Verdict = "n/a"
    counts: EvidenceCounts = field(default_factory=EvidenceCounts)
    question: str = ""
    is_binary: bool = False
    leaks: tuple[str, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """All that it says."""
        return keys_of(self.text)

    @property
    def numbers(self) -> frozenset[str]:
        """All numbers in it, written or in words, and the counts."""
        told = self.counts
        given = {
            str(one)
            for one in (
                told.selected_evidence_count,
                told.ui_hints_project_count,
                told.ui_hints_experience_count,
                told.ui_hints_project_count + told.ui_hints_experience_count,
            )
        }
        return frozenset(numbers_in(self.text) | given)


def numbers_in(text: str) -> set[str]:
    """Numbers of a text without separators: 1,200 and 1.200 are 1200; words up to a million."""
    found = set()
    for match in _NUMBER.finditer(text):
        found |= _forms(match[0])
    for word in re.findall(r"[a-z]+", text.casefold()):
        if word in _WORDS:
            found.add(str(_WORDS[word]))
    return found


def _forms(number: str) -> set[str]:
    plain = number.rstrip("%., ").rstrip()
    found = {plain, re.sub(r"[.,](?=\d{3}\b)", "", plain)}
    if re.fullmatch(r"\d{4}-\d{2}.*", plain):
        found |= set(plain.split("-"))
    return found | {one.lstrip("0") for one in found if one.lstrip("0")}


def fault_of(sentence: str, ground: Ground, *, is_first: bool = False) -> Fault | None:
    """Why a sentence may not be said; None where it may."""
    if _is_shout(sentence):
        return "NOT_IN_EVIDENCE"
    if _leaks(sentence, ground) or _has_foreign_link(sentence, ground):
        return "OUT_OF_SCOPE"
    if is_first and ground.is_binary and _contradicts(sentence, ground.verdict):
        return "CONTRADICTS_VERDICT"
    if _numbers_missing(sentence, ground) or _names_missing(sentence, ground):
        return "NOT_IN_EVIDENCE"
    is_one = ground.counts.selected_evidence_count == 1 and max(
        ground.counts.ui_hints_project_count, ground.counts.ui_hints_experience_count
    ) <= 1  # fmt: skip
    if is_one and _PLURAL.search(_unquoted(sentence)) and not _stands(sentence, ground):
        return "PLURAL_OF_ONE"
    return None


def _stands(sentence: str, ground: Ground) -> bool:
    """Whether the very filler stands in the evidence."""
    found = _PLURAL.search(sentence)
    return found is not None and found[0].casefold() in ground.text.casefold()


def _unquoted(sentence: str) -> str:
    return re.sub(r"“[^”]*”", " ", sentence)


def _contradicts(sentence: str, verdict: Verdict) -> bool:
    if verdict in {"no", "unknown"} and _YES.match(sentence):
        return True
    return verdict in {"yes", "partial"} and bool(_NO.match(sentence))


def _numbers_missing(sentence: str, ground: Ground) -> bool:
    known = ground.numbers
    for match in _NUMBER.finditer(sentence):
        if not (_forms(match[0]) & known):
            return True
    words = set(re.findall(r"[a-z]+", sentence.casefold())) & set(_WORDS)
    return any(str(_WORDS[one]) not in known for one in words)


def _names_missing(sentence: str, ground: Ground) -> bool:
    """Names of tools, people, places, months that nothing proved says."""
    keys = ground.keys
    for term in vocabulary.terms_in(sentence):
        if term.category == "domain":
            continue
        known = {f"={min(vocabulary.spellings_of(term.name))}"}
        if not known & keys:
            return True
    return any(not _is_known(word, ground) for word in names_in(sentence))


def names_in(sentence: str) -> list[str]:
    """Words that are written like names; the first word of a sentence only counts in a longer name,
    in capitals, or alone.
    """
    found: list[str] = []
    is_alone = len(sentence.split()) == 1
    for match in _NAME.finditer(sentence):
        words = match[0].split()
        before = sentence[: match.start()].rstrip(" *_“\"'([-•")
        is_start = not before or before[-1] in ".!?:;\n" or bool(re.search(r"(?:^|\n)\s*$", before))
        if is_start and len(words) == 1 and not (_is_loud(words[0]) or is_alone):
            continue
        found += words[1:] if is_start and words[0].casefold() in _COMMON else words
    return [one.strip(".'’-&") for one in found]


def _is_loud(word: str) -> bool:
    """Whether a word is written as no sentence begins."""
    letters = [one for one in word if one.isalpha()]
    return len(letters) > 2 and any(one.isupper() for one in letters[1:])


def _is_shout(sentence: str) -> bool:
    """Whether a single word in capitals is all it says."""
    words = re.findall(r"\w+", sentence)
    return len(words) == 1 and len(words[0]) > 4 and words[0].isupper()


def _has_foreign_link(sentence: str, ground: Ground) -> bool:
    """An address that nothing proved names, a picture, or markup."""
    if _MARKUP.search(sentence):
        return True
    known = ground.text.casefold()
    return any(one.rstrip(".,;:!?)").casefold() not in known for one in _LINK.findall(sentence))


def _is_known(word: str, ground: Ground) -> bool:
    low = word.casefold().replace("’", "'").removesuffix("'s")
    if not low or low in _COMMON or low in _WORDS or low.isdigit():
        return True
    if key_of(low) in ground.keys or re.search(rf"\b{re.escape(low)}", ground.text.casefold()):
        return True
    if low in _MONTHS:
        return f"-{_MONTHS.index(low) + 1:02}" in ground.text
    parts = re.findall(r"\w+", low)
    return len(parts) > 1 and all(key_of(one) in ground.keys for one in parts)


def _leaks(sentence: str, ground: Ground) -> bool:
    """Eight words in a row out of the instructions."""
    words = re.findall(r"\w+", sentence.casefold())
    runs = {" ".join(words[at : at + 8]) for at in range(len(words) - 7)}
    if not runs:
        return False
    return any(run in _plain(one) for one in ground.leaks for run in runs)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
