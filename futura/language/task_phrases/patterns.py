"""The turns of phrase that the finder knows: times, fillers, frames of a list, who a noun is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from futura.language.lexicon import NO_PERSONS, PERSONS
from futura.language.tokens import Token, line_of


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINERS: Final = _set(
    "the a an my our his her their its your this that these those some any all every each both "
    "another no other few several many most various different new"
)
PREPOSITIONS: Final = _set(
    "of in on at by for from to with without into onto over under about between among during "
    "after before through across against along around behind beside beyond despite inside near "
    "outside per since than toward towards until upon via within like as if when while where"
)
OWN_SUBJECTS: Final = _set("i we you")
OTHER_PRONOUNS: Final = _set(
    "he she they it this that these those someone somebody everyone everybody nobody noone "
    "others people another anyone"
)
POINTING: Final = _set("it them this that these those him her one ones")
AUXILIARIES: Final = _set(
    "is are was were has have had does do did will would can could should gets must might"
)
CONDITIONS: Final = _set(
    "if when whenever while before after until unless because since cause cos cuz as whereas "
    "whether once where"
)
NEGATIONS: Final = _set("not never neither nor hardly barely no none without except")
_PERSON_ENDINGS: Final = re.compile(r"(?:[^aeiou]er|or|ist|man|men|woman|women|ian|ant|ee|ess)s?$")
_DAY: Final = r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?"
_SPAN: Final = (
    r"(?:(?:month|year|quarter|week|sprint)[- ](?:end|start)|"
    r"mornings?|evenings?|afternoons?|nights?|noon|midday|midnight|dawn|days?|weeks?|months?|"
    r"years?|yrs?|quarters?|weekends?|weekdays?|shifts?|seasons?|summers?|winters?|spring|autumn|"
    r"minutes?|hours?|holidays|moment|time|times|term|start|end|beginning|breakfast|lunch|dinner|"
    rf"break|pick ?up|{_DAY}|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|christmas|easter|flight|harvest|service|visit)"
)
_COUNT: Final = (
    r"(?:\d\S*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|few|couple|several|"
    r"many|multiple|half)"
)
TIME: Final = (
    r"(?:"
    rf"(?:in|on|at|during|after|before|by|over|throughout|for|from|towards) "
    rf"(?:the |a |an |my |our |this |that |each |every |most |some )?"
    rf"(?:(?:typical|normal|average|usual|early|late|very|first|last|next|whole|busy|quiet|given|"
    rf"same|rest of the|other|{_COUNT}) )*{_SPAN}"
    rf"(?: (?:of|in) (?:the |a |my |each |every )?{_SPAN})?"
    rf"|(?:every|each|most|all|some|many|other|this|per|next|last) (?:(?:other|second|single|day|"
    rf"{_COUNT}) )*{_SPAN}(?: long)?"
    rf"|(?:about |around |maybe |roughly )?(?:once|twice|thrice|(?:a )?{_COUNT} (?:of )?times|\d+x)"
    rf" (?:or (?:twice|{_COUNT}(?: times)?) )?(?:a|an|per|every|each|in a) {_SPAN}"
    rf"|(?<!one )(?:at|around|about|from|by|until|till|to) (?:about |around )?"
    rf"(?:\d[\d:.]*|{_COUNT}|noon|midday|midnight)(?: ?(?:am|pm|a\.m\.|p\.m\.|o'clock|sharp|ish))?"
    rf"|on {_DAY}|{_DAY}|on (?:a |an )?(?:daily|weekly|monthly|regular|hourly) basis"
    rf"|(?:{_DAY} )?(?:mornings|evenings|afternoons|nights|weekends|weekdays)"
    r"|daily|weekly|monthly|yearly|hourly|quarterly|annually|nightly|fortnightly|regularly"
    r"|(?:every )?now and (?:then|again)|from time to time|most of the time|all the time"
    r"|at the (?:same time|moment|very end|end|start|beginning)|right now|these days|nowadays"
    r"|(?:first|last|next) thing(?: in the (?:morning|day))?|at once|as (?:and )?when (?:needed|"
    r"required)|(?:when|if|as|where) (?:needed|required|necessary|possible|asked)|"
    rf"on (?:call|demand|request)|(?:a lot|a bit|a little)(?! of)|(?:all )?year round|"
    rf"\d+ hours (?:a|per) {_SPAN}"
    r"|day to day|at peak times)"
)
_LEAD_WORDS: Final = (
    r"also|then|and|so|well|ok|okay|yeah|yes|yep|yup|sure|usually|mostly|mainly|basically|"
    r"sometimes|occasionally|often|generally|typically|normally|actually|honestly|just|only|really|"
    r"always|still|currently|now|plus|maybe|probably|obviously|obvs|sadly|first|second|third|"
    r"(?:first|second|third|last|additional)ly|next|finally|afterwards|later|besides|otherwise|"
    r"moreover|too|again|um+|uh+|hmm+|oh|ah|hey|hi|hello|lol|haha+|etc|either|frequently|rarely|"
    r"primarily|largely|personally|today|unfortunately|constantly|especially|particularly|even|tbh|"
    r"like|rather|throughout|after (?:that|this)|before that|in addition|"
    r"on top of (?:that|this|it)|"
    r"apart from that|other than that|as well|of course|for example|for instance|e\.g\.|i\.e\.|"
    r"in general|at times|to be honest|you know|i mean|i guess|i think|i suppose|i would say|"
    r"as i (?:said|mentioned)|kind of|sort of|more or less|pretty much|mid-\w+|dunno|"
    r"(?:a )?(?:lots?|bit|ton|loads?|bunch|good deal|great deal) of|plenty of|"
    r"(?:some |any |the )?(?:\S+ )?(?:stuff|things|bits|tasks|duties|jobs|work|admin) (?:like|"
    r"such as)|such as|including|and so on|so on|thanks|thank you|"
    r"as well as|together with|along with|anyway|sorry|right"
)
LEAD: Final = re.compile(rf"(?:(?:{TIME}|{_LEAD_WORDS}) )*(?:(?:{TIME}|{_LEAD_WORDS})$)?")
_TAIL_WORDS: Final = (
    r"also|too|as well|aswell|mostly|mainly|usually|sometimes|occasionally|often|generally|"
    r"obviously|obvs|really|etc|etc\.|and so on|so on|and stuff|(?:stuff|things) like that|"
    r"that (?:kind|sort) of thing|and such|lol|haha+|tbh|myself|ourselves|you know|i guess|i think|"
    r"i suppose|to be honest|actually|basically|again|then|and|or|with|for|of|to|the|a|afterwards|"
    r"later|now|of course|for example|at times|or so|or something|or whatever|each time|sadly|"
    r"though|regularly|as part of (?:my|your|the|this|our) (?:job|role|work)|at work"
)
_TAIL: Final = re.compile(
    rf"(?:^| )(?:{_TAIL_WORDS}|an? (?:day|week|month|year|shift|night)|{TIME})$"
)
_TAIL_CUTS: Final = _set(
    "because cos cuz who since whereas although though except besides unlike despite instead "
    "otherwise hence whom"
)
_ADV: Final = (
    r"(?:(?:also|mostly|mainly|usually|basically|really|often|always|just|still|now|currently|then|"
    r"generally|typically|primarily|probably|sometimes|largely|only) )*"
)
_JOB_WORD: Final = (
    r"(?:jobs?|roles?|work|days?|weeks?|time|duties|duty|responsibilit(?:y|ies)|tasks?|shifts?|"
    r"mornings?|afternoons?|evenings?|focus|bulk|position|activities|workload|routine|rest|hours|"
    r"function|remit|thing|things|part|mondays?|fridays?|main ones|winters?|summers?)"
)
JOB_FRAME: Final = re.compile(
    rf"(?:(?:about|around|roughly|almost|nearly|a|an|the|my|our|most|parts?|much|half|some|lots?|"
    r"big|large|huge|good|main|other|of|typical|normal|average|biggest|rest|core|daily|usual|key|"
    r"current|primary|first|second|third|day to day|day-to-day|whole|working|regular|everyday|"
    rf"another|one|only|weekly|percent|chunk|share|\d+) )*{_JOB_WORD}"
    r"(?: (?:of|at|in|for|here|there|as|on|this|the|my|a|it|work|job|role|"
    r"day|week|time|team|shop|site|office))*? "
    rf"{_ADV}(?:is|are|goes|go|involves?|includes?|consists?|means|entails?|covers?|revolves?|"
    r"starts?|begins?|ends?|comes? down|gets|get|looks|mostly|mainly|contains?|comprises?) "
    rf"(?P<not>(?:not|never|no) )?{_ADV}(?:(?:spent|to|about|on|in|into|for|of|around|with|by|like|"
    r"doing|the|taken up|made up|making|filled|up) )*(?=\S)"
)
JOB_COLON: Final = re.compile(
    rf"(?:\S+ ){{0,5}}?{_JOB_WORD}(?: (?:is|are|include|includes|involves|here|at work|as a \S+|"
    rf"the following))*$"
)
DONE_BY_OTHERS: Final = re.compile(
    r"^(?!i |we )(?:\S+ ){1,6}(?:is|are|gets?|was|were|being|been) (?:\S+ly |all |also |now )?"
    r"(?:\S+ed|done|made|taken|run|sent|kept|dealt with|taken care of|set|built|written) "
    r"(?:(?:\S+ ){0,2}by (?!me\b|myself|hand|us\b|machine)|externally|elsewhere|automatically|"
    r"in another|at head)"
)
DISOWNED: Final = re.compile(
    r"(?:(?:that's|that is|it's|it is|this is|is|are|was|but|so|definitely|certainly|by) ?)*"
    r"(?:not|never) (?:by |for |up to |down to )?"
    r"(?:me|us|mine|ours|(?:my|our) (?:job|task|work|role|thing|department|side|area|problem))"
    r"(?: (?:though|anymore|any more|at all|really|sadly|luckily|thankfully))*\W*$"
)
PAST: Final = re.compile(
    r"\b(?:(?:my|a|an|the) (?:last|previous|old|former|first|earlier|prior|past|other) "
    r"(?:job|role|position|firm|company|employer|career|workplace|life|post|place|school|hospital)|"
    r"used to|when i was|years ago|back (?:in|when|then)|formerly|previously|in the past|"
    r"before (?:this|i joined|that|i became|becoming|i started|my current)|last year|"
    r"at uni(?:versity)?|in college|as a student|until (?:last|recently|\d{4})|"
    r"in (?:19|20)\d\d|no longer|any ?more|not any longer|earlier in my career|(?:i|we) once)\b"
)
FUTURE: Final = re.compile(
    r"\b(?:next (?:year|month|week|spring|summer|autumn|fall|winter|quarter)|soon|someday|one day|"
    r"some day|in (?:the )?(?:future|spring|summer|autumn|a few)|eventually|tomorrow|from now on|"
    r"starting|once i (?:qualify|finish|get|have|am))\b"
)


def count_of(match: re.Match[str] | None) -> int:
    """How many whole words a match from the start of a line of words covers."""
    if match is None or not match.group():
        return 0
    return match.group().count(" ") + (not match.group().endswith(" "))


_LEAD_REACH: Final = 30


def without_leads(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without fillers, adverbs and times before the first word that matters."""
    remaining = list(tokens)
    while remaining:
        skipped = count_of(LEAD.match(line_of(remaining[:_LEAD_REACH]) + " "))
        if not skipped and remaining[0].kind != "word":
            skipped = 1
        if not skipped:
            break
        remaining = remaining[skipped:]
    return remaining


_BEFORE_CONTENT: Final = _set(
    "sure certain ensure check confirm verify see decide tell explain show prove note say clear is "
    "checking ensuring confirming verifying seeing deciding telling explaining showing proving so"
)


def _is_relative(tokens: Sequence[Token], index: int) -> bool:
    """Whether "that" tells of others what they do with a thing: "data that the team exports"."""
    if tokens[index].lower != "that" or index < 2 or index + 2 >= len(tokens):
        return False
    is_content = tokens[1].lower == "that" or tokens[index - 1].lower in _BEFORE_CONTENT
    return not is_content and tokens[index + 1].lower in DETERMINERS | OTHER_PRONOUNS | OWN_SUBJECTS


def without_tail(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without reasons, times and fillers after the last word that matters."""
    left = list(tokens)
    for index, token in enumerate(left):
        if index and (token.lower in _TAIL_CUTS or _is_relative(left, index)):
            left = left[:index]
            break
    while left:
        tail = _TAIL.search(line_of(left[-10:]))
        if tail is None:
            break
        left = left[: len(left) - len(tail.group().split())]
    return left


def is_person(word: str) -> bool:
    """Whether a noun names people or an organisation that does things."""
    return (
        word in PERSONS
        or word.removesuffix("s") in PERSONS
        or (len(word) > 4 and word not in NO_PERSONS and bool(_PERSON_ENDINGS.search(word)))
    )
