"""Words that the rules of visitors' chat weigh: what is soft, what says the same."""

from __future__ import annotations

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
    old right institution institutions organisation organisations organization organizations version
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
