"""An answer to the interview's question: into which fields and which part of the story it goes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from futura.text import content_stems
from projects.language.sentences import sentences
from projects.portfolio.builder import calls
from projects.portfolio.builder.calls import BlockIn, Call, Extract, UpdateBlocks
from projects.portfolio.builder.state import Pending
from projects.portfolio.builder.understanding import facts, lexicon
from projects.portfolio.builder.understanding.shapes import Scene, Understanding

_SUBJECT: Final = re.compile(r"\b(?:i|we|it|is|was|are|were|they)\b", re.IGNORECASE)
_NAMED: Final = re.compile(r"[A-ZÀ-Ý][\w’'-]+(?:,?\s+[A-ZÀ-Ý][\w’'-]+){0,3}")
STORY: Final = frozenset({"what", "problem", "process", "outcome"})
THIN_WORDS: Final = 5
"""An answer to a question about the story with fewer words says too little."""

_CUES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    (
        "problem",
        re.compile(
            r"\b(?:problems?|before\s+(?:that|this|then|we|i)|used\s+to|could\s?n.?t|could\s+not|was\s+n.?t|did\s?n.?t\s+(?:work|have|know)"
            r"|struggl\w+|complain\w*|frustrat\w+|too\s+(?:slow|small|dark|expensive|old|many|few|long|noisy|much)|old\s+(?:one|system|site|version|building)"
            r"|needed\s+(?:a|an|to|something|more)|wanted\s+(?:a|an|to|something)|there\s+was\s+no"
            r"|lacked|missing|outdated|broken|leak\w*|nobody|no\s+one|had\s+(?:a\s+new|to\s+\w+\s+by\s+hand)|by\s+hand|wasted?|lost|challenge|difficult\w*|hard\s+to)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "outcome",
        re.compile(
            r"\b(?:results?|as\s+a\s+result|since\s+then|now\s+(?:it|they|we|the|people|\d+)|today\s+(?:it|they|we|the)|in\s+the\s+end|won\s|award\w*|prize"
            r"|(?:re|in|de)(?:duced|creased|duces|creases)|dropped|fell|rose|grew|doubled|tripled|halved|saved?|saves|faster|fewer|sold|visitors|downloads"
            r"|users\s+(?:a|per|every)|\d+\s?%|per\s?cent|percent|from\s+\d[\w.,]*\s+(?:\w+\s+)?to\s+\d|adopted|in\s+use|still\s+(?:use|running|stands)"
            r"|feedback|loves?\s+it|were\s+(?:happy|delighted|pleased)|success\w*|learn(?:ed|t)\s+that|we\s+found\s+that|shows?\s+that|published\s+in)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "process",
        re.compile(
            r"\b(?:first(?:ly)?,?\s+(?:i|we)|then\s+(?:i|we)|after\s+that|i\s+started|we\s+started|began\s+(?:by|with)|interview\w+|sketch\w*|prototyp\w+|tested"
            r"|iterat\w+|decided|chose|tried|experiment\w*|workshop\w*|measured|step\s+by\s+step|approach|method|drafts?|versions?|built\s+(?:it\s+)?(?:in|with|from|as)"
            r"|wrote\s+(?:it\s+)?in|hardest|trick(?:y|iest)?|solved|solution|collected|analy[sz]ed|trained|dried|glued|cut|sanded|welded|fired|glazed)\b",
            re.IGNORECASE,
        ),
    ),
)
_FILLER: Final = re.compile(
    r"^(?:(?:well|so|um+|uh+|hm+|ok(?:ay)?|sure|right|yes|yeah|basically|actually|honestly|you\s+know|i\s+mean|i\s+think|let\s+me\s+think|oh|hi|hello|hey"
    r"|good\s+(?:morning|question)|of\s+course)\b[\s,.!:–-]+)+",
    re.IGNORECASE,
)
_FOR: Final = re.compile(
    r"^(?:(?:it|this|that)(?:\s+(?:was|is)|’s|'s)\s+)?(?:made\s+|built\s+|designed\s+|commissioned\s+|ordered\s+)?(?:for|by)\s+(?P<who>[^.;!?\n]{2,160})"
    r"|^(?:my|the|our)\s+(?:client|customer)\s+(?:was|is)\s+(?P<client>[^.;!?\n]{2,160})|^(?P<plain>[^.;!?\n]{2,100})",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"^(?:they|he|she|there|people|nobody|everybody|we|i)\s+(?:\w+ly\s+)?(?:had|have|was|were|is|are|did|do|could|wanted|needed|used|got|made|built)\b",
    re.IGNORECASE,
)
_WHO_STOPS: Final = re.compile(
    r"(?:,\s+|\s+)(?:who|which|that|because|so\s+that|and\s+(?:it|they|we|i)|where|when|since|but|(?:had\s+)?(?:paid|asked|ordered|commissioned|wanted|needed|hired|funded))\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_NOBODY: Final = re.compile(
    r"^(?:(?:just|only|mostly|mainly|really)\s+)?(?:(?:it\s+was\s+)?for\s+)?(?:me|myself|us|ourselves|nobody|no\s?one|fun|just\s+(?:me|us)"
    r"|my\s+own\s+\w+)\b",
    re.IGNORECASE,
)
_WHERE: Final = re.compile(
    r"^(?:it(?:\s+(?:was|is|stands|hangs)|’s|'s)\s+|that\s+was\s+|(?:made|built|based|located|set)\s+)*(?:in|at|near|from|on)?\s*(?P<place>[^.;!?\n]{2,120})",
    re.IGNORECASE,
)


def answered(text: str, scene: Scene) -> Understanding:
    """What an answer says: of the open topic, and of everything else that can be told of it."""
    topic = scene.open or "what"
    plain = cleaned(text)
    quote = facts.quote_in(plain)
    said = _around(plain, quote.place) if quote else plain
    told = _told(said, topic, scene)
    values = _values(plain, said, topic, told)
    made: list[Call] = []
    wanted = {name: value for name, value in {**values, **_story(told)}.items() if value}
    wanted = _news(wanted, scene)
    if wanted:
        made.append(Extract.model_validate(wanted))
    if quote:
        block = BlockIn(type="quote", text=quote.text, said_by=quote.said_by)
        made.append(UpdateBlocks(do="append", blocks=[block]))
    if not made and not scene.open and not scene.is_first:
        return placed(plain)
    kept = {name: value for name, value in told.items() if value}
    return Understanding(
        "answer",
        tuple(made),
        topic=topic,
        told=kept or ({} if topic in STORY else {topic: plain}),
        is_thin=bool(scene.open) and _is_thin(topic, told),
    )


def placed(text: str) -> Understanding:
    """Asks where something shall stand that answers no question."""
    offers = (
        _("In the opening"),
        _("Under “How it was done”"),
        _("Under “What came of it”"),
        _("Leave it out"),
    )
    asks = _("Where shall that stand in the story?")
    pending = Pending(wish="place", given={"text": text})
    return Understanding("question", asks=asks, pending=pending, alternatives=offers)


def place_meant(text: str) -> str:
    """The part of the story that an answer to `placed` names; empty for none."""
    return next((name for name, cues in _PLACES if cues.search(text)), "")


_PLACES: Final = (
    ("", re.compile(r"\b(?:leave|no(?:where)?|don'?t|drop|forget)\b", re.IGNORECASE)),
    ("problem", re.compile(r"\b(?:starting\s+point|before|problem)\b", re.IGNORECASE)),
    ("what", re.compile(r"\b(?:opening|start|beginning|top|first)\b", re.IGNORECASE)),
    ("process", re.compile(r"\b(?:how|done|process|making)\b", re.IGNORECASE)),
    ("outcome", re.compile(r"\b(?:came|outcome|results?|end)\b", re.IGNORECASE)),
)


def _around(text: str, place: tuple[int, int]) -> str:
    """A text without a stretch of it."""
    before, after = text[: place[0]].rstrip(" ,"), text[place[1] :].lstrip(" ,.")
    return f"{before} {after}".strip()


def cleaned(text: str) -> str:
    """What was said without the run-up, as sentences."""
    plain = _FILLER.sub("", text.strip(), count=1)
    return (plain[:1].upper() + plain[1:]) if plain else text.strip()


def finished(text: str) -> str:
    """A paragraph that begins large and ends with a full stop."""
    plain = text.strip()
    if not plain:
        return ""
    plain = plain[:1].upper() + plain[1:]
    return plain if plain[-1] in '.!?…”"' else f"{plain}."


def _told(said: str, topic: str, scene: Scene) -> dict[str, str]:
    """The sentences of an answer by topic; the first one belongs to what was asked."""
    home = topic if topic in STORY else ""
    found: dict[str, list[str]] = {}
    for at, one in enumerate(sentences(said)):
        if home and is_field_only(one.text, home):
            continue
        place = _place_of(one.text, at, home, scene)
        if place:
            found.setdefault(place, []).append(finished(one.text) if one.is_item else one.text)
    told = {name: finished(" ".join(some)) for name, some in found.items()}
    if topic not in STORY:
        told[topic] = said
    return told


def is_field_only(sentence: str, topic: str) -> bool:
    """Whether a sentence is no sentence of the story, but says a fact that has its own place."""
    plain = sentence.strip(" .!")
    if topic != "process" and facts.role_in(plain) and len(plain.split()) <= 8:
        return True
    if (
        re.match(r"(?:for|in|at|from|since|near|with)\s", plain, re.IGNORECASE)
        and len(plain.split()) <= 8
    ):
        return bool(facts.facts_in(plain))
    if is_date(plain):
        return True
    items = re.split(r"\s*(?:[,;]|\band\b)\s*", plain)
    are_names = all(facts.made_with(one) and len(one.split()) <= 3 for one in items)
    return topic != "what" and are_names


def is_date(plain: str) -> bool:
    """Whether a text says nothing but when: “it was in 2020”, “March 2021 to 2022”."""
    if len(plain.split()) > 7 or not facts.when_in(plain, asked=True):
        return False
    return not content_stems(re.sub(r"\d+", " ", plain)) - _CALENDAR


_CALENDAR: Final = content_stems(
    "january february march april may june july august september october november december spring "
    "summer autumn fall winter until since early late year"
)


def _place_of(sentence: str, at: int, home: str, scene: Scene) -> str:
    if home and at == 0 and (scene.open or scene.is_first):
        return home
    cued = next((name for name, cues in _CUES if cues.search(sentence)), "")
    if home and cued and len(sentence.split()) > THIN_WORDS:
        # a long answer to a question stays together, but for what plainly belongs elsewhere
        return cued if home in {"what", cued} or scene.is_first else home
    if home:
        return home if scene.open or scene.is_first else cued
    if scene.open == "whom" and cued and _CLAUSE.match(sentence):
        return cued
    # an answer to a question about a field: what it adds of the story is kept, too
    return cued if at > 0 and cued and len(sentence.split()) > THIN_WORDS else ""


def _story(told: Mapping[str, str]) -> dict[str, str]:
    """The parts of the story that are whole sentences."""
    return {name: told[name] for name in STORY if told.get(name)}


def _values(plain: str, said: str, topic: str, told: Mapping[str, str]) -> dict[str, Any]:
    found = facts.facts_in(said)
    values: dict[str, Any] = {**found.texts, **found.lists}
    if topic == "outcome":  # that a paper came out in 2023 does not say when the work was done
        values = {name: one for name, one in values.items() if name not in {"started", "ended"}}
    if topic not in {"what", "materials"} and not facts.MADE_OF.search(said):
        lists = lexicon.split_items(said)
        if not all(facts.made_with(one) for one in lists):
            values.pop("materials", None)  # “a paper prototype” is not made of paper
            if topic != "process":
                values.pop("techniques", None)
    if topic in STORY and is_date(said.strip(" .")):
        values |= facts.when_in(said, asked=True)
    if topic == "what":
        values |= _named(plain)
    elif topic == "whom":
        values |= _whom(said)
    elif topic == "role":
        values["role"] = _role(said)
    elif topic == "materials":
        for name, items in facts.sorted_items(said).items():
            values[name] = list(dict.fromkeys([*values.get(name, []), *items]))
        values = _without_parts(values)
    elif topic in {"when", "location"}:
        values |= facts.when_in(said, asked=True)
        whole = _where(said, topic)
        values["location"] = whole if topic == "location" else values.get("location") or whole
        if (
            not values["location"]
            and not values.get("started")
            and _NAMED.fullmatch(said.strip(" ."))
        ):
            values["location"] = said.strip(" .")
        values = {name: one for name, one in values.items() if name not in calls.LISTS}
    elif topic == "title":
        values["title"] = said.strip(' ."“”')[:200]
    elif topic == "type":
        values["entry_type"] = _type(said)
    values["impact"] = _impact(told.get("outcome", ""))
    return values


def _named(plain: str) -> dict[str, str]:
    """Title and kind of what was made."""
    phrase = facts.made_phrase(plain)
    kind = lexicon.kind_in(phrase) if phrase else ""
    told = {"title": facts.title_in(plain), "entry_type": kind}
    first = next((one.text for one in sentences(plain)), plain)
    bare = re.sub(r"^(?:a|an|the|my|our)\s+", "", first.strip(" ."), flags=re.IGNORECASE)
    bare = re.split(r"\s+(?:for|in|at|from|that|which|with)\s", bare)[0]
    if not phrase and len(bare.split()) <= 7 and not _SUBJECT.search(bare):
        told["title"] = told["title"] or bare[:1].upper() + bare[1:]
        told["entry_type"] = kind or lexicon.kind_in(bare)
    if told["entry_type"]:
        told["entry_type"] = told["entry_type"][:1].upper() + told["entry_type"][1:]
    return {name: value for name, value in told.items() if value}


def _whom(said: str) -> dict[str, str]:
    if _NOBODY.match(said.strip()):
        return {"context": "personal"}
    if _CLAUSE.match(said.strip()):
        return {}
    known = facts.client_in(said)
    hit = _FOR.match(said.strip())
    if hit is None:
        return {"organization": known} if known else {}
    who = next(filter(None, (hit["who"], hit["client"], hit["plain"])))
    who = _WHO_STOPS.sub("", who).strip(" ,.")
    who = re.sub(r"^(?:for|by)\s+", "", who, flags=re.IGNORECASE)
    named = re.match(
        r"^(?:my|our)\s+(?:employer|client|customer|company)\s*(?:,|:|was|is)\s*(?P<name>\S.*)$",
        who,
    )
    who = named["name"] if named else who
    if known and (len(who.split()) > 8 or hit["plain"]):
        who = known
    return {"organization": facts.client_words(who)[:200]} if 0 < len(who.split()) <= 12 else {}


def _role(said: str) -> str:
    known = facts.role_in(said)
    first = next((one.text for one in sentences(said)), said)
    if known and len(known) < len(first):
        return known[:200]
    bare = re.sub(r"^(?:i\s+(?:was|worked\s+as)\s+(?:the\s+|a\s+|an\s+)?|as\s+(?:the\s+|a\s+|an\s+)?)", "", first,
                  flags=re.IGNORECASE)  # fmt: skip
    bare = bare.strip(" .,")
    return (bare[:1].upper() + bare[1:])[:200]


def _where(said: str, topic: str) -> str:
    hit = _WHERE.match(said.strip())
    place = (hit["place"] if hit else "").strip(" .,")
    if topic != "location" and not facts.place_in(said):
        return ""
    place = re.sub(r",?\s+(?:in|since|from)\s+(?:\w+\s+)?\d{4}.*$", "", place).strip(" .,")
    is_place = place and not re.fullmatch(r"[\d\s./–-]+", place) and len(place.split()) <= 10
    return (place[:1].upper() + place[1:])[:200] if is_place else ""


def _type(said: str) -> str:
    bare = re.sub(
        r"^(?:(?:it|that|this)(?:\s+(?:is|was)|’s|'s)\s+|(?:i(?:'d|’d|\s+would)\s+)?call\s+it\s+|maybe\s+|probably\s+|kind\s+of\s+)*(?:an?\s+|the\s+)?",
        "", said.strip(" ."), flags=re.IGNORECASE,
    )  # fmt: skip
    first = re.split(r"[.;!?\n]", bare)[0].strip()
    words = first.split()[:8]
    told = " ".join(words)
    return (told[:1].upper() + told[1:])[:120]


def _impact(outcome: str) -> str:
    """The sentences of an outcome that say how much."""
    told = [one.text for one in sentences(outcome) if facts.FIGURE.search(one.text)]
    return " ".join(finished(one) for one in told[:2])


def _without_parts(values: dict[str, Any]) -> dict[str, Any]:
    """“oak” goes where “smoked oak” stands; what is a technique is no material."""
    for name in ("materials", "techniques"):
        items: list[str] = values.get(name, [])
        values[name] = [
            one
            for one in items
            if not any(one != other and re.search(rf"\b{re.escape(one)}\b", other, re.IGNORECASE)
                       for other in items)
        ]  # fmt: skip
    known = {one.casefold() for name in ("techniques", "tech_stack", "languages")
             for one in values.get(name, [])}  # fmt: skip
    values["materials"] = [one for one in values["materials"] if one.casefold() not in known]
    return values


def _news(wanted: dict[str, Any], scene: Scene) -> dict[str, Any]:
    """Without what the entry says already: an answer fills, only a wish or correction replaces."""
    kept: dict[str, Any] = {}
    topical = {"whom": "organization", "role": "role", "location": "location", "when": "started",
               "type": "entry_type", "title": "title"}  # fmt: skip
    for name, value in wanted.items():
        standing = scene.fields.get(name)
        if name in calls.STORY:
            kept[name] = value
        elif name in calls.LISTS:
            known = {str(one).casefold() for one in standing or []}
            if fresh := [one for one in value if one.casefold() not in known]:
                kept[name] = fresh
        elif (
            not standing
            or (name == "context" and standing == "other")
            or (topical.get(scene.open) == name and standing != value)
        ):
            kept[name] = value
    return kept


def _is_thin(topic: str, told: Mapping[str, str]) -> bool:
    return topic in STORY and 0 < len(told.get(topic, "").split()) < THIN_WORDS
