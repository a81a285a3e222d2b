"""Facts in running text: when, where, for whom, whose part, made with what, where to look at it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from projects.language.names import name_in
from projects.portfolio import vocabulary
from projects.portfolio.builder.understanding import lexicon
from projects.portfolio.preprocess.months import find_month, find_span

_YEAR: Final = r"(?:19[5-9]\d|20\d\d)"
_MONTHS: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|autumn|fall|winter)"
)
_DATED: Final = re.compile(
    rf"\b(?:in|from|since|until|during|by|between|of|early|late|mid|the|last|finished|built|made|opened"
    rf"|launched|started|end\s+of|beginning\s+of)[\s-]+(?:the\s+)?(?:{_MONTHS}\.?,?\s+(?:of\s+)?)?{_YEAR}"
    rf"(?!\s*(?:[\w%€$]*\s)?(?:users?|people|visitors|copies|members|pieces|lines|euros?|dollars|\w*words))"
    rf"|\b{_MONTHS}\.?,?\s+{_YEAR}\b|\b{_YEAR}\s*(?:-|–|—|to|until)\s*(?:{_YEAR}|today|now|present)\b",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    rf"\bbetween\s+(?P<a>(?:{_MONTHS}\.?\s+)?{_YEAR})\s+and\s+(?P<b>(?:{_MONTHS}\.?\s+)?{_YEAR})",
    re.IGNORECASE,
)
_NAME: Final = r"[A-ZÀ-Ý][\w’'-]+(?:[ -](?:(?:am|an|auf|de|der|den|do|du|la|le|of|on|upon|the|sur)[ -])?[A-ZÀ-Ý][\w’'-]+){0,4}"
_PLACE: Final = re.compile(
    rf"\b(?:in|near|at|outside|outside\s+of|based\s+in|around|to)\s+(?P<place>(?:(?:north|south|east|west|central)(?:ern)?\s+)?"
    rf"{_NAME}(?:,\s+{_NAME}){{0,2}})",
)
_NO_PLACE: Final = re.compile(
    rf"^(?:{_MONTHS}|{_YEAR}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|english|german|french|spanish"
    r"|italian|swedish|norwegian|danish|dutch|i|it|my|our|the|a|q[1-4]|phase.*|version.*)\b",
    re.IGNORECASE,
)
_CLIENT: Final = re.compile(
    rf"\b(?:for|commissioned\s+by|ordered\s+by|on\s+behalf\s+of|client\s+(?:was|is)|customer\s+(?:was|is))\s+"
    rf"(?:(?P<named>{_NAME})|(?P<said>(?:the|a|an|my|our|their|his|her|some|two|three)\s+(?:[\w’'-]+\s+){{0,4}}[\w’'-]+"
    rf"(?:\s+(?:of|in|from)\s+{_NAME})?)(?=[\s.,;:!?)]|$))",
)
_AT: Final = re.compile(
    rf"(?:^|[.!?]\s+)At\s+(?P<at>{_NAME}?),?\s+(?:I|we)\b|\b(?:PhD|thesis|doctorate|studies|job|work(?:ed|ing)?|employed)\s+at\s+(?P<at2>{_NAME})",
)
_OWN: Final = re.compile(
    r"\b(?:for\s+(?:myself|me|fun|us|ourselves|my\s+own\s+(?:use|home|flat|kitchen))|side\s+project|hobby"
    r"|personal\s+project|in\s+my\s+(?:spare|free)\s+time|just\s+for\s+me)\b",
    re.IGNORECASE,
)
_OPEN: Final = re.compile(r"\bopen[ -]source\b", re.IGNORECASE)
_STUDY: Final = re.compile(
    r"\b(?:ph\.?d|master'?s?\s+thesis|bachelor'?s?\s+thesis|my\s+thesis|dissertation|semester|research\s+(?:group"
    r"|project)|university\s+(?:course|project)|diploma)\b",
    re.IGNORECASE,
)
_JOB: Final = re.compile(
    r"\b(?:at\s+(?:work|my\s+job)|for\s+(?:my|our)\s+(?:employer|company|client|customer)|commissioned|client)\b",
    re.IGNORECASE,
)
_ROLE: Final = re.compile(
    r"\b(?:my\s+(?:own\s+)?(?:role|part|job)\s+(?:in\s+(?:it|this)\s+)?was\s+(?:to\s+|that\s+of\s+)?(?P<was>[^.;!?\n]{3,160})"
    r"|(?:I\s+was|I\s+worked|I\s+acted)\s+(?:on\s+it\s+)?(?:as\s+)?(?:the\s+|a\s+|an\s+)?(?P<as>(?:[\w-]+\s+){0,3}(?:designer|developer|engineer"
    r"|architect|lead|leader|manager|carpenter|maker|artist|illustrator|photographer|author|editor|researcher|writer"
    r"|director|producer|programmer|consultant|builder|owner|coordinator|curator|student|analyst|scientist|head))\b"
    r"|\bI\s+(?P<did>(?:led|designed|was\s+responsible|did|built|wrote|handled|looked\s+after|took\s+care|ran|managed|made|drew)\s+"
    r"(?:everything|all|it\s+all|the\s+(?:whole|entire)|for\s+the|the\s+\w+\s+(?:team|side|part|work|research|design"
    r"|development|backend|front\s?end))[^.;!?\n]{0,100}))",
)
_QUOTED: Final = re.compile(r"[\"“„](?P<text>[^\"”“\n]{12,600})[\"”]")
_BY: Final = re.compile(
    r"^\W{0,3}(?:(?:said|says|wrote|told\s+(?:me|us)|—|–|-|by|from)\s*:?\s*)+(?P<by>[^.;!?\n\"“]{2,100})"
)
_SAID_BEFORE: Final = re.compile(
    rf"(?P<by>(?:{_NAME}|(?:(?:the|our|my|one|a)\s+(?:\w+\s+){{0,3}}\w+))(?:,\s+[^,.]{{3,60}},)?)\s+(?:said|says|wrote|told\s+(?:me|us)|called\s+it)\W{{0,3}}$",
)
_URL: Final = re.compile(r"https?://[^\s<>\"')\]]+")
_CODE_HOST: Final = re.compile(
    r"^https?://(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)/"
)
_DATE_WORDS: Final = re.compile(rf"\b{_MONTHS}\.?,?\s+(?:of\s+)?{_YEAR}\b", re.IGNORECASE)
_ALSO_ENGLISH: Final = frozenset(
    "rest unity spring bootstrap stripe helm apex excel sentry notion splunk flask celery bash "
    "redshift snowflake rails rhino grasshopper confluence".split()
)
MADE_OF: Final = re.compile(
    r"\b(?:made|built|turned|cut|printed|cast|woven|carved|sewn|bound|clad|painted)\s+(?:\w+\s+){0,3}?(?:of|from|in|out\s+of|with|on)\s",
    re.IGNORECASE,
)
FIGURE: Final = re.compile(
    r"\d|\b(?:half|twice|double[ds]?|tripled?|third|quarter|dozens?|hundreds?|thousands?|first\s+prize|award)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Quote:
    """What somebody said, and where in the text it stands."""

    text: str
    said_by: str
    place: tuple[int, int]


@dataclass
class Facts:
    """What a text says in fields of an entry; empty strings and lists for what it does not say."""

    texts: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.texts or self.lists)


def facts_in(text: str) -> Facts:
    """Everything that can be told of a text that nobody asked for in particular."""
    found = Facts()
    found.texts |= when_in(text)
    for name, value in (
        ("location", place_in(text)),
        ("organization", client_in(text)),
        ("context", context_in(text)),
        ("role", role_in(text)),
    ):
        if value:
            found.texts[name] = value
    found.texts |= addresses_in(text)
    found.lists |= made_with(text)
    return found


def when_in(text: str, *, asked: bool = False) -> dict[str, str]:
    """`started` and `ended` as YYYY-MM or YYYY; a bare year counts only when it was `asked` for."""
    text = _BETWEEN.sub(r"\g<a> to \g<b>", text)
    if not asked and not _DATED.search(text):
        return {}
    span = find_span(text)
    if span is None:
        stretch = text if asked else " ".join(hit.group(0) for hit in _DATED.finditer(text))
        span = find_month(stretch)
        if span is None or not span.start:
            return {}
        return {"started": span.start, "ended": span.end or span.start}
    told = {"started": span.start, "ended": span.end}
    return {name: value for name, value in told.items() if value}


def place_in(text: str) -> str:
    """The place that a text names with its name; empty for none."""
    for hit in _PLACE.finditer(text):
        place = hit["place"].strip(" ,.’'")
        if hit.group(0).lower().startswith("to ") and not re.search(
            r"\b(?:moved|travelled|went|came|sent|delivered)\s+to\s", text[: hit.end()]
        ):
            continue
        if _NO_PLACE.match(place) or vocabulary.terms_in(place):
            continue
        if hit.group(0).lower().startswith("at ") and "," not in place:
            continue  # rather a company
        return place
    return ""


def client_in(text: str) -> str:
    """For whom it was: a name, or people of a known sort; empty for none."""
    employed = _AT.search(text)
    at = (employed["at"] or employed["at2"]).removesuffix(" I") if employed else ""
    if at and not _NO_PLACE.match(at):
        return at.strip(" ,.’'")
    for hit in _CLIENT.finditer(text):
        if hit["named"]:
            name = hit["named"].strip(" ,.’'")
            if not _NO_PLACE.match(name) and not vocabulary.terms_in(name):
                return name
            continue
        phrase = hit["said"].strip(" ,.’'")
        words = phrase.split()
        for end in range(len(words), 1, -1):
            if _is_client(words[1:end]):
                return client_words(" ".join(words[:end]))
    return ""


def _is_client(words: list[str]) -> bool:
    plain = [one.casefold().removesuffix("’s").removesuffix("'s") for one in words]
    return any(lexicon.is_one("clients", " ".join(plain[-size:])) for size in (2, 1) if plain)


def client_words(said: str) -> str:
    """“the city library in Oslo” as a field shows it: “City library in Oslo”."""
    plain = re.sub(r"^(?:the|a|an|some)\s+", "", said.strip(" .,;!?"), flags=re.IGNORECASE)
    return plain[:1].upper() + plain[1:]


def context_in(text: str) -> str:
    """In what context it was made; empty when nothing says so."""
    for pattern, value in (
        (_OPEN, "oss"),
        (_STUDY, "academic"),
        (_OWN, "personal"),
        (_JOB, "work"),
    ):
        if pattern.search(text):
            return value
    return ""


def role_in(text: str) -> str:
    """The owner's own part as they say it themselves; empty for none."""
    hit = _ROLE.search(text)
    if hit is None:
        return ""
    said = (hit["was"] or hit["as"] or hit["did"] or "").strip(" .,")
    return said[:1].upper() + said[1:]


def addresses_in(text: str) -> dict[str, str]:
    """Where the code is, and where it runs."""
    told: dict[str, str] = {}
    for hit in _URL.finditer(text):
        url = hit.group(0).rstrip(".,;:!?")
        told.setdefault("repository_url" if _CODE_HOST.match(url) else "live_url", url)
    return told


def made_with(text: str) -> dict[str, list[str]]:
    """Materials, techniques, programming languages and tools that are named."""
    bare = _DATE_WORDS.sub(" ", _URL.sub(" ", text))
    terms = [
        one
        for one in vocabulary.terms_in(bare)
        if one.name.casefold() not in _ALSO_ENGLISH or one.name in bare
    ]
    found = {
        "languages": [one.name for one in terms if one.category == "language"],
        "tech_stack": [one.name for one in terms if one.category in {"framework", "tool"}],
        "techniques": lexicon.found("techniques", bare),
        "materials": lexicon.found("materials", bare),
    }
    return {name: items for name, items in found.items() if items}


def sorted_items(text: str) -> dict[str, list[str]]:
    """The items of an answer to “what did you make it with”, each in its list."""
    found: dict[str, list[str]] = {}
    for item in lexicon.split_items(text):
        known = made_with(item)
        if known:
            for name, items in known.items():
                found.setdefault(name, []).extend(
                    # “birch plywood”: the person's longer words
                    [
                        item.casefold() if name in {"materials", "techniques"} else one
                        for one in items[:1]
                    ]
                    if len(item.split()) <= 3 and name in {"materials", "techniques"}
                    else items
                )
        elif len(item.split()) <= 4:
            is_doing = re.search(
                r"(?:ing|ery|ment|tion|work|analys[ei]s|stud(?:y|ies)|interviews|research|design)$",
                item.split()[-1].casefold(),
            )
            found.setdefault("techniques" if is_doing else "materials", []).append(item)
    return {name: list(dict.fromkeys(items)) for name, items in found.items()}


def quote_in(text: str) -> Quote | None:
    """What somebody said, with who said it; None without quotation marks or a speaker."""
    for hit in _QUOTED.finditer(text):
        after = _BY.match(text[hit.end() :])
        before = _SAID_BEFORE.search(text[: hit.start()])
        if len(hit["text"].split()) < 3 or not (after or before):
            continue
        who = after["by"] if after else before["by"] if before else ""
        end = hit.end() + (after.end() if after else 0)
        start = before.start() if before and not after else hit.start()
        return Quote(hit["text"].strip(" ,"), who.strip(" ,"), (start, end))
    return None


def title_in(text: str, *, only_given: bool = False) -> str:
    """A name for the work: the one that is given, else what was made."""
    given = name_in(text, only_given=True)
    if given or only_given:
        return given
    return _as_title(made_phrase(text))


_MADE: Final = re.compile(
    r"\b(?:I|we)(?:'ve|’ve|\s+have)?\s+(?:\w+ly\s+|just\s+|also\s+|recently\s+|once\s+)?(?:re)?(?:built|made|designed|wrote|created|developed"
    r"|launched|painted|drew|renovated|restored|planned|shot|directed|produced|composed|published|organi[sz]ed|set\s+up"
    r"|programmed|rewrote|converted|planted|curated|laid\s+out|sewed|forged|carved|turned|printed|illustrated|ran"
    r"|conducted|installed|redesigned|rebuilt)"
    r"(?:\s+(?:and|,)\s+(?:\w+ed|built|made|wrote|drew|shot))*\s+(?:(?:a|an|the|my|our|some|two|three)\s+)?"
    r"(?P<what>[^.,;:!?\n()]{3,120})"
    r"|^(?:it(?:'s|’s|\s+is|\s+was)|this\s+is|that\s+was)\s+(?:a|an|the|my|our)\s+(?P<is>[^.,;:!?\n()]{3,120})",
    re.IGNORECASE,
)
_TITLE_STOPS: Final = re.compile(
    r"\s+(?:for|that|which|who|with|so|because|where|when|and|but|in|by|on|at|from|before|after|until|since|as|it"
    r"|they|we|i|to|this|using|via|about|into|during|while|is|are|has|have|out\s+of|made|called|named|during|last)\b.*$",
    re.IGNORECASE | re.DOTALL,
)


def made_phrase(text: str) -> str:
    """The noun phrase of what was made: “reading app” of “I built a reading app for …”."""
    hit = _MADE.search(text)
    if hit is None:
        return ""
    return _TITLE_STOPS.sub("", f" {hit['what'] or hit['is']}").strip(" .,-'’\"")


def _as_title(what: str) -> str:
    plain = _TITLE_STOPS.sub("", f" {what}").strip(" .,-'’\"")
    plain = re.sub(r"^(?:new|small|little|simple|nice|whole)\s+", "", plain, flags=re.IGNORECASE)
    return plain[:1].upper() + plain[1:] if 0 < len(plain.split()) <= 8 else ""
