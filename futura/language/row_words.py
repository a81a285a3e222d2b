# ruff: noqa: E501 - a pattern is read best in one line
"""What lists, sets of rows and single rows are called in four languages: one table for each.

A language is read together with English. Nothing here knows rows; words are only taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from futura.language.calendar_words import LANGUAGES, Language


@dataclass(frozen=True)
class RowWords:
    """One language; all but `places` are pieces of patterns.

    `lists` are what remains of a list's name without the words of `filler`, `names` how lists are
    offered, in one order for all languages. `about` stands before the words of titles, `inside`
    before the project of a list, `into` before the project of a new to-do, `due` before the day
    of a set and `within` before its project. A set is `every`, with its condition in `before`,
    `own` or `after`. `article` and `noun` stand around the words of one row, `project` with a
    project's name, `number` before a row's place.
    """

    lists: Mapping[str, str]
    names: tuple[str, ...]
    filler: str
    about: str
    inside: str
    into: str
    every: str
    due: str
    within: str
    article: str
    noun: str
    project: str
    number: str
    places: tuple[str, ...]
    last: str
    joined: str
    greeting: str


_ENGLISH: Final = RowWords(
    lists={
        "": "|all|everything|open", "today": "(?:for )?today", "overdue": "overdue|late",
        "tomorrow": "tomorrow", "week": "(?:this |the )?week", "none": "without (?:a )?date|undated",
        "blocked": "waiting|blocked", "inbox": "(?:in )?inbox", "completed": "done|completed|finished",
        "dropped": "dropped", "critical": "critical", "high": "high", "normal": "normal", "low": "low",
        "projects": "projects",
    },
    names=("today", "overdue", "this week", "waiting", "inbox", "done"),
    filler=r"all(?=\s+\S)|my|the|open|tasks?|to-?dos?|due|that|are|is|priority|things?",
    about=r"(?:tasks?|to-?dos?)\s+about",
    inside="in|of",
    into=r"(?:to|in|into|under)(?:\s+the)?",
    every=r"(?:everything|(?:all|every|each)(?:\s+of)?(?:\s+(?:my|the|these|those))?(?:\s+(?P<before>[\w-]+))?\s+(?:open\s+)?(?:tasks?|to-?dos?|things?|one)|all(?:\s+of\s+them)?|my\s+(?P<own>overdue|blocked|late|low|high|critical)\s+(?:tasks?|to-?dos?))(?:\s+(?P<after>.+))?",
    due=r"(?:that\s+(?:is|are)\s+)?(?:(?:due\s+)?(?:from|on|for)|due)",
    within=r"(?:in|of|from)(?:\s+the)?",
    article="the|my|this|that|an?",
    noun="tasks?|to-?dos?|things?|ones?|please",
    project=r"(?:(?:the|my|this)\s+)?project",
    number=r"the|number|no\.?|#",
    places=("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    last="last",
    joined="and",
    greeting="hi|hello|hey|good (?:morning|afternoon|evening)",
)  # fmt: skip
_GERMAN: Final = RowWords(
    lists={
        "": "|alle[ns]?|offen", "today": "(?:für )?heute", "overdue": r"überfällig\w{0,2}|verspätet\w{0,2}",
        "tomorrow": "(?:für )?morgen", "week": "(?:in )?(?:diese[rn]? )?woche", "none": "ohne (?:datum|termin)",
        "blocked": r"blockiert\w{0,2}|wartend\w{0,2}", "inbox": "(?:im )?(?:post)?eingang",
        "completed": r"(?:erledigt|fertig|abgeschlossen)\w{0,2}", "dropped": r"verworfen\w{0,2}",
        "critical": r"(?:kritisch|dringend)\w{0,2}", "high": "hoh[aenrs]{1,2}|hoch", "normal": r"normal\w{0,2}",
        "low": r"niedrig\w{0,2}", "projects": "projekte",
    },
    names=("heute", "überfällig", "diese Woche", "blockiert", "Eingang", "erledigt"),
    filler=r"alle[ns]?(?=\s+\S)|meine[nrms]?|die|der|das|den|offene[nrs]?|to-?dos?|aufgaben?|fällige?[nrs]?|sind|ist|mit|priorität|sachen|an",
    about=r"(?:to-?dos?|aufgaben?)\s+(?:über|zu|mit)",
    inside="in|im|von|zum?|aus",
    into="zum|ins|im|in das|in",
    every=r"(?:alles|alle[ns]?(?:\s+(?:meine[nr]?|die|diese[nr]?))?(?:\s+(?P<before>[\w-]+))?\s+(?:to-?dos?|aufgaben?|sachen)|alle(?:\s+davon)?|meine\s+(?P<own>\w+)\s+(?:to-?dos?|aufgaben?))(?:\s+(?P<after>.+))?",
    due=r"(?:die\s+)?(?:(?:fällig\s+)?(?:von|vom|am|für)|fällig)",
    within="in|im|aus|aus dem|von|vom",
    article=r"der|die|das|den|dem|meine?[nmrs]?|diese[nmrs]?|eine?[nmrs]?",
    noun="to-?dos?|aufgaben?|sachen?|bitte",
    project=r"(?:(?:das|dem|des|mein|dieses|diesem)\s+)?projekte?s?",
    number=r"der|die|das|den|nummer|nr\.?",
    places=tuple(f"{item}(?:[nrs])?" for item in "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte".split()),
    last="letzte[nrs]?",
    joined="und",
    greeting="hallo|guten (?:morgen|tag|abend)|servus|moin|grüezi",
)  # fmt: skip
_SPANISH: Final = RowWords(
    lists={
        "": "|todo|tod[oa]s", "today": "hoy", "overdue": r"(?:atrasad|vencid)[oa]s?", "tomorrow": "mañana",
        "week": "(?:esta )?semana", "none": "sin fecha", "blocked": r"bloquead[oa]s?|(?:en )?espera",
        "inbox": "(?:en )?bandeja(?:(?: de)? entrada)?", "completed": r"(?:completad|hech|terminad)[oa]s?",
        "dropped": r"descartad[oa]s?", "critical": r"crític[oa]s?|urgentes?", "high": "alt[oa]s?",
        "normal": "normal(?:es)?|medi[oa]s?", "low": "baj[oa]s?", "projects": "proyectos",
    },
    names=("hoy", "atrasados", "esta semana", "bloqueados", "bandeja de entrada", "completados"),
    filler=r"tod[oa]s(?=\s+\S)|mis?|los|las|el|la|abiert[oa]s|pendientes?|tareas?|vencen?|que|están?|con|prioridad|de|para|cosas",
    about=r"(?:pendientes?|tareas?)\s+(?:sobre|de|con)",
    inside="en|del?",
    into="al|en el|en|para el",
    every=r"(?:todo|tod[oa]s\s+(?:(?:los|las)\s+)?(?:mis\s+|est[oa]s\s+)?(?:pendientes|tareas|cosas)|tod[oa]s(?:\s+ell[oa]s)?|(?:mis|los|las)\s+(?:pendientes|tareas)(?=\s\S))(?:\s+(?P<after>.+))?",
    due=r"(?:que\s+vencen?(?:\s+el)?|del?|para(?:\s+el)?)",
    within=r"del?(?:\s+la)?|en(?:\s+el)?",
    article=r"el|la|los|las|mis?|est[aeo]s?|una?",
    noun="pendientes?|tareas?|cosas?|por favor",
    project=r"(?:(?:el|mi|este)\s+)?proyecto",
    number=r"el|la|número|n[.º]",
    places=tuple(f"{item}[oa]?s?" for item in "primer segund tercer cuart quint sext séptim octav noven décim".split()),
    last="últim[oa]",
    joined="y",
    greeting="hola|buenos días|buenas (?:tardes|noches)",
)  # fmt: skip
_FRENCH: Final = RowWords(
    lists={
        "": "|tout|tou(?:te)?s", "today": "aujourd[’']hui", "overdue": "en retard", "tomorrow": "demain",
        "week": "(?:cette )?semaine", "none": "sans date", "blocked": r"bloquée?s?|en attente",
        "inbox": "(?:dans )?boîte(?:(?: de)? réception)?", "completed": r"(?:terminé|achevé|finie?|fait)e?s?",
        "dropped": r"abandonnée?s?", "critical": "critiques?|urgente?s?", "high": "hautes?",
        "normal": "normale?s?|moyennes?", "low": "basses?|faibles?", "projects": "projets",
    },
    names=("aujourd’hui", "en retard", "cette semaine", "bloquées", "boîte de réception", "terminées"),
    filler=r"tou(?:te)?s(?=\s+\S)|mes|mon|ma|les|le|la|ouvertes?|tâches?|à\s+faire|sont|est|de|pour|avec|priorité|échéance|prévues?|choses",
    about=r"tâches?(?:\s+à\s+faire)?\s+(?:sur|avec|concernant)",
    inside="dans|du|de",
    into="au|dans le|dans",
    every=r"(?:tout|tou(?:te)?s\s+(?:les\s+|mes\s+|ces\s+)?(?:tâches(?:\s+à\s+faire)?|choses)|tous|toutes|(?:mes|les)\s+tâches(?:\s+à\s+faire)?(?=\s\S))(?:\s+(?P<after>.+))?",
    due=r"(?:(?:prévues?|dues?)\s+)?(?:de|du|pour(?:\s+le)?|le)",
    within=r"du|de(?:\s+la)?|dans(?:\s+le)?",
    article=r"l[’']|le|la|les|mon|ma|mes|ce(?:tte|s|t)?|une?",
    noun="tâches?|choses?|s[’']il (?:te|vous) plaît",
    project=r"(?:(?:le|mon|ce)\s+)?projet",
    number=r"le|la|numéro|n°",
    places=("premi(?:er|ère)", *(f"{item}ième" for item in "deux trois quatr cinqu six sept huit neuv dix".split())),
    last="dern(?:ier|ière)",
    joined="et",
    greeting="bonjour|bonsoir|salut",
)  # fmt: skip
WORDS: Final[Mapping[Language, RowWords]] = {
    "en": _ENGLISH, "de": _GERMAN, "es": _SPANISH, "fr": _FRENCH,
}  # fmt: skip
_QUOTED: Final = re.compile(r"[\"“„«»'‘](?P<text>.+)[\"”“»«'’]")


def read_with(language: Language) -> Iterator[RowWords]:
    """The table of a language, then the English one."""
    yield WORDS[language]
    if language != "en":
        yield _ENGLISH


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _any(slot: str) -> str:
    """One of the words that any language has for a slot."""
    return "|".join(str(getattr(WORDS[language], slot)) for language in LANGUAGES)


# Lists and sets -------------------------------------------------------------------------------
def _read(words: str, language: Language, pattern: str) -> Mapping[str, str]:
    """What words are as a whole by a pattern with slots `{0.…}` of a table; empty for no match."""
    for own in read_with(language):
        if match := _pattern(pattern.format(own)).fullmatch(words.strip()):
            return {name: values or "" for name, values in match.groupdict().items()}
    return {}


def list_named(words: str, language: Language) -> str | None:
    """The list that words name: a status, a priority, a time, `projects`, or empty for all."""
    for own in read_with(language):
        text = " ".join(_pattern(rf"(?<!\w)(?:{own.filler})(?!\w)").sub(" ", words.lower()).split())
        for name, pattern in own.lists.items():
            if _pattern(pattern).fullmatch(text):
                return name
    return None


def titles_asked(words: str, language: Language) -> str:
    """The words of titles in “to-dos about …”; empty for all else."""
    return _read(words, language, r"(?:{0.about})\s+(?P<name>.+)").get("name", "")


def project_asked(words: str, language: Language) -> str:
    """The name of a project in “everything in …”; else the words as they are."""
    return _read(words, language, r"(?:.*?\s)?(?:{0.inside})\s+(?P<name>.+)").get("name", words)


def into_project(words: str, language: Language) -> Mapping[str, str]:
    """The `title` and `name` of “call Ana to project Launch”; empty for all else."""
    pattern = r"(?P<title>.+?)\s+(?:{0.into})\s+(?P<name>{0.project}\s+.+|.+\s+project)"
    return _read(words, language, pattern)


def set_named(words: str, language: Language) -> str | None:
    """The condition of a set of rows, empty for all of them; None for words that are no set."""
    details = _read(words, language, "(?P<set>{0.every})")
    slots = (details.get("before") or details.get("own"), details.get("after"))
    return " ".join(filter(None, slots)) if details else None


def day_in(condition: str, language: Language) -> str:
    """The words of the day of a set: “from Friday”, “due today”."""
    return _read(condition, language, r"(?:{0.due})\s+(?P<day>.+)").get("day", condition)


def project_in(condition: str, language: Language) -> str:
    """The words of the project of a set; empty where it names none."""
    pattern = r"(?:{0.within})\s+(?:{0.project}\s+)?(?P<name>.+?)(?:\s+project)?"
    return _read(condition, language, pattern).get("name", "")


def parts_of(line: str, language: Language) -> list[str]:
    """The parts of a line that “and” or a semicolon joins."""
    joined = "|".join(own.joined for own in read_with(language))
    return [part for part in _pattern(rf"\s*[,;]?\s+(?:{joined})\s+|\s*;\s+").split(line) if part]


def is_greeting(line: str) -> bool:
    """Whether a line says hello and nothing else."""
    return _pattern(rf"¡?(?:{_any('greeting')})\W*").fullmatch(line) is not None


def unquoted(words: str) -> str:
    """Without quotation marks around the whole."""
    match = _QUOTED.fullmatch(words.strip())
    return match["text"].strip() if match else words.strip()


def bare(words: str) -> str:
    """Without articles, quotation marks and words for to-dos around the words of a row."""
    text, before = unquoted(words), ""
    while text != before:
        before = text
        text = _pattern(rf"^(?:{_any('article')})(?:\s+|(?<=[’']))(?=\S+\s*\S)").sub("", text)
        text = _pattern(rf"\s+(?:{_any('noun')})$").sub("", text).strip()
    return unquoted(text)


def is_this_project(words: str) -> bool:
    """Whether words are “the project” and no name."""
    return _pattern(_any("project")).fullmatch(words.strip()) is not None


def without_project(words: str) -> str | None:
    """A project's name without the word “project” beside it; None where that is not said."""
    named = rf"^(?:{_any('project')})\s+(?=\S)|(?<=\S)\s+project$"
    remaining, result = _pattern(named).subn("", words.strip(), count=1)
    return unquoted(remaining) if result else None


def place_in(words: str, length: int) -> int | None:
    """The index that “2”, “number two”, “the second one” or “the last” names in a list."""
    text = words.lower().strip(" .!")
    text = _pattern(rf"^(?:{_any('number')})(?:\s+|(?<=[.#º°])\s*)").sub("", text)
    text = _pattern(rf"\s+(?:{_any('noun')})$").sub("", text)
    if _pattern(_any("last")).fullmatch(text):
        return length - 1 if length else None
    ordinals = (
        place for own in WORDS.values() for place, entry in enumerate(own.places, start=1)
        if _pattern(entry).fullmatch(text)
    )  # fmt: skip
    place = number_of(text) or next(ordinals, 0)
    return place - 1 if 0 < place <= length else None


def places_in(words: str, length: int) -> list[int]:
    """The indexes of “1, 3 and 4”; empty when one of them is no place."""
    joint = rf"\s*(?:[,;&]|(?<!\w)(?:{_any('joined')})(?!\w))\s*"
    places = [place_in(word, length) for word in _pattern(joint).split(words.strip(" .!")) if word]
    return [place for place in places if place is not None] if None not in places else []


_NUMBERS: Final = (
    "one two three four five six seven eight nine ten", "eins zwei drei vier fünf sechs sieben acht neun zehn",
    "uno dos tres cuatro cinco seis siete ocho nueve diez", "un deux trois quatre cinq six sept huit neuf dix",
)  # fmt: skip


def number_of(word: str) -> int:
    """A small number in figures or words; 0 for none."""
    if word.isdecimal():
        return int(word)
    places = (
        words.split().index(word.lower()) + 1 for words in _NUMBERS if word.lower() in words.split()
    )
    return next(places, 0)
