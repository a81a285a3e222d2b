# ruff: noqa: E501 - a pattern is read best in one line
"""The command line of basic mode: a table of verbs and their slots, read exactly or not at all.

A line is a command only as a whole: what comes before a verb (“please do not”, “should I”) or
makes a question of it leaves it unread.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from futura.language.calendar_words import Language

Verb = Literal[
    "add", "done", "reopen", "drop", "block", "move", "undate", "into", "rename", "priority",
    "delete", "append", "note", "restore", "find", "show", "undo", "start", "publish", "status", "focus",
    "help",
]  # fmt: skip
CHANGES: Final = frozenset(
    {
        "done",
        "reopen",
        "drop",
        "block",
        "move",
        "undate",
        "into",
        "rename",
        "priority",
        "delete",
        "append",
    }
)
"""Verbs that change rows which the line names."""
_PRIORITY: Final = r"(?P<value>critical|urgent|high|normal|medium|low)(?:\s+priority)?"
_TODO: Final = r"(?:task|to-?do|reminder|item)s?"

_LIST: Final = r"(?:\s+(?:to|on|in)\s+(?:my|the)\s+(?:to-?do\s+)?(?:list|inbox|to-?dos|tasks))?"

# the first pattern that fits a whole line wins; `rows` names rows, `value` is what they get
_ENGLISH: Final[tuple[tuple[Verb, str], ...]] = (
    ("help", r"(?:help|\?|what can (?:you|i) do(?: here)?|(?:list|show)(?: me)?(?: the)? commands)"),
    ("undo", r"(?:undo|take back|revert)(?:\s+(?:it|that|this))?"),
    ("undo", r"(?:undo|take back|revert)\s+(?:the\s+|my\s+)?last\s+(?:(?P<n>\w+)\s+)?changes?"),
    ("undo", r"(?:undo|take back|revert)\s+(?:the\s+)?change\s+(?P<before>before\s+that)"),
    ("undo", r"(?:undo|take back|revert)\s+(?:what\s+you\s+did\s+to|the\s+change\s+of)\s+(?P<rows>.+)"),
    ("undo", r"(?:undo|take back|revert)\s+(?P<value>.+)"),
    ("restore", r"(?:bring\s+back|restore|undelete)\s+(?P<rows>.+)"),
    ("focus", r"(?:focus|what\s+(?:should|shall|do)\s+i\s+(?:focus\s+on|do|start\s+with)(?:\s+(?:first|next|now))?(?:\s+today)?|what\s+is\s+next|what[’']s\s+next)"),
    ("start", r"(?:(?:start|open|begin|run)\s+)?(?:an?\s+|the\s+)?(?P<kind>audit|forecast|update|survey)(?:\s+(?:of|for|on)?\s*(?P<rows>.+))?"),
    ("start", r"(?:(?:start|open|begin|create)\s+)?(?:a\s+)?(?P<kind>new\s+project|project|portfolio(?:\s+entry)?)(?:\s+(?:for|about|on)\s+(?P<rows>.+))?"),
    ("start", r"(?:add|make|create|start)\s+(?:a\s+)?(?P<kind>portfolio\s+entry)(?:\s+(?:for|about|on)\s+(?P<rows>.+))?"),
    ("publish", r"(?:put|add)\s+(?P<rows>.+?)\s+(?:in|into|to)\s+my\s+portfolio"),
    ("status", r"(?:put\s+(?P<rows>.+?)\s+on\s+(?P<kind>hold)|(?P<kind2>pause|archive|resume)\s+(?P<rows2>.+))"),
    ("append", r"add\s+to\s+the\s+notes\s+of\s+(?P<rows>[^:]+):\s*(?P<value>.+)"),
    ("note", r"(?:add\s+a\s+)?note\s+(?:to|for|in|on)\s+(?P<rows>[^:]+):\s*(?P<value>.+)"),
    ("add", rf"(?P<verb>(?:add|create|make|new)\s+(?:an?\s+)?(?:new\s+)?{_TODO}(?:\s*:|\s+to|\s+called)?)\s+(?P<value>.+?){_LIST}"),
    ("add", rf"(?P<verb>remind\s+me\s+to|remember\s+to|to-?do:|add(?!\s+(?:to\s|(?:an?\s+)?note\b[^:]*:)):?|new:)\s+(?P<value>.+?){_LIST}"),
    ("reopen", r"(?:reopen|uncheck|untick|unblock)\s+(?P<rows>.+)"),
    ("reopen", r"mark\s+(?P<rows>.+?)\s+(?:as\s+)?(?:not\s+done|undone|open|available)"),
    ("done", r"(?:done|complete|finish|tick(?:\s+off)?|check(?:\s+off)|close)\s*:?\s+(?P<rows>.+)"),
    ("done", r"mark\s+(?P<rows>.+?)\s+(?:as\s+)?(?:done|complete|completed|finished)"),
    ("done", r"(?!(?:if|when|once|unless|until|after|before|what|who|which|is|are)\b)(?P<rows>.+?)\s+(?:is|are)\s+(?:done|finished|complete|completed)"),
    ("drop", r"(?:drop|cancel)\s+(?P<rows>.+)"),
    ("block", r"block\s+(?P<rows>.+)"),
    ("block", r"(?!(?:if|when|once|unless|until|after|before|what|who|which|is|are)\b)(?P<rows>.+?)\s+(?:is|are)\s+blocked"),
    ("rename", r"rename\s+(?P<rows>.+?)\s+(?:to|as|into)\s+(?P<value>.+)"),
    ("into", r"(?:move|put|add)\s+(?P<rows>.+?)\s+(?:to|into|in|under)\s+(?:#|(?:the\s+)?project\s+)(?P<value>.+)"),
    ("move", r"(?:move|reschedule|postpone|push|shift|delay)\s+(?P<rows>.+?)\s+(?:to|until|till)\s+(?P<value>.+)"),
    ("move", r"set\s+(?:the\s+)?(?:due\s+)?date\s+(?:of|for)\s+(?P<rows>.+?)\s+to\s+(?P<value>.+)"),
    ("undate", r"(?:remove|clear)\s+the\s+(?:due\s+)?date\s+(?:of|from)\s+(?P<rows>.+)"),
    ("priority", rf"(?:set|change)\s+(?:the\s+)?priority\s+of\s+(?P<rows>.+?)\s+to\s+{_PRIORITY}"),
    ("priority", rf"(?:make|set)\s+(?P<rows>.+?)\s+(?:to\s+)?{_PRIORITY}"),
    ("priority", rf"priority\s+{_PRIORITY}\s*:?\s+(?P<rows>.+)"),
    ("delete", r"(?:delete|remove|trash)\s+(?P<rows>.+)"),
    ("find", r"(?:find|search(?:\s+for)?|look\s+for)\s+(?P<value>.+)"),
    ("show", r"(?:show|list)(?:\s+me)?(?:\s+(?P<value>.+))?"),
    ("show", r"(?:what\s+is|what[’']s|which\s+(?:tasks|to-?dos)\s+are)\s+(?P<value>(?:due|overdue|late|blocked|waiting|done|critical|in\s+my\s+inbox)\b.*)"),
    ("show", r"(?P<value>today|overdue|inbox|this\s+week|waiting)"),
)  # fmt: skip
_GERMAN: Final[tuple[tuple[Verb, str], ...]] = (
    ("help", r"(?:hilfe|\?|was kannst du)"),
    ("undo", r"(?:rückgängig|zurücknehmen)(?:\s+(?:die\s+)?letzten\s+(?P<n>\w+)(?:\s+Änderungen)?)?"),
    ("focus", r"(?:was\s+ist\s+(?:heute\s+)?dran|was\s+soll\s+ich\s+(?:heute\s+)?tun)"),
    ("add", r"(?P<verb>neu:?|hinzufügen:?(?!\s+(?:(?:zu|zum|zur|in)\s|(?:eine\s+)?notiz\b[^:]*:))|aufgabe:?|erinnere\s+mich\s+an)\s+(?P<value>.+)"),
    ("done", r"(?:erledigt|fertig|abhaken)\s*:?\s+(?P<rows>.+)"),
    ("reopen", r"wieder\s+öffnen\s*:?\s+(?P<rows>.+)"),
    ("delete", r"(?:lösche|löschen|entferne)\s*:?\s+(?P<rows>.+)"),
    ("rename", r"(?:umbenennen|benenne)\s*:?\s+(?P<rows>.+?)\s+in\s+(?P<value>.+?)(?:\s+um)?"),
    ("move", r"(?:verschiebe|verschieben)\s*:?\s+(?P<rows>.+?)\s+auf\s+(?P<value>.+)"),
    ("find", r"(?:finde|suche|suchen)\s+(?:nach\s+)?(?P<value>.+)"),
    ("show", r"(?:zeige|zeig|liste)(?:\s+mir)?\s+(?P<value>.+)"),
)  # fmt: skip
_SPANISH: Final[tuple[tuple[Verb, str], ...]] = (
    ("help", r"(?:ayuda|\?|qué puedes hacer)"),
    ("undo", r"deshacer(?:\s+los\s+últimos\s+(?P<n>\w+)\s+cambios)?"),
    ("focus", r"qué\s+hago\s+hoy"),
    ("add", r"(?P<verb>(?:añadir:?|añade)(?!\s+(?:(?:a|al|en)\s|(?:una\s+)?nota\b[^:]*:))|nueva\s+tarea:?|tarea:|recuérdame)\s+(?P<value>.+)"),
    ("done", r"(?:hecho|completar|terminar)\s*:?\s+(?P<rows>.+)"),
    ("reopen", r"reabrir\s+(?P<rows>.+)"),
    ("delete", r"(?:borrar|borra|eliminar|elimina)\s+(?P<rows>.+)"),
    ("rename", r"renombrar\s+(?P<rows>.+?)\s+a\s+(?P<value>.+)"),
    ("move", r"mover\s+(?P<rows>.+?)\s+al?\s+(?P<value>.+)"),
    ("find", r"(?:buscar|busca)\s+(?P<value>.+)"),
    ("show", r"(?:mostrar|muestra|lista)\s+(?P<value>.+)"),
)  # fmt: skip
_FRENCH: Final[tuple[tuple[Verb, str], ...]] = (
    ("help", r"(?:aide|\?|que peux-tu faire)"),
    ("undo", r"annuler(?:\s+les\s+(?P<n>\w+)\s+derniers\s+changements)?"),
    ("focus", r"que\s+faire\s+aujourd[’']hui"),
    ("add", r"(?P<verb>(?:ajouter:?|ajoute)(?!\s+(?:(?:à|au|aux|dans)\s|(?:une\s+)?note\b[^:]*:))|nouvelle\s+tâche\s*:?|rappelle-moi\s+de)\s+(?P<value>.+)"),
    ("done", r"(?:fait|terminer|termine)\s*:?\s+(?P<rows>.+)"),
    ("reopen", r"rouvrir\s+(?P<rows>.+)"),
    ("delete", r"(?:supprimer|supprime)\s+(?P<rows>.+)"),
    ("rename", r"renommer\s+(?P<rows>.+?)\s+en\s+(?P<value>.+)"),
    ("move", r"déplacer\s+(?P<rows>.+?)\s+(?:à|au)\s+(?P<value>.+)"),
    ("find", r"(?:chercher|cherche)\s+(?P<value>.+)"),
    ("show", r"(?:montrer|montre|lister|liste)\s+(?P<value>.+)"),
)  # fmt: skip
_TABLES: Final[Mapping[Language, tuple[tuple[Verb, str], ...]]] = {
    "en": _ENGLISH, "de": _GERMAN, "es": _SPANISH, "fr": _FRENCH,
}  # fmt: skip
_POLITE: Final = r"(?:(?:please|ok|okay|now|and|hi|hello|could you|can you|would you|bitte|por favor|s[’']il te plaît)[,!]?\s+(?:please\s+)?)*"
_THANKS: Final = r"(?:[,.]?\s*(?:please|thanks|thank you|bitte|por favor|merci))?\s*[.!]*"


_STATES: Final = {"hold": "paused", "pause": "paused", "archive": "archived", "resume": "active"}


@dataclass(frozen=True)
class CommandLine:
    """A line that is a command. `rows` are the words that name rows, `value` is what they get.

    `count` is how many changes to undo, `kind` what to start. `start` is where the words of
    `value` begin in the line, for spans.
    """

    verb: Verb
    rows: str = ""
    value: str = ""
    count: int = 0
    kind: str = ""
    is_before: bool = False
    start: int = 0


@cache
def _compiled(language: Language) -> tuple[tuple[Verb, re.Pattern[str]], ...]:
    own = () if language == "en" else _TABLES[language]
    # a title may end with dots and marks; other verbs take none
    return tuple(
        (
            verb,
            re.compile(
                rf"\s*{_POLITE}{pattern}"
                + (r"\s*" if verb in {"add", "append", "note", "find"} else _THANKS),
                re.IGNORECASE,
            ),
        )
        for verb, pattern in (*own, *_ENGLISH)
    )


def command_in(line: str, language: Language = "en") -> CommandLine | None:
    """The command that a line is; None for all else. English verbs work in every language."""
    is_question = line.rstrip().endswith("?")
    for verb, pattern in _compiled(language):
        match = pattern.fullmatch(line.rstrip(" ?") if verb in {"show", "focus", "help"} else line)
        if match is None and is_question and verb == "add":
            continue
        if match is None:
            continue
        told = match.groupdict()
        told |= {name: told[f"{name}2"] for name in ("rows", "kind") if told.get(f"{name}2")}
        if is_question and verb in CHANGES:
            return None  # “delete it?” asks
        number = told.get("n") or ""
        return CommandLine(
            verb,
            rows=(told.get("rows") or "").strip(),
            value=(told.get("value") or "").strip(),
            count=number_of(number) if number else 0,
            kind=_STATES.get(word := " ".join((told.get("kind") or "").lower().split()), word),
            is_before=bool(told.get("before")),
            start=match.start("value") if told.get("value") else 0,
        )
    return None


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


# For completion -------------------------------------------------------------------------------
Slot = Literal["todo", "project", "list", "text", ""]


@dataclass(frozen=True)
class Opening:
    """How a command begins, and what comes next: a to-do, a project, a list, or free text.

    `then` follows the name of the to-do: “move “Call Ana” to”, and then a day where `has_day`.
    """

    words: str
    slot: Slot = ""
    then: str = ""
    has_day: bool = False


_OPENINGS: Final[Mapping[Language, str]] = {
    "en": "add:text, done:todo, move:todo:to:day, rename:todo:to, delete:todo, drop:todo, "
    "block:todo, reopen:todo, priority high:todo, priority low:todo, find:text, show:list, "
    "update:project, audit:project, forecast:project, new project, survey, focus, undo, help",
    "de": "neu:text, erledigt:todo, verschiebe:todo:auf:day, umbenennen:todo:in, lösche:todo, "
    "suche:text, zeige:list, was ist heute dran, rückgängig, hilfe",
    "es": "añadir:text, hecho:todo, mover:todo:a:day, renombrar:todo:a, borrar:todo, "
    "buscar:text, mostrar:list, qué hago hoy, deshacer, ayuda",
    "fr": "ajouter:text, fait:todo, déplacer:todo:à:day, renommer:todo:en, supprimer:todo, "
    "chercher:text, montrer:list, que faire aujourd’hui, annuler, aide",
}
DAYS: Final[Mapping[Language, Sequence[str]]] = {
    "en": ("today", "tomorrow", "Monday", "Friday", "next week"),
    "de": ("heute", "morgen", "Montag", "Freitag", "nächste Woche"),
    "es": ("hoy", "mañana", "lunes", "viernes"),
    "fr": ("aujourd’hui", "demain", "lundi", "vendredi"),
}
LISTS: Final = ("today", "overdue", "this week", "waiting", "inbox", "done")


@cache
def openings(language: Language) -> Sequence[Opening]:
    """The beginnings of commands that are offered while somebody types."""
    rows = [row.strip().split(":") for row in _OPENINGS[language].split(",")]
    padded = [[*row, "", "", ""][:4] for row in rows]
    return [
        Opening(words, slot, then, bool(day))  # type: ignore[arg-type] # the table has only slots
        for words, slot, then, day in padded
    ]
