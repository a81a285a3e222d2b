"""Words that the rules of visitors' chat weigh: what is soft, the same, private, an order."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from futura.text import STOP_WORDS, stems, words

# words of a question that no document has to have: how it is asked, not what for
SOFT: Final = frozenset(
    """professional professionally commercially career overview summary detail details story journey
    kind type types sort role roles responsibilities responsible process approach involve involved
    focus focused area areas specific specifically actually really currently current now today
    recently recent latest newest last first previous past former earlier before since ago year
    years month months long time times day days level strong strength strengths expertise expert
    proficient comfortable good best great well main major important notable key top favorite
    favourite biggest largest interesting challenging hardest difficult explain describe compare
    comparison walk talk share discuss say said mean means wonder wondering curious question
    answer ask asked asking quick quickly short briefly brief please thank thanks hey hi hello ok
    okay yes no maybe also still yet already often usually ever never always many much several few
    couple all every each any some one ones two three number total count altogether exactly
    complete full whole entire available different various using used use uses usage hands
    hand production real world serious seriously proper properly work works worked working job jobs
    position positions employer employers employed employment company companies client clients
    project projects repo repos repository repositories app apps piece pieces portfolio entry
    entries thing things stuff experience experiences experienced background skill skills skilled
    tool tools technology technologies tech stack language languages framework frameworks software
    program programs database databases material materials technique techniques method methods
    education educational degree degrees school schools university universities college study
    studies studied graduate graduated course courses award awards prize prizes honor honors honour
    honours won win recognition live lives living lived based located location place places
    city country countries name named called title do did does done make made built build building
    create created develop developed development write wrote written implement implemented ship
    shipped deliver delivered designed design run ran running know known knowledge familiar learn
    learned learnt professional paid side
    personal own case study would could apply applied involving related regarding concerning
    feature features featured about list show give tell include includes included including
    person people's someone somebody anyone anybody team's life born vs versus compared more less
    than like such between against rather instead either both neither else other others another
    professional's contact hobby background's summarize summarise introduce yourself
    worth noting mention mentioned relevant example examples instance come came go going went
    take took taken part parts happen happened happens look looked looks get got gets
    exist exists there anything everything nothing something
    start started starting begin began begun join joined belong belongs belonging hold holds
    right institution institutions organisation organisations organization organizations version
    versions""".split()
)
# kept as asked for although they are asking words elsewhere: they are what the question is about
_IRREGULAR: Final = {
    "led": "lead", "taught": "teach", "won": "win", "wrote": "write", "written": "write",
    "built": "build", "ran": "run", "grew": "grow", "grown": "grow", "drew": "draw",
    "drawn": "draw", "sold": "sell", "spoke": "speak", "spoken": "speak", "gave": "give",
    "given": "give", "began": "begin", "shot": "shoot", "sewn": "sew", "bound": "bind",
    "thought": "think", "dealt": "deal", "held": "hold", "kept": "keep", "found": "find",
    "founded": "found", "cofounded": "found", "children": "child", "women": "woman", "men": "man",
    "theses": "thesis", "theatre": "theater", "theatres": "theater", "colour": "color",
    "centre": "center", "programme": "program", "organisation": "organization",
    "organised": "organize", "organise": "organize", "visualisation": "visualization",
    "modelling": "modeling", "optimisation": "optimization", "behaviour": "behavior",
}  # fmt: skip
# words that stand for each other here; the first of a row names it
_SAME: Final = (
    "lead manage supervise head direct leadership management",
    "teach lecture tutor instruct teacher lecturer instructor teaching course workshop",
    "mentor coach mentoring",
    "publish publication paper article journal proceedings",
    "exhibit exhibition show gallery exhibited",
    "client customer commission",
    "talk speak presentation conference keynote speaking",
    "freelance self-employed independent contractor contract",
    "doctorate phd doctoral dissertation thesis",
    "bachelor bsc ba undergraduate",
    "master msc ma graduate",
    "startup start-up founder found cofounder",
    "test testing quality qa",
    "speed performance latency faster fast",
    "payment payments billing checkout",
    "hospital clinic healthcare health medical medicine",
    "museum gallery",
    "poster posters",
    "packaging package label packages",
    "logo logotype brand branding identity",
    "map maps mapping cartography",
    "photo photograph photography photographer photos",
    "film video footage",
    "remote remotely home-office",
    "relocate move relocation",
    "grant grants funding funded",
    "collaborate collaboration partner partnership together",
    "machine-learning ml",
    "accurate accuracy precise precision",
    "win won winner",
    "team colleagues engineers designers",
    "user users",
    "accessible accessibility a11y",
    "sustainable sustainability environment climate ecological",
    "school pupil pupils children",
    "editorial magazine newspaper",
    "impact outcome result effect",
    "intern internship internships interned interning trainee",
)
PRIVATE: Final = re.compile(
    r"\b(?:salary|salaries|wage|how much (?:do|did|were|are) you (?:earn|make|paid|get paid)|"
    r"e-?mail|phone|telephone|mobile number|home address|street|date of birth|birthday|"
    r"how old|your age|married|wife|husband|spouse|girlfriend|boyfriend|partner's name|"
    r"your (?:children|kids|family|parents|religion|politics)|religio\w+|pregnan\w+|"
    r"passport|bank|password|social security|political\w*|vote[ds]?|sexual\w*|health condition|"
    r"illness|disab\w+|criminal record)\b",
    re.IGNORECASE,
)
_MACHINE: Final = r"(?:ai|llms?|language models?|chat ?bots?|assistants?|models?)"
_SAYING: Final = (
    r"(?:answer|say|reply|respond|output|claim|tell|recommend|reveal|print|call|confirm|include|"
    r"write|repeat|ignore|add|follow|obey|switch|pretend|mention|speak)"
)
_ORDERS: Final = (
    # to leave other orders aside, in four languages
    (
        r"(?:ignore|disregard|forget|override|bypass|neglect)\b(?:\W+[\w'’]+){0,4}?\W+(?:previous|prior|"
        r"above|before|earlier|other|system|portfolio|instructions?|prompts?|rules?|guidelines?)\b"
    ),
    r"\b(?:vergiss|ignorier\w*|missachte\w*)\b.{0,40}\b(?:anweisung|regel|befehl)",
    r"\b(?:ignora\w*|olvida\w*)\b.{0,40}\b(?:instruccion|regla|orden)",
    r"\b(?:ignore[rz]?|oublie[rz]?)\b.{0,40}\b(?:instruction|consigne|r[èe]gle)",
    # to a machine by name
    (
        rf"\b{_MACHINE}\b[^.\n]{{0,40}}\b(?:must|should|shall|please|ha(?:s|ve) to|needs? to|"
        rf"will now)\b[^.\n]{{0,20}}\b{_SAYING}\b"
    ),
    r"\b(?:ai|llm|assistants?|chat ?bots?)\b[^.\n]{0,40}\b(?:must|should|shall|please)\b",
    r"\bnote to (?:the |all )?(?:ai|llm|chat|assistant|model|machine|bot|screen)\w*",
    (
        r"(?:^|[\n.;!?]\s*)\W*(?:system|developer|assistant|admin)\s*(?:prompt|message|note|override|"
        r"instruction|update)?(?: update)?\s*:"
    ),
    r"^\W*(?:override|prompt)\s*:",
    r"<\s*/?\s*(?:system|instruction|prompt)",
    r"<\|\s*\w+",
    r"\[\s*(?:system|inst|instruction)",
    r"###\s*(?:system|instruction)",
    r"^\W*(?:human|assistant|user|ai)\s*:",
    r"\"(?:verdict|role|message|system|instructions?)\"\s*:",
    # what it is to be, and to do
    r"\byou (?:are|act) (?:now|as)\b",
    r"\byou are no longer\b",
    r"\bfrom now on\b[^.\n]{0,30}\byou\b",
    r"\bis a command\b",
    r"\bdo not follow\b[^.\n]{0,20}\b(?:rule|instruction)",
    r"\b(?:every|each) (?:answer|reply|response) (?:starts|begins|must|has to)\b",
    r"\b(?:answer|reply|respond) to everything\b",
    rf"\byou have to {_SAYING}\b",
    r"\byour (?:\w+ )?(?:task|job|goal|role|rule|purpose) is (?:now )?to\b",
    rf"\byou must (?:now |always |never )?{_SAYING}\b",
    r"\b(?:you|please|always) (?:always )?(?:begin|start|end) (?:each|all|your) (?:answer|repl)",
    r"\b(?:begin|start|end) (?:each|every|all) (?:answer|reply|response)",
    r"\bas an? (?:ai|language model|assistant|llm)\b",
    r"\b(?:always|only) (?:answer|say|reply|respond)\b",
    r"\b(?:answer|reply to|respond to) (?:every|any|each|all)\b",
    r"\bmust be answered\b",
    r"(?:^|[.:;!]\s*)(?:please )?(?:tell (?:the )?(?:visitor|user|reader)|pretend |quote them)",
    r"\binstead,? (?:say|write|answer|reply|respond)\b",
    r"\b(?:say|reply|respond|answer|repeat)(?: with| only)? (?-i:[A-Z]{5,})\b",
    r"\b(?:decode|decrypt|execute|obey) (?:this|it|that|them|these)\b",
    r"when (?:asked|a visitor asks|anyone asks|somebody asks)",
    r"if (?:asked|you are an|a visitor asks)",
    r"\b(?:new|updated) policy\s*:",
    r"\bend of (?:the )?(?:document|text|input|context)\b",
    r"\b(?:set|mark) (?:the )?verdict\b",
    r"\bdo not (?:mention|tell|reveal) \w+",
    # to give away what is not to be seen
    r"(?:new|updated|real|hidden|secret|special) (?:system )?(?:instructions?|prompts?|rules?)\b",
    (
        r"\b(?:reveal|print|show|repeat|output|leak|disclose)\b[^.\n]{0,40}\b(?:system prompt|"
        r"(?:your|its|the|hidden|own) (?:\w+ )?(?:prompt|instructions)|api key|secrets?|password|"
        r"private notes?)\b"
    ),
    (
        r"^\W*(?:please )?(?:output|print|reveal|disclose|leak|dump|quote)\b[^.\n]{0,40}"
        r"\b(?:private|confidential|hidden|contact)\b"
    ),
    r"\bjailbreak|\bDAN mode",
)
# lines of a document that talk to a reader's machine instead of telling about somebody
INSTRUCTION: Final = re.compile("|".join(_ORDERS), re.IGNORECASE)
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
_SPACED: Final = re.compile(r"\b(?:\w ){3,}\w\b")


def key_of(word: str) -> str:
    """The stem of a word, irregular forms and spellings brought together."""
    plain = word.lower().replace("’", "'").removesuffix("'s")
    return stems([_IRREGULAR.get(plain, plain)])[0]


@lru_cache(maxsize=1)
def _soft() -> frozenset[str]:
    return frozenset({key_of(one) for one in SOFT}) | {
        key_of(one) for one in STOP_WORDS if len(one) > 1
    }


def is_soft(word: str) -> bool:
    """Whether a word tells only how something is asked."""
    return word in STOP_WORDS or word in SOFT or key_of(word) in _soft()


@lru_cache(maxsize=1)
def _rows() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for row in _SAME:
        keys = frozenset(key_of(one) for word in row.split() for one in words(word))
        for key in keys:
            found[key] = found.get(key, frozenset()) | keys
    return found


def same_as(key: str) -> frozenset[str]:
    """The stems that say what this one says, itself among them."""
    return _rows().get(key, frozenset()) | {key}


def keys_of(text: str) -> list[str]:
    """Stems of all words of a text that are no stop words, in order."""
    return [key_of(one) for one in words(text) if one not in STOP_WORDS]


def is_instruction(text: str) -> bool:
    """Whether a line tries to tell a machine what to do, even between the lines."""
    plain = _UNSEEN.sub("", text)
    joined = _SPACED.sub(lambda found: found[0].replace(" ", ""), plain)
    return any(INSTRUCTION.search(one) is not None for one in {text, plain, joined})
