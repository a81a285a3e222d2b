"""What a question looks for, by rules: which kind of thing, about what, in whose context, when.

Pure. `Asked` (planner) says how it is asked; this says what a document must have to answer it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from futura.text import WORD
from projects.portfolio import vocabulary
from projects.portfolio.documents import Doc
from projects.portfolio.index.terms import ASKING
from projects.portfolio.visitors import cues
from projects.portfolio.visitors.lexicon import is_soft, key_of, same_as
from projects.portfolio.visitors.listed import as_listed, listed_in, plain_words

Aspect = Literal[
    "home", "been", "duration", "count", "when", "now", "bio", "names", "schools", "awards",
    "jobs", "projects", "any",
]  # fmt: skip
Key = tuple[str, str]  # corpus, id

_LEGAL: Final = frozenset(
    "inc ltd llc corp corporation gmbh ab ag sa bv co company plc oy as aps limited".split()
)
_HOME: Final = re.compile(
    r"\bwhere (?:do|are|is) (?:you|he|she|they|your (?:group|team|studio|office|company|lab)) "
    r"(?:live|living|based|located|now|currently|from|these days)|"
    r"\bwhere (?:are|is) (?:you|he|she|they|your (?:group|team|studio|office|lab))\s*\?|"
    r"\b(?:are|is) (?:you|he|she|they) (?:\w+ )?(?:based|located|living)|"
    r"\b(?:do|does) (?:you|he|she|they) (?:\w+ )?live\b|"
    r"\byour (?:current )?(?:location|city|country|time ?zone|home)\b|"
    r"\bwhich (?:city|country) (?:do|are) you (?:live|based|in|living)|\bbased in\b",
    re.IGNORECASE,
)
_NOW: Final = re.compile(
    r"\b(?:current(?:ly)?|now|at the moment|these days|nowadays|still|today)\b", re.IGNORECASE
)
_PAST: Final = re.compile(
    r"\b(?:finished|ended|completed|concluded|former|previous|past)\b", re.IGNORECASE
)
_OWN: Final = re.compile(
    r"\b(?:side|personal|hobby|pet|spare[- ]time)[- ]?(?:projects?|works?|pieces?|things)\b",
    re.IGNORECASE,
)
_BOTH: Final = re.compile(
    r"\bboth\b|\b(?:us(?:es?|ed|ing)|with|combin(?:es?|ed|ing)|mix(?:es|ed)?)\s[^,?]*\band\b",
    re.IGNORECASE,
)
_WHEN: Final = re.compile(
    r"\b(?:when|what year|which year|since when|how recently)\b", re.IGNORECASE
)
_DURATION: Final = re.compile(
    r"\b(?:how long|how many (?:years|months)|(?:years|months) of|how much experience)\b",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(r"\bhow many\b|\bnumber of\b", re.IGNORECASE)
_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "language": ("language",), "framework": ("framework",), "librar": ("framework",),
    "tool": ("tool",), "softwar": ("tool", "framework"), "program": ("tool",),
    "databas": ("tool",), "technolog": ("language", "framework", "tool"),
    "stack": ("language", "framework", "tool"), "tech": ("language", "framework", "tool"),
    "skill": ("language", "framework", "tool", "domain"), "materi": ("material",),
    "techniqu": ("technique",), "strength": ("language", "framework", "tool", "domain"),
}  # fmt: skip
_NAMES: Final = re.compile(
    r"\b(?:what|which|list|name|all|show|your|know|how many)\b[^.?!]*?"
    r"\b(programming |computer |coding |design )?"
    r"(languages?|frameworks?|librar(?:y|ies)|tools?|software|programs|databases?|technolog(?:y|ies)|"
    r"stack|tech|skills?|materials?|techniques?|strengths)\b",
    re.IGNORECASE,
)
_JOBS: Final = re.compile(
    r"\b(?:jobs?|roles?|positions?|compan(?:y|ies)|employers?|work(?:ed)? (?:for|at)|work history|"
    r"internships?|interned|institutions?|clients?|career|employment|organi[sz]ations?|studios?|labs?)\b|"
    r"\bwhere (?:have|did|do) you work",
    re.IGNORECASE,
)
_PROJECTS: Final = re.compile(
    r"\b(?:projects?|repos?(?:itor(?:y|ies))?|case stud(?:y|ies)|pieces?|works|shipped|"
    r"things (?:have )?you(?:'ve)? (?:built|made|designed)|"
    r"what (?:have|did|do) you (?:build|built|make|made|ship|design|designed|create|created)\w*|"
    r"portfolio (?:pieces?|entries)|entries|your work)\b|"
    # what was made is a piece of work, whatever it is called
    r"\b(?:which|what|all|list|show|name)\b[^?.]*\byou (?:ever )?(?:ma[dk]e|built|build|"
    r"design(?:ed)?|draw[n]?|drew|creat(?:e|ed)|develop(?:ed)?|written|write|wrote|ship(?:ped)?|programmed)\b",
    re.IGNORECASE,
)
_SCHOOLS: Final = re.compile(
    r"\b(?:degrees?|schools?|universit\w+|colleges?|educat\w+|graduat\w+|diploma|"
    r"(?:did|have) you stud\w+|stud(?:y|ied)|"
    r"academic background|major|qualifications?|phd|doctorate|master'?s|bachelor'?s|msc|bsc|mba)\b",
    re.IGNORECASE,
)
_AWARDS: Final = re.compile(
    r"\b(?:awards?|prizes?|hono[u]?rs?|won|win|winning|recognitions?|fellowships?|scholarships?|medals?)\b",
    re.IGNORECASE,
)
_YEARS: Final = re.compile(
    r"\b(since|after|from|before|until|by|in|during|between|around)?\s*((?:19|20)\d\d)"
    r"(?:\s*(?:and|to|[-–])\s*((?:19|20)\d\d))?\b",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(
    r"([\w+#.'-]+)\s*(?:,\s*)?\b(and|or|vs\.?|versus|nor)\s+([\w+#.'-]+)", re.IGNORECASE
)
_LATEST: Final = re.compile(r"\b(?:latest|newest|most recent|last|current)\b", re.IGNORECASE)
_FIRST: Final = re.compile(r"\b(?:first|earliest|oldest)\b", re.IGNORECASE)
_HOW_MANY: Final = {"one": 1, "two": 2, "three": 3, "a couple": 2, "a few": 3, "some": 3,
                    "examples": 3, "five": 5, "four": 4}  # fmt: skip


@dataclass(frozen=True)
class Topic:
    """One word or name that a document must have; `keys` are the stems or names that do.

    `phrase`: words that must stand together, in this order.
    """

    text: str
    keys: frozenset[str]
    is_name: bool = False
    is_tool: bool = False
    phrase: str = ""


@dataclass(frozen=True)
class Sought:
    """What is looked for.

    `groups`: things asked after, each by the topics that a document must all have; none means
    everything of the aspect. `entities`: documents that the question names. `is_own`: beside any
    job; `is_both`: what has all groups, not what has one of them.
    """

    aspect: Aspect
    groups: tuple[tuple[Topic, ...], ...] = ()
    joiner: Literal["and", "or"] = "and"
    entities: tuple[Key, ...] = ()
    years: tuple[int, int] | None = None
    kinds: tuple[str, ...] = ()
    order: Literal["", "latest", "first"] = ""
    limit: int | None = None
    is_now: bool = False
    is_past: bool = False
    is_own: bool = False
    is_both: bool = False
    facets: frozenset[str] = field(default_factory=frozenset)

    @property
    def topics(self) -> list[Topic]:
        """All topics, each once."""
        return list(dict.fromkeys(one for group in self.groups for one in group))


def sought_in(question: str, docs: Sequence[Doc], *, told: Sequence[Key] = ()) -> Sought:
    """What a question looks for in a portfolio of these documents.

    `told`: what a follow-up means by “it” or “that”, where the question itself names nothing.
    """
    text = as_listed(" ".join(question.split()), docs)
    entities, taken = _entities(text, docs)
    phrases = _phrases(text, taken, docs)
    # “remote sensing projects” asks nothing about working remotely
    rest = _without(text, phrases)
    aspect = aspect_of(rest)
    groups, joiner = _groups(text, taken, phrases)
    first = _FIRST.search(text)
    order: Literal["", "latest", "first"] = "latest" if _LATEST.search(text) else ""
    return Sought(
        aspect=aspect,
        groups=groups,
        joiner=joiner,
        entities=tuple(entities) or tuple(told),
        years=_years(text),
        kinds=_kinds(text),
        order=order or ("first" if first else ""),
        limit=_limit(text),
        is_now=bool(_NOW.search(text)),
        facets=facets_of(aspect, rest),
        is_past=bool(_PAST.search(text)),
        is_own=bool(_OWN.search(text)),
        is_both=bool(_BOTH.search(text)),
    )


def is_home(text: str) -> bool:
    """Whether a question asks where the owner lives."""
    return _HOME.search(text) is not None


def aspect_of(text: str) -> Aspect:
    """Which kind of answer is wanted."""
    named = _NAMES.search(text)
    rules: tuple[tuple[Aspect, bool], ...] = (
        ("home", is_home(text)),
        ("duration", bool(_DURATION.search(text))),
        ("bio", bool(cues.BIO.search(text)) and not vocabulary.terms_in(text)),
        ("count", bool(_COUNT.search(text))),
        ("names", bool(named) and not _PROJECTS.search(text) and not _JOBS.search(text)),
        ("when", bool(_WHEN.search(text))),
        ("been", bool(cues.PLACE.search(text)) and not _JOBS.search(text)),
        ("schools", bool(_SCHOOLS.search(text))),
        ("awards", bool(_AWARDS.search(text))),
        ("projects", bool(_PROJECTS.search(text))),
        ("jobs", bool(_JOBS.search(text))),
    )
    return next((aspect for aspect, is_so in rules if is_so), "any")


def facets_of(aspect: Aspect, text: str) -> frozenset[str]:
    """Kinds of documents that the things asked for are; empty for any."""
    found: set[str] = set()
    if _PROJECTS.search(text):
        found.add("project")
    if _JOBS.search(text):
        found.add("experience")
    if _SCHOOLS.search(text):
        found.add("education")
    if _AWARDS.search(text):
        found.add("award")
    if aspect in {"home", "bio", "names", "been"}:
        return frozenset()
    return frozenset(found)


def _kinds(text: str) -> tuple[str, ...]:
    named = _NAMES.search(text)
    if named is None:
        return ()
    word = named[2].lower()
    if word.startswith("language") and re.search(
        r"\b(?:speak|spoken|fluent|mother)\b", text, re.IGNORECASE
    ):
        return ("spoken",)
    return next((kinds for stem, kinds in _KINDS.items() if word.startswith(stem)), ())


def _years(text: str) -> tuple[int, int] | None:
    found = _YEARS.search(text)
    if found is None:
        return None
    how, first, second = (found[1] or "in").lower(), int(found[2]), found[3]
    if second:
        return first, int(second)
    if how in {"since", "after", "from"}:
        return first + (how == "after"), 9999
    if how in {"before", "until", "by"}:
        return 0, first - (how == "before")
    return first, first


def _limit(text: str) -> int | None:
    low = text.lower()
    if number := re.search(
        r"\b(?:top|best|name|give me|show me|list|any) (?:me )?(\d{1,2})\b", low
    ):
        return int(number[1])
    if not cues.SOME.search(text) or cues.ALL.search(text):
        return None
    return next((n for words, n in _HOW_MANY.items() if re.search(rf"\b{words}\b", low)), 3)


def names_of(doc: Doc) -> list[str]:
    """What a document is called in questions, in plain words."""
    if doc.facet in {"skill", "profile", "answer"}:
        return []
    if doc.facet == "project":
        told = [doc.title, re.split(r"\s[—–-]\s|[:(|]", doc.title)[0], doc.doc_id.replace("-", " ")]
    else:
        label = {"experience": "Company", "education": "School", "award": "Award"}[doc.facet]
        told = re.findall(rf"^{label}: (.+)$", doc.text, re.MULTILINE)
        told += [" ".join(_without_legal(plain_words(one).split())) for one in told]
        told += re.findall(r"\(([A-Z]{2,6})\)", doc.title)
    plain = [plain_words(one) for one in told]
    return [one for one in dict.fromkeys(plain) if one and not all(map(_is_common, one.split()))]


def _is_common(word: str) -> bool:
    return word.isdigit() or is_soft(word) or word in ASKING


def _without_legal(name: list[str]) -> list[str]:
    while len(name) > 1 and name[-1] in _LEGAL:
        name = name[:-1]
    return name


def _entities(text: str, docs: Sequence[Doc]) -> tuple[list[Key], set[str]]:
    """Documents named in a question, and the words that name them."""
    asked = f" {plain_words(text)} "
    found: list[Key] = []
    taken: set[str] = set()
    for doc in docs:
        for name in names_of(doc):
            if f" {name} " in asked or _mostly(name, asked, doc):
                found.append((doc.corpus, doc.doc_id))
                taken |= set(name.split())
                break
    return list(dict.fromkeys(found)), taken


def _mostly(name: str, asked: str, doc: Doc) -> bool:
    """A long title that is named by most of its telling words."""
    telling = [one for one in name.split() if not _is_common(one)]
    there = [one for one in telling if f" {one} " in asked]
    return doc.facet == "project" and len(there) >= 2 and len(there) / len(telling) >= 0.6


def _groups(
    text: str, taken: set[str], phrases: Sequence[Topic]
) -> tuple[tuple[tuple[Topic, ...], ...], Literal["and", "or"]]:
    names, inside = _named(text, taken)
    inside |= {one.lower() for one in _PAST.findall(text)}
    inside |= {word for one in phrases for word in one.phrase.split()}
    names += phrases
    plain = _plain_topics(text, taken | inside)
    joiner: Literal["and", "or"] = (
        "or" if re.search(r"\b(?:or|any)\b", text, re.IGNORECASE) else "and"
    )
    pairs = [(key_of(found[1]), key_of(found[3])) for found in _JOINED.finditer(text)]
    apart = {key for pair in pairs for key in pair} if pairs else set()
    called = {key_of(word) for word in inside}
    beside = {key for pair in pairs if called & set(pair) for key in pair}
    alternatives = [
        one
        for one in plain
        if (key := key_of(one.text)) in apart and (not names or one.is_name or key in beside)
    ]
    both = len(names) + len(alternatives) > 1
    common = tuple(one for one in plain if not both or one not in alternatives)
    if both:
        return tuple((one, *common) for one in (*names, *alternatives)), joiner
    if names:
        return tuple((one, *common) for one in names), joiner
    return ((common,) if common else ()), joiner


def _named(text: str, taken: set[str]) -> tuple[list[Topic], set[str]]:
    """Languages, tools and fields of the vocabulary, and the words they are made of."""
    names, inside = [], set()
    for term in vocabulary.terms_in(text):
        spellings = vocabulary.spellings_of(term.name)
        used = {
            word
            for one in spellings
            for word in plain_words(one).split()
            if f" {word} " in f" {plain_words(text)} "
        }
        inside |= used
        if used and used <= taken:
            continue
        keys = {f"={min(vocabulary.spellings_of(one))}" for one in (term.name, *_wider(term.name))}
        names.append(
            Topic(term.name, frozenset(keys), is_name=True, is_tool=term.category != "domain")
        )
    return names, inside


def _phrases(text: str, without: set[str], docs: Sequence[Doc]) -> list[Topic]:
    """What the portfolio itself lists under several words, and the question names so.

    Word by word “field work” would be “field”, and “developer tools” nothing at all.
    """
    asked, found = f" {plain_words(text)} ", list[Topic]()
    listed = {"full time", "part time", *(one for doc in docs for one in listed_in(doc.text))}
    for phrase in sorted(listed, key=lambda one: (-len(one), one)):
        words = phrase.split()
        if len(words) < 2 or f" {phrase} " not in asked or set(words) & without:
            continue
        if vocabulary.terms_in(phrase):  # it has other spellings, too
            continue
        keys = frozenset(key_of(word) for word in words)
        found.append(Topic(phrase, keys, is_name=True, phrase=phrase))
        asked = asked.replace(f" {phrase} ", "  ")
    return found


def _without(text: str, phrases: Sequence[Topic]) -> str:
    """The text with the phrases and the names of several words taken out of it."""
    names = [plain_words(one.name) for one in vocabulary.terms_in(text) if " " in one.name]
    for one in (*names, *(one.phrase for one in phrases)):
        words = r"[\W_]+".join(map(re.escape, one.split()))
        text = re.sub(rf"\b{words}\b", " ", text, flags=re.IGNORECASE)
    return text


def _wider(name: str) -> list[str]:
    wide = cues.BROAD.get(name.casefold()) or cues.BROAD.get(
        min(vocabulary.spellings_of(name), key=len)
    )
    return [one.name for one in vocabulary.terms_in(" , ".join(wide.split()))] if wide else []


def _plain_topics(text: str, without: set[str]) -> list[Topic]:
    found: dict[str, Topic] = {}
    for place, match in enumerate(WORD.finditer(text)):
        word = match[0]
        low = word.lower().replace("’", "'")
        bare = low.removesuffix("'s")
        if bare in without or re.fullmatch(r"\d+", bare) or (len(bare) < 2 and not bare.isdigit()):
            continue
        is_name = (place > 0 and word[0].isupper() and not word.isupper()) or word.isupper()
        if is_soft(low) and not (is_name and place > 0 and low not in _SOFT_NAMES):
            continue
        if low in ASKING and not is_name:
            continue
        key = key_of(bare)
        keys = frozenset({key}) if is_name else same_as(key)
        found.setdefault(key, Topic(word, keys, is_name=is_name and len(word) > 1))
    return list(found.values())


_SOFT_NAMES: Final = frozenset({"i", "im", "i'm", "you", "the", "a", "an", "and", "or", "ok", "hi"})
