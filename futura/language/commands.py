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
from typing import Final, Literal, cast

from futura.language.calendar_words import Language
from futura.language.marks import PRIORITY_WORDS
from futura.language.row_words import WORDS, number_of

Verb = Literal[
    "add", "done", "reopen", "drop", "block", "move", "undate", "rename", "priority", "delete",
    "find", "show", "undo", "start", "focus", "help",
]  # fmt: skip
CHANGES: Final = frozenset("done reopen drop block move undate rename priority delete".split())
"""Verbs that change rows which the line names."""
_PRIORITY: Final = r"(?P<value>critical|urgent|high|normal|medium|low)(?:\s+priority)?"
_ALONE: Final = ("today", "overdue", "week", "blocked", "inbox")
_TODO: Final = r"(?:task|to-?do|reminder|item)s?"
_LIST: Final = r"(?:\s+(?:to|on|in)\s+(?:my|the)\s+(?:to-?do\s+)?(?:list|inbox|to-?dos|tasks))?"

# the first pattern that fits a whole line wins; `rows` names rows, `value` is what they get
_ENGLISH: Final[tuple[tuple[str, str], ...]] = (
    ("help", r"(?:help|\?|what can (?:you|i) do(?: here)?|(?:list|show)(?: me)?(?: the)? commands)"),
    ("undo", r"(?:undo|take back|revert)(?:\s+(?:it|that|this|(?:the\s+|my\s+)?last\s+(?:(?P<n>\w+)\s+)?changes?))?"),
    ("undo", r"(?:undo|take back|revert)\s+(?P<value>.+)"),
    ("focus", r"(?:focus|what\s+(?:should|shall|do)\s+i\s+(?:focus\s+on|do|start\s+with)(?:\s+(?:first|next|now))?(?:\s+today)?|what\s+is\s+next|what[’']s\s+next)"),
    ("start", r"(?:(?:start|open|begin|run)\s+)?(?:an?\s+|the\s+)?(?P<kind>audit|forecast|update|survey)(?:\s+(?:of|for|on)?\s*(?P<rows>.+))?"),
    ("start", r"(?:(?:start|open|begin|create)\s+)?(?:a\s+)?(?P<kind>new\s+project|project|portfolio(?:\s+entry)?)(?:\s+(?:for|about|on)\s+(?P<rows>.+))?"),
    ("start", r"(?:add|make|create|start)\s+(?:a\s+)?(?P<kind>portfolio\s+entry)(?:\s+(?:for|about|on)\s+(?P<rows>.+))?"),
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
_GERMAN: Final[tuple[tuple[str, str], ...]] = (
    ("help", r"(?:hilfe|\?|was kannst du(?: tun)?|was kann ich (?:hier )?tun)"),
    ("undo", r"(?:(?:mache?\s+)?(?:das|es|die\s+letzte\s+änderung)\s+)?(?:rückgängig|zurücknehmen)(?:\s+machen)?"),
    ("undo", r"(?:(?:rückgängig|zurücknehmen)\s+|mache?\s+)?(?:die\s+)?letzten\s+(?P<n>\w+)\s+änderungen(?:\s+rückgängig)?"),
    ("focus", r"was\s+(?:ist\s+(?:heute\s+)?dran|(?:soll|kann)\s+ich\s+(?:(?:heute|jetzt|zuerst)\s+)*(?:tun|machen))"),
    ("start:audit", r"(?:(?:starte|erstelle|mache)\s+)?(?:einen\s+|den\s+)?prüfbericht(?:\s+(?:zum?|für|von)?\s*(?P<rows>.+))?"),
    ("start:forecast", r"(?:(?:starte|erstelle|mache)\s+)?(?:eine\s+|die\s+)?prognose(?:\s+(?:zum?|für|von)?\s*(?P<rows>.+))?"),
    ("start:update", r"(?:aktualisiere|(?:(?:starte|erstelle)\s+)?(?:eine\s+)?aktualisierung(?:\s+(?:zum?|für|von))?)(?:\s+(?P<rows>.+))?"),
    ("start:survey", r"(?:(?:starte|beginne)\s+)?(?:eine\s+|die\s+)?(?:neue\s+)?befragung(?:\s+zu\s+meiner\s+arbeit)?"),
    ("start:project", r"(?:(?:starte|beginne|erstelle|plane)\s+)?(?:ein\s+)?(?:neues\s+)?projekt(?:\s+(?:für|über|zu)\s+(?P<rows>.+))?"),
    ("start:portfolio", r"(?:(?:starte|beginne|erstelle)\s+)?(?:(?:ein|einen|neuer|neuen)\s+)*portfolio(?:-?eintrag)?(?:\s+(?:für|über|zu)\s+(?P<rows>.+))?"),
    ("add", r"(?P<verb>neu:?|hinzufügen:?(?!\s+(?:(?:zu|zum|zur|in)\s|(?:eine\s+)?notiz\b[^:]*:))|(?:neue\s+)?aufgabe:?|(?:neues\s+)?to-?do:|erinnere\s+mich\s+(?:an|daran,?))\s+(?P<value>.+)"),
    ("reopen", r"(?:wieder\s+öffnen\s*:?\s+(?P<rows>.+)|markiere?\s+(?P<rows2>.+?)\s+als\s+(?:offen|nicht\s+erledigt|unerledigt))"),
    ("done", r"(?:erledigt?|erledige|fertig|abhaken|abschließen)\s*:?\s+(?P<rows>.+)"),
    ("done", r"(?:markiere?\s+(?P<rows>.+?)\s+als\s+(?:erledigt|fertig)|hake\s+(?P<rows2>.+?)\s+ab)"),
    ("done", r"(?!(?:wenn|falls|sobald|bis|nachdem|bevor|was|wer|welche[rs]?|ist|sind)\b)(?P<rows>.+?)\s+(?:ist|sind)\s+(?:erledigt|fertig|abgeschlossen)"),
    ("drop", r"(?:verwerfe|verwirf|verwerfen|streiche)\s*:?\s+(?P<rows>.+)"),
    ("block", r"(?:blockiere|blockieren)\s*:?\s+(?P<rows>.+)"),
    ("block", r"(?!(?:wenn|falls|sobald|bis|nachdem|bevor|was|wer|welche[rs]?|ist|sind)\b)(?P<rows>.+?)\s+(?:ist|sind)\s+blockiert"),
    ("rename", r"(?:umbenennen|benenne)\s*:?\s+(?P<rows>.+?)\s+(?:um\s+)?in\s+(?P<value>.+?)(?:\s+um)?"),
    ("move", r"(?:verschiebe|verschieben|verlege|verlegen)\s*:?\s+(?P<rows>.+?)\s+(?:auf|bis)\s+(?P<value>.+)"),
    ("undate", r"(?:entferne|lösche)\s+das\s+(?:fälligkeits)?datum\s+(?:von|bei)\s+(?P<rows>.+)"),
    ("priority", r"(?:setze|stelle|ändere)\s+(?:(?:die\s+)?priorität\s+(?:von|für)\s+)?(?P<rows>.+?)\s+auf\s+{PRIORITY}(?:\s+priorität)?"),
    ("priority", r"priorität\s+{PRIORITY}\s*:?\s+(?P<rows>.+)"),
    ("delete", r"(?:lösche|löschen|entferne|entfernen)\s*:?\s+(?P<rows>.+)"),
    ("find", r"(?:finde|suche|suchen)\s+(?:nach\s+)?(?P<value>.+)"),
    ("show", r"(?:zeige?|liste)(?:\s+mir)?(?:\s+(?P<value>.+?))?(?:\s+(?:an|auf))?"),
    ("show", r"(?:was|welche\s+(?:to-?dos|aufgaben))\s+(?:ist|sind|steht|liegt)\s+(?P<value>(?:{LIST})(?:\s+(?:fällig|an))?)"),
    ("show", r"(?P<value>{BARE})"),
)  # fmt: skip
_SPANISH: Final[tuple[tuple[str, str], ...]] = (
    ("help", r"(?:ayuda|\?|qué puedes? hacer|qué puedo hacer(?: aquí)?)"),
    ("undo", r"(?:deshacer|deshaz)(?:\s+(?:eso|esto|el\s+último\s+cambio|(?:los\s+)?últimos\s+(?P<n>\w+)\s+cambios))?"),
    ("focus", r"(?:qué|en\s+qué)\s+(?:hago|debo\s+hacer|me\s+(?:centro|concentro))(?:\s+(?:hoy|ahora|primero))*"),
    ("start:audit", r"(?:auditar?|(?:(?:hacer|haz|iniciar)\s+)?(?:una\s+)?auditoría(?:\s+(?:de|para))?)(?:\s+(?P<rows>.+))?"),
    ("start:forecast", r"(?:pronosticar?|(?:(?:hacer|haz|iniciar)\s+)?(?:un\s+)?pronóstico(?:\s+(?:de|para))?)(?:\s+(?P<rows>.+))?"),
    ("start:update", r"(?:actualizar?|(?:una\s+)?actualización(?:\s+(?:de|para))?)(?:\s+(?P<rows>.+))?"),
    ("start:survey", r"(?:(?:iniciar|empezar|abrir)\s+)?(?:una?\s+|la\s+)?(?:nueva\s+)?encuesta(?:\s+sobre\s+mi\s+trabajo)?"),
    ("start:project", r"(?:(?:iniciar|empezar|crear|planificar)\s+)?(?:un\s+)?(?:nuevo\s+)?proyecto(?:\s+nuevo)?(?:\s+(?:para|sobre)\s+(?P<rows>.+))?"),
    ("start:portfolio", r"(?:(?:iniciar|empezar|crear|nueva)\s+)?(?:(?:un|una)\s+)?(?:portafolio|portfolio|entrada\s+(?:de|del)\s+portafolio)(?:\s+(?:para|sobre)\s+(?P<rows>.+))?"),
    ("add", r"(?P<verb>(?:añadir:?|añade:?)(?!\s+(?:(?:a|al|en)\s|(?:una\s+)?nota\b[^:]*:))|nueva\s+tarea:?|nuevo\s+pendiente:?|tarea:|pendiente:|recuérdame)\s+(?P<value>.+)"),
    ("reopen", r"(?:(?:reabrir|reabre|desbloquear?)\s+(?P<rows>.+)|marcar?\s+(?P<rows2>.+?)\s+como\s+(?:abiert[oa]|pendiente|no\s+hech[oa]))"),
    ("done", r"(?:(?:hecho|completar?|terminar?)\s*:?\s+(?P<rows>.+)|marcar?\s+(?P<rows2>.+?)\s+como\s+(?:hech|completad|terminad)[oa]s?)"),
    ("done", r"(?!(?:si|cuando|hasta|después|antes|qué|quién|cuál|está)\b)(?P<rows>.+?)\s+est(?:á|án)\s+(?:hech|completad|terminad|list)[oa]s?"),
    ("drop", r"(?:descartar?|abandonar?)\s+(?P<rows>.+)"),
    ("block", r"bloquear?\s+(?P<rows>.+)"),
    ("block", r"(?!(?:si|cuando|hasta|después|antes|qué|quién|cuál|está)\b)(?P<rows>.+?)\s+est(?:á|án)\s+bloquead[oa]s?"),
    ("rename", r"(?:renombrar?|cambia\s+el\s+nombre\s+de)\s+(?P<rows>.+?)\s+(?:a|como)\s+(?P<value>.+)"),
    ("move", r"(?:mover|mueve|aplazar?|pasar?|posponer|pospón)\s+(?P<rows>.+?)\s+(?:al?|para(?:\s+el)?|hasta(?:\s+el)?)\s+(?P<value>.+)"),
    ("undate", r"(?:quitar?|borrar?|elimina)\s+la\s+fecha\s+de\s+(?P<rows>.+)"),
    ("priority", r"(?:cambiar?|poner|pon)\s+(?:la\s+prioridad\s+de\s+)?(?P<rows>.+?)\s+(?:a|con|en|de)\s+(?:prioridad\s+)?{PRIORITY}"),
    ("priority", r"prioridad\s+{PRIORITY}\s*:?\s+(?P<rows>.+)"),
    ("delete", r"(?:borrar?|eliminar?)\s+(?P<rows>.+)"),
    ("find", r"(?:buscar?|encontrar|encuentra)\s+(?P<value>.+)"),
    ("show", r"(?:mostrar|muestra|muéstrame|lista|listar)(?:\s+(?P<value>.+))?"),
    ("show", r"(?:qué\s+(?:vence|hay|está|tengo)|cuáles\s+están)\s+(?P<value>(?:para\s+|en\s+)?(?:mi\s+)?(?:{LIST}))"),
    ("show", r"(?P<value>{BARE})"),
)  # fmt: skip
_FRENCH: Final[tuple[tuple[str, str], ...]] = (
    ("help", r"(?:aide|\?|que (?:peux-tu|pouvez-vous|puis-je) faire(?: ici)?)"),
    ("undo", r"annule[rz]?(?:\s+(?:cela|ça|la\s+dernière\s+modification|les\s+(?P<n>\w+)\s+derni(?:ers|ères)\s+(?:changements|modifications)))?"),
    ("focus", r"(?:que\s+faire|que\s+dois-je\s+faire|sur\s+quoi\s+me\s+concentrer)(?:\s+(?:aujourd[’']hui|maintenant|d[’']abord|en\s+premier))*"),
    ("start:audit", r"(?:(?:faire|fais|lancer|démarrer)\s+)?(?:un\s+|l[’'])?audit(?:\s+(?:de|du|pour)?\s*(?P<rows>.+))?"),
    ("start:forecast", r"(?:(?:faire|fais|lancer|démarrer)\s+)?(?:une\s+|la\s+)?prévision(?:\s+(?:de|du|pour)?\s*(?P<rows>.+))?"),
    ("start:update", r"(?:(?:mettre|mets|mettez)\s+à\s+jour|(?:une\s+)?mise\s+à\s+jour(?:\s+(?:de|du|pour))?|actualiser)(?:\s+(?P<rows>.+))?"),
    ("start:survey", r"(?:(?:commencer|démarrer|lancer)\s+)?(?:une\s+|l[’'])?(?:nouvelle\s+)?enquête(?:\s+sur\s+mon\s+travail)?"),
    ("start:project", r"(?:(?:commencer|démarrer|créer|planifier)\s+)?(?:un\s+)?(?:nouveau\s+)?projet(?:\s+(?:pour|sur)\s+(?P<rows>.+))?"),
    ("start:portfolio", r"(?:(?:commencer|démarrer|créer|nouvelle)\s+)?(?:(?:un|une)\s+)?(?:entrée\s+(?:de|du)\s+)?portfolio(?:\s+(?:pour|sur)\s+(?P<rows>.+))?"),
    ("add", r"(?P<verb>(?:ajouter\s*:?|ajoute\s*:?)(?!\s+(?:(?:à|au|aux|dans)\s|(?:une\s+)?note\b[^:]*:))|nouvelle\s+tâche\s*:?|tâche\s*:|rappelle-moi\s+(?:de|d[’'](?=\S)))\s*(?<=[\s:’'])(?P<value>.+)"),
    ("reopen", r"(?:(?:rouvrir|rouvre|débloque[rz]?)\s+(?P<rows>.+)|marque[rz]?\s+(?P<rows2>.+?)\s+comme\s+(?:ouverte?|non\s+(?:terminée?|faite?)))"),
    ("done", r"(?:(?:fait|termine[rz]?|achever?|coche[rz]?)\s*:?\s+(?P<rows>.+)|marque[rz]?\s+(?P<rows2>.+?)\s+comme\s+(?:faite?|terminée?|finie?)s?)"),
    ("done", r"(?!(?:si|quand|lorsque|jusqu|après|avant|que|qui|quelle?s?|est)\b)(?P<rows>.+?)\s+(?:est|sont)\s+(?:faite?|terminée?|finie?)s?"),
    ("drop", r"abandonne[rz]?\s+(?P<rows>.+)"),
    ("block", r"bloque[rz]?\s+(?P<rows>.+)"),
    ("block", r"(?!(?:si|quand|lorsque|jusqu|après|avant|que|qui|quelle?s?|est)\b)(?P<rows>.+?)\s+(?:est|sont)\s+bloquée?s?"),
    ("rename", r"renomme[rz]?\s+(?P<rows>.+?)\s+en\s+(?P<value>.+)"),
    ("move", r"(?:déplace[rz]?|reporte[rz]?|décale[rz]?)\s+(?P<rows>.+?)\s+(?:à|au)\s+(?P<value>.+)"),
    ("undate", r"(?:enlève|enlever|retire[rz]?|supprime[rz]?)\s+(?:la\s+date|l[’']échéance)\s+de\s+(?P<rows>.+)"),
    ("priority", r"(?:change[rz]?|met(?:tre|s|tez))\s+(?:la\s+priorité\s+de\s+)?(?P<rows>.+?)\s+(?:à|en)\s+(?:priorité\s+)?{PRIORITY}"),
    ("priority", r"priorité\s+{PRIORITY}\s*:?\s+(?P<rows>.+)"),
    ("delete", r"supprime[rz]?\s+(?P<rows>.+)"),
    ("find", r"(?:cherche[rz]?|trouve[rz]?)\s+(?P<value>.+)"),
    ("show", r"(?:montre[rz]?|montre-moi|liste[rz]?|affiche[rz]?)(?:\s+(?P<value>.+))?"),
    ("show", r"(?:qu[’']ai-je\s+à\s+faire|qu[’']est-ce\s+qui\s+est(?:\s+dû)?|quelles\s+tâches\s+sont|qu[’']y\s+a-t-il)\s+(?P<value>(?:dans\s+)?(?:ma\s+)?(?:{LIST}))"),
    ("show", r"(?P<value>{BARE})"),
)  # fmt: skip
_TABLES: Final[Mapping[Language, tuple[tuple[str, str], ...]]] = {
    "en": _ENGLISH, "de": _GERMAN, "es": _SPANISH, "fr": _FRENCH,
}  # fmt: skip
_POLITE: Final = r"(?:(?:please|ok|okay|now|and|hi|hello|could you|can you|would you|bitte|hallo|por favor|hola|s[’']il (?:te|vous) plaît|bonjour)[,!]?\s+(?:please\s+)?)*"
_THANKS: Final = r"(?:[,.]?\s*(?:please|thanks|thank you|bitte|danke|por favor|gracias|merci|s[’']il (?:te|vous) plaît))?\s*[.!]*"


@dataclass(frozen=True)
class CommandLine:
    """A line that is a command. `rows` are the words that name rows, `value` is what they get.

    `count` is how many changes to undo, `kind` what to start. `start` is where the words of
    `value` begin in the line, for spans, `rows_start` where those of `rows` do.
    """

    verb: Verb
    rows: str = ""
    value: str = ""
    count: int = 0
    kind: str = ""
    start: int = 0
    rows_start: int = 0


@cache
def _compiled(language: Language) -> tuple[tuple[str, re.Pattern[str]], ...]:
    own = () if language == "en" else _TABLES[language]
    own_lists = WORDS[language].lists
    pieces = {
        "{PRIORITY}": rf"(?P<value>{PRIORITY_WORDS})",
        "{LIST}": "|".join(own_lists[name] for name in (*_ALONE, "tomorrow", "completed")),
        "{BARE}": "|".join(own_lists[name] for name in _ALONE),
    }
    # a title may end with dots and marks; other verbs take none
    return tuple(
        (
            verb,
            re.compile(
                rf"\s*¿?\s*{_POLITE}"
                + re.sub(r"\{[A-Z]+\}", lambda mark: pieces[mark[0]], pattern)
                + (r"\s*" if verb in {"add", "find"} else _THANKS),
                re.IGNORECASE,
            ),
        )
        for verb, pattern in (*own, *_ENGLISH)
    )


def command_in(line: str, language: Language = "en") -> CommandLine | None:
    """The command that a line is; None for all else. English verbs work in every language."""
    is_question = line.rstrip().endswith("?")
    for name, pattern in _compiled(language):
        verb, _colon, kind = name.partition(":")
        asks = verb in {"show", "focus", "help"} and line.strip() != "?"
        match = pattern.fullmatch(line.rstrip(" \u00a0\u202f?") if asks else line)
        if match is None and is_question and verb == "add":
            continue
        if match is None:
            continue
        slots = match.groupdict()
        named = "rows2" if slots.get("rows2") else "rows"
        rows = (slots.get(named) or "").strip()
        if is_question and verb in CHANGES:
            return None  # “delete it?” asks
        number = slots.get("n") or ""
        return CommandLine(
            cast("Verb", verb),
            rows=rows,
            value=(slots.get("value") or "").strip(),
            count=number_of(number) if number else 0,
            kind=kind or " ".join((slots.get("kind") or "").lower().split()),
            start=match.start("value") if slots.get("value") else 0,
            rows_start=line.index(rows, match.start(named)) if rows else 0,
        )
    return None


# For completion -------------------------------------------------------------------------------
Slot = Literal["todo", "project", "list", "text", ""]


@dataclass(frozen=True)
class Opening:
    """How a command begins, and what comes next: a to-do, a project, a list, or free text.

    `then` follows the name of the to-do: “move “Call Ana” to”.
    """

    words: str
    slot: Slot = ""
    then: str = ""


_OPENINGS: Final[Mapping[Language, str]] = {
    "en": "add:text, done:todo, move:todo:to, rename:todo:to, delete:todo, drop:todo, "
    "block:todo, reopen:todo, priority high:todo, priority low:todo, find:text, show:list, "
    "update:project, audit:project, forecast:project, new project, survey, focus, undo, help",
    "de": "neu:text, erledigt:todo, verschiebe:todo:auf, umbenennen:todo:in, lösche:todo, "
    "verwerfe:todo, blockiere:todo, wieder öffnen:todo, priorität hoch:todo, "
    "priorität niedrig:todo, suche:text, zeige:list, aktualisiere:project, prüfbericht:project, "
    "prognose:project, neues projekt, befragung, was ist heute dran, rückgängig, hilfe",
    "es": "añadir:text, hecho:todo, mover:todo:a, renombrar:todo:a, borrar:todo, "
    "descartar:todo, bloquear:todo, reabrir:todo, prioridad alta:todo, prioridad baja:todo, "
    "buscar:text, mostrar:list, actualizar:project, auditar:project, pronosticar:project, "
    "nuevo proyecto, encuesta, qué hago hoy, deshacer, ayuda",
    "fr": "ajouter:text, fait:todo, déplacer:todo:à, renommer:todo:en, supprimer:todo, "
    "abandonner:todo, bloquer:todo, rouvrir:todo, priorité haute:todo, priorité basse:todo, "
    "chercher:text, montrer:list, mettre à jour:project, audit:project, prévision:project, "
    "nouveau projet, enquête, que faire aujourd’hui, annuler, aide",
}


@cache
def openings(language: Language) -> Sequence[Opening]:
    """The beginnings of commands that are offered while somebody types."""
    rows = [row.strip().split(":") for row in _OPENINGS[language].split(",")]
    return [Opening(*row) for row in rows]  # type: ignore[arg-type] # the table has only slots
