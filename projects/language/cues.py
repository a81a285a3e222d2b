"""Cue words of the nine dimensions: which of them a sentence speaks of, and how strongly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from projects.dimensions import FIELDS
from projects.language.sentences import Sentence, sentences

THRESHOLD: Final = 6

_STRONG: Final[Mapping[str, str]] = {
    "core_integrity_ideals": r"""success|succeed\w*|count\w* as done|definition of done|done when
        |non.?negotiables?|must not|must never|must be|has to be|standards?|quality|acceptance
        |criteri\w+|kpis?|metrics?|ideal\w*|excellen\w+|\d[\d,.]*k?\s+(?:\w+\s+)?(?:users?|customers?
        |sign-?ups?|subscribers?|sales|members|readers|downloads|visitors|guests|participants)
        |aim\w* (?:for|to)|goal is|good enough|proud of""",
    "core_people_bonds": r"""team\w*|colleagues?|co-?founders?|partners?|stakeholders?|clients?
        |my (?:boss|manager|wife|husband|brother|sister|mother|father|friend|friends|family|kids)
        |volunteers?|contractors?|freelancers?|just me|only me|by myself|on my own|(?:do|doing|work\w*|handle) (?:\w+ ){0,2}alone
        |solo|with (?:a friend|friends)|involved|responsible|sponsors?|neighbou?rs?|mentor\w*
        |keep\w* (?:\w+ ){0,3}(?:informed|in the loop|posted)|designers?|developers?|investors?
        |sign(?:s|ed)? off""",
    "core_goals_momentum": r"""deadlines?|milestones?|timeline|schedule\w*|launch\w*|release\w*
        |by (?:the )?(?:end|start|beginning|middle)|due|weeks?|months?|quarters?|q[1-4]|january|february
        |april|june|july|august|september|october|november|december|(?:in|by|until|early|late|end of)
        \s(?:march|may)|this (?:spring|summer|autumn|fall|winter)|next (?:year|spring|summer|autumn
        |fall|winter)|first (?:version|step|phase)|mvp|prototype|pilot|then we|phase \w+|20[2-4]\d
        |go live|ship(?:ping)? it""",
    "core_meaning_identity": r"""because i|why (?:it|this|i|we)|matters?|meaningful|passion\w*
        |dream\w*|always wanted|vision|mission|purpose|unique|different from|sets? (?:it|us|this) apart
        |inspir\w+|care (?:a lot )?about|proud|identity|stands for|believe\w*|love""",
    "core_reality_understanding": r"""currently|right now|at the moment|today|so far|already
        |problem\w*|pain points?|struggl\w+|situation|status quo|existing|constraints?|research
        |there is no|there are no|nobody|we have (?:a|an|the|\d)|at present|as it stands|the issue
        |bottleneck\w*|complain\w*|broken|too slow|by hand|manual\w*""",
    "core_trust_safeguards": r"""risks?|risky|worr(?:y|ied|ies)|afraid|fear\w*|could go wrong
        |might fail|may fail|fail\w*|danger\w*|backups?|plan b|fallback|safety|secur\w+|privacy|gdpr
        |complian\w+|legal\w*|insur\w+|contingenc\w+|if (?:\w+ ){1,4}(?:fails|breaks|drops out|leaves)
        |bugs?|delays?|mitigat\w+""",
    "core_opportunity_freedom": r"""options?|alternatives?|alternatively|could also|either|instead
        |experiments?|try out|explor\w+|idea\w*|maybe we|perhaps we|opportunit\w+|possibilit\w+
        |a/b|what if|another way|considering|thinking (?:of|about) (?:using|whether)|open to""",
    "core_power_resources": r"""budgets?|money|fund\w+|cost\w*|price|spend\w*|[$€£]\s?\d[\d,.]*k?
        |\d[\d,.]*k?\s?(?:dollars?|euros?|eur|usd|pounds?|gbp)|resources?|tools?|equipment|software
        |hardware|figma|react|python|hours? (?:a|per) (?:day|week|month)|evenings?|weekends?|skills?
        |hire|afford|savings|grant|licen[cs]es?|\bserver\w*""",
    "core_harmony_integration": r"""track of|track(?:ing)? (?:\w+ )?progress|measur\w+|review\w*|feedback|retro\w*|check-?ins?
        |weekly|monthly|dashboard\w*|report\w*|integrat\w+|fits? (?:in|with|into)|balance\w*|alongside
        |next to my|every (?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:once|twice) a (?:week|month)|every (?:week|month)
        |day job|other (?:work|projects?)|routine\w*|habit\w*|rhythm|stand-?ups?""",
}
_PATTERNS: Final = {
    field: re.compile(
        r"(?<![\w-])(?:" + re.sub(r"\s*\n\s*", "", words) + r")(?![\w-])", re.IGNORECASE
    )
    for field, words in _STRONG.items()
}
# What a kind of project needs although nobody has said so yet.
_KINDS: Final = (
    (r"app|apps|software|website|web ?site|platform|product|saas|tool|game|mvp|prototype|shop|store",
     ("core_people_bonds", "core_power_resources")),
    (r"business|company|start-?up|caf[eé]|restaurant|agency|practice|studio",
     ("core_people_bonds", "core_power_resources", "core_trust_safeguards",
      "core_meaning_identity")),
    (r"wedding|party|conference|event|festival|meetup|workshop|fair|reunion|trip|journey|holiday",
     ("core_people_bonds", "core_power_resources", "core_trust_safeguards")),
    (r"renovat\w+|kitchen|bathroom|house|garden|garage|move|moving|building work",
     ("core_power_resources", "core_trust_safeguards")),
    (r"book|novel|thesis|dissertation|blog|podcast|album|film|song",
     ("core_meaning_identity", "core_harmony_integration")),
    (r"learn\w*|course|degree|exam|language|marathon|fit|fitness|lose|habit|practise|training",
     ("core_meaning_identity", "core_harmony_integration")),
    (r"migrat\w+|integration|automat\w+|roll-?out|merger|reorgani[sz]\w+|process",
     ("core_people_bonds", "core_trust_safeguards", "core_harmony_integration")),
    (r"research|study|survey|experiment\w*", ("core_opportunity_freedom", "core_power_resources")),
)  # fmt: skip
_KIND_PATTERNS: Final = [
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), fields) for words, fields in _KINDS
]


def strengths(sentence: str) -> dict[str, int]:
    """How many cues of each dimension stand in a sentence; those without any are left out."""
    counted = {
        field: len({m.group(0).casefold() for m in pattern.finditer(sentence)})
        for field, pattern in _PATTERNS.items()
    }
    return {field: count for field, count in counted.items() if count}


def dimension_of(sentence: str) -> str:
    """The dimension that a sentence speaks of most; empty for none."""
    found = strengths(sentence)
    return max(found, key=lambda field: (found[field], -FIELDS.index(field))) if found else ""


_ALONE: Final = re.compile(
    r"^\W*(?:it(?:'s|’s|\s+is)\s+)?(?:just|only)\s+me\b|^\W*(?:i(?:'m|’m|\s+am)\s+(?:all\s+)?)?(?:by\s+myself|on\s+my"
    r"\s+own|alone)\b|^\W*(?:nobody|no\s+one)\s+else\b",
    re.IGNORECASE,
)
_WHEN: Final = re.compile(
    r"^\W*(?:(?:we|i|it)\s+)?(?:want\s+to\s+|should\s+|will\s+)?(?:launch|finish|open|deadline|ready|done|be\s+(?:ready"
    r"|done|finished)|release|go\s+live|start)\w*\s+(?:is\s+)?(?:by|in|on|at|until|before|around|end|early|late|next)\b",
    re.IGNORECASE,
)


def elsewhere(answer: str, asked: str) -> str:
    """The dimension of an answer that clearly speaks of something else than was asked; or ""."""
    spoken_of = strengths(answer)
    if asked in spoken_of:
        return ""
    if _ALONE.match(answer) and asked != "core_people_bonds":
        return "core_people_bonds"
    is_dated = "core_goals_momentum" in spoken_of and _WHEN.match(answer)
    if is_dated and asked not in {"core_goals_momentum", "core_integrity_ideals"}:
        return "core_goals_momentum"
    return ""


def relevance(text: str) -> dict[str, int]:
    """How relevant each dimension is for a project told like this, 0 to 10, by rules.

    Named once is important (6), each further mention adds one; what this kind of project usually
    needs is 6; the rest is not known to be relevant (1 to 3).
    """
    counted = dict.fromkeys(FIELDS, 0)
    for one in sentences(text):
        for field, count in strengths(one.text).items():
            counted[field] += count
    usual = {
        field for pattern, fields in _KIND_PATTERNS if pattern.search(text) for field in fields
    }
    return {
        field: min(10, 5 + count) if count else THRESHOLD if field in usual else 2
        for field, count in counted.items()
    }


_JOINT: Final = re.compile(r",?\s+(?:and|but|while)\s+", re.IGNORECASE)


def _apart(sentence: Sentence) -> list[Sentence]:
    """A sentence in two where its halves speak of different dimensions, else whole."""
    if len(strengths(sentence.text)) < 2:
        return [sentence]
    for joint in _JOINT.finditer(sentence.text):
        left, right = sentence.text[: joint.start()], sentence.text[joint.end() :]
        first, second = dimension_of(left), dimension_of(right)
        is_whole = min(len(left.split()), len(right.split())) > 2
        if is_whole and first and second and first != second:
            second_at = sentence.start + joint.end()
            return [Sentence(left, sentence.start, sentence.is_item), Sentence(right, second_at)]
    return [sentence]


def sorted_out(text: str) -> tuple[dict[str, list[Sentence]], list[Sentence]]:
    """The sentences of a text by the dimension they speak of most, and those of none."""
    by_field: dict[str, list[Sentence]] = {}
    rest = []
    for one in (part for whole in sentences(text) for part in _apart(whole)):
        field = dimension_of(one.text)
        if field:
            by_field.setdefault(field, []).append(one)
        else:
            rest.append(one)
    return by_field, rest


_NAMED: Final[Mapping[str, str]] = {
    "core_integrity_ideals": "integrity ideal success quality standard goal criteria",
    "core_people_bonds": "people bond team stakeholder person who involved",
    "core_goals_momentum": "goal momentum milestone timeline date deadline schedule when time",
    "core_meaning_identity": "meaning identity purpose why motivation matter",
    "core_reality_understanding": "reality understanding situation problem today constraint",
    "core_trust_safeguards": "trust safeguard risk danger safety backup wrong",
    "core_opportunity_freedom": "opportunity freedom option alternative experiment idea",
    "core_power_resources": "power resource budget money tool cost time hand",
    "core_harmony_integration": "harmony integration tracking progress feedback review balance",
}


def dimension_named(words: Sequence[str]) -> str:
    """The dimension that somebody names (“the risks”, “budget”); empty for none."""
    said = {word.casefold().rstrip("s") for word in words}
    scores = {field: len(said & set(names.split())) for field, names in _NAMED.items()}
    best = max(scores, key=lambda field: scores[field])
    return best if scores[best] else dimension_of(" ".join(words))
