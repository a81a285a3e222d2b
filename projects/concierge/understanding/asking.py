"""Rules for what only looks: lists, counts, projects, today's focus, help, small talk; and undo."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from projects.concierge.calls import Due, FindProjects, ListTasks
from projects.concierge.understanding.changing import PRIORITIES
from projects.concierge.understanding.hearing import Clause
from projects.concierge.understanding.references import Scene, project_meant, stems_of, unquoted
from projects.concierge.understanding.said import Said, done

_FOCUS: Final = re.compile(
    r"\bwhat\s+(?:should|shall|must|do|can|would|could|to)\b(?:\s+(?:i|we"
    r"|you))?(?:\s+\w+){0,3}?\s*\b(?:focus|do|work|start|tackle|begin|prioriti[sz]e"
    r"|pick|recommend|suggest)\b(?!\s+(?:if|about|with\s+(?!now))).{0,30}$"
    r"|\bwhere\s+(?:should|do|shall)\s+(?:i|we)\s+(?:start|begin)\b|^what(?:[’']s"
    r"|\s+is|\s+are)\s+(?:my\s+|the\s+)?(?:most\s+)?(?:important|urgent|priorit(?:y"
    r"|ies)|top|next|focus|the\s+plan)\b.{0,30}$"
    r"|^what\s*(?:now|next)\b.{0,10}$|^(?:help\s+(?:me\s+)?)?(?:to\s+)?(?:plan"
    r"|organi[sz]e|prioriti[sz]e|structure)\s+(?:my|the|our)\s+(?:day|today|morning"
    r"|afternoon|week|tasks|work|to-?dos)\b.{0,20}$"
    r"|^(?:my\s+)?(?:focus|priorities)(?:\s+(?:for\s+)?today)?$"
    r"|^what\s+needs\s+my\s+attention\b.{0,20}$|^which\s+(?:task\s+)?(?:should|do"
    r"|shall)\s+i\s+(?:do|start|work|tackle|begin)\b.{0,30}$",
    re.IGNORECASE,
)
_HELP: Final = re.compile(
    r"^(?:help|help\s+me|commands?|\?+|what\s+(?:else\s+)?(?:can|could|do)\s+(?:you"
    r"|i)\s+(?:do|say|ask|help\s+with|type)\b.{0,30}|how\s+(?:can|do)\s+(?:i\s+use"
    r"|you\s+work|this\s+work)\b.{0,30}"
    r"|how\s+does\s+this\s+work|what\s+are\s+you(?:\s+(?:able|capable)\b.{0,30})?"
    r"|who\s+are\s+you|what\s+is\s+this|what\s+can\s+i\s+(?:ask|say|do)\b.{0,30}"
    r"|how\s+do\s+i\s+(?:add|delete|complete|create|move|undo)\b.{0,40})$",
    re.IGNORECASE,
)
_GREET: Final = re.compile(
    r"^(?:(?:hi|hiya|hello|hey|yo|greetings|good\s+(?:morning|afternoon|evening)"
    r"|morning)(?:\s+(?:there|futura|again|everyone))?"
    r"|(?:give\s+me\s+|show\s+me\s+|any\s+|some\s+|make\s+)?(?:some\s+|a\s+few\s+"
    r"|five\s+|5\s+)?suggestions?(?:\s+for\s+(?:today|me|now))?"
    r"|suggest\s+(?:some\s*thing|.{0,40}help.{0,40})"
    r"|how\s+can\s+you\s+help(?:\s+me)?(?:\s+(?:today|now))?"
    r"|(?:help\s+me\s+)?get\s+(?:me\s+)?started|\[auto_greet\])$",
    re.IGNORECASE,
)
_THANKS: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|great|perfect|cool|nice|awesome|super|lovely|wonderful"
    r"|brilliant|good|alright)[\s,!.]*)*(?:(?:many\s+)?thanks?(?:\s+(?:you|a\s+lot"
    r"|so\s+much|very\s+much|again))*|thank\s+you(?:\s+(?:so|very)\s+much)?|thx|ty"
    r"|cheers|ta)\b[\s,!.]*"
    r"(?:(?:a\s+lot|so\s+much|very\s+much)[\s,!.]*)?(?:(?:that[’']?s|that\s+is"
    r"|that\s+was)\s+(?:all|it|everything|great|perfect|helpful)(?:\s+for\s+(?:now"
    r"|today))?|bye|you[’']re\s+the\s+best|for\s+(?:your|the|that"
    r"|everything)\b.{0,20})?[\s,!.🙏🙂😀👍❤️]*$"
    r"|^(?:that[’']?s|that\s+is)\s+(?:all|it)(?:\s+for\s+(?:now|today))?[\s!.]*$|^(?:👍|🙏|❤️)+$",
    re.IGNORECASE,
)
_CHAT: Final = re.compile(
    r"^(?:(?:bye|goodbye|good\s+night|see\s+you(?:\s+\w+)?"
    r"|talk\s+(?:to\s+you\s+)?later|ok(?:ay)?|great|cool|nice|perfect|awesome|good"
    r"|fine|got\s+it|i\s+see|wow|lol|haha+|right|alright|well\s+done|good\s+job"
    r"|no\s+worries)[\s,!.]*)+$"
    r"|^how\s+are\s+you\b.{0,20}$|^how(?:[’']s|\s+is)\s+it\s+going\b.{0,10}$",
    re.IGNORECASE,
)
_SHOW: Final = re.compile(
    r"^(?:show|list|display|see|view|give|tell|get|open|read|print|check|find"
    r"|search|look\s+(?:for|up)|filter|go\s+through|run\s+through)\b",
    re.IGNORECASE,
)
_ASKS_LIST: Final = re.compile(
    r"^(?:what|which|how\s+many|is|are|do\s+i|have\s+i|did\s+i|any|anything|where|when|has|does)\b",
    re.IGNORECASE,
)
_TASK_WORDS: Final = re.compile(
    r"\b(?:tasks?|to-?dos?|todo|list|inbox|overdue|late|due|blocked|scheduled"
    r"|available|dropped|completed|upcoming|backlog|agenda"
    r"|on\s+(?:for\s+)?(?:my\s+plate|today|tomorrow)|everything)\b",
    re.IGNORECASE,
)
_DUES: Final[tuple[tuple[str, Due], ...]] = (
    (r"\b(?:overdue|late|past\s+due|missed|behind\s+on)\b", "overdue"),
    (r"\b(?:due\s+|for\s+|on\s+(?:for\s+)?)*today(?:[’']s)?\b|\bon\s+my\s+plate\b", "today"),
    (r"\b(?:due\s+|for\s+|on\s+(?:for\s+)?)*tomorrow(?:[’']s)?\b", "tomorrow"),
    ((r"\b(?:due\s+|for\s+)*(?:this|the\s+(?:next|coming)|the)?\s*week(?:[’']s)?\b"
     r"|\bupcoming\b|\bcoming\s+up\b|\bnext\s+(?:seven|7)\s+days\b|\bdue\s+soon\b"), "week"),
    ((r"\b(?:with(?:out|\s+no)|that\s+have\s+no"
     r"|lacking)\s+(?:a\s+)?(?:due\s+)?(?:date|deadline)s?\b|\bundated\b"), "none"),
    (r"\b(?:due\s+)?later\b", "later"),
)  # fmt: skip
_STATUS: Final = (
    (r"\b(?:in\s+(?:the|my)\s+)?(?:inbox|backlog)\b", "inbox"),
    (r"\bblocked\b|\bwaiting\b|\bstuck\b|\bon\s+hold\b", "blocked"),
    (r"\bscheduled\b", "scheduled"),
    (r"\bavailable\b", "available"),
    (
        r"\b(?:completed|finished|done|closed)\b|\bdid\s+i\s+(?:complete|finish|do|get\s+done)\b",
        "completed",
    ),
    (r"\b(?:dropped|cancelled|canceled|abandoned)\b", "dropped"),
    (r"\b(?:all(?:\s+of)?\s+(?:my|the)\s+tasks|everything)\b", "all"),
)
_PRIORITY: Final = re.compile(
    r"\b(?:most\s+)?(?P<level>critical|urgent|high|important|normal|medium"
    r"|low)(?:[ -]prio(?:rity)?)?\b",
    re.IGNORECASE,
)
_FILLER: Final = re.compile(
    r"\b(?:please|show|list|display|see|view|give|tell|get|open|read|print|check"
    r"|find|search|look|up|filter|go|run|through|me|us|what|what[’']s|which|how"
    r"|many|much|is|are|was|were|do|does|did|have|has|had"
    r"|i|we|my|our|the|a|an|any|anything|there|that|tasks?|to-?dos?|todo|lists?"
    r"|items?|things?|currently|right|now|still|left|open|active|on|in|of|for|with"
    r"|about|all|and|to|due|date|dates|priority|status|marked|as|got|be|can|you"
    r"|plate|agenda|yet|already|so|far|overview|s|ones?|mine|where|when|or|named"
    r"|called|containing|contain|mention|mentioning|related|regarding|by|everything"
    r"|also)\b",
    re.IGNORECASE,
)
_QUERY: Final = re.compile(
    r"\b(?:about|mention(?:ing|s)?|contain(?:ing|s)?|with\s+the\s+words?"
    r"|related\s+to|regarding|called|named|matching|for)\s+(?P<query>\S.*)$",
    re.IGNORECASE,
)
_SEARCH: Final = re.compile(
    r"^(?:find|search(?:\s+for)?|look\s+(?:for|up))\s+(?:me\s+)?(?P<query>\S.*)$", re.IGNORECASE
)
_PROJECTS: Final = re.compile(
    r"\bprojects\b|^(?:find|search(?:\s+for)?|look\s+(?:for|up)"
    r"|show(?:\s+me)?)\s+(?:the\s+|my\s+|a\s+)?project\b",
    re.IGNORECASE,
)
_PROJECT_QUERY: Final = re.compile(
    r"\bprojects?\s+(?:about|called|named|with|on|for|like|related\s+to"
    r"|mentioning)\s+(?P<query>\S.*)$",
    re.IGNORECASE,
)
_IN_PROJECT: Final = re.compile(
    r"\b(?:in|of|for|under|from|on)\s+(?:the\s+|my\s+|our\s+)?(?P<project>\S.*)$", re.IGNORECASE
)


def chatted(_scene: Scene, clause: Clause) -> Said | None:
    """Greetings, thanks, help and the day's focus."""
    text = clause.text
    if _GREET.match(text):
        return Said("greet")
    if _THANKS.match(text):
        return Said("thanks", reply=_("You are welcome."))
    if re.match(r"what\s+(?:else\s+)?can\s+you\s+do\b", text, re.IGNORECASE):
        return Said("help", reply=helped())
    if _FOCUS.search(text) and not re.search(
        r"\bhappen|\bif\b|priority\s+of\b", text, re.IGNORECASE
    ):
        return Said("focus")
    if _HELP.match(text):
        return Said("help", reply=helped())
    if _CHAT.match(text):
        return Said("small_talk", reply=_("All right. Tell me what to add, change or look for."))
    return None


def helped() -> str:
    """What can be said to the rules."""
    return _(
        "I keep your tasks and projects. You can say, for example:\n\n"
        "- “Add call the printer Friday 3pm #launch !high”\n"
        "- “Mark the metrics task done”, “Rename … to …”, “Make … critical”, “Block …”\n"
        "- “Move … to next Tuesday”, “Take the due date off …”\n"
        "- “What should I focus on today?”, “What is overdue?”, “Find tasks about launch”\n"
        "- “Add a note to the … project: …”, “Which projects do I have?”\n"
        "- “Start a new project about …”, “Update …”, “Audit …”, “Forecast …”, “Start a survey”\n"
        "- “Rename the project … to …”, “Put the … project on hold”\n"
        "- “Delete …” waits for your review; “Undo”, “Undo the one before that” and “Undo the "
        "change of …” take changes back."
    )


def looked(scene: Scene, clause: Clause) -> Said | None:
    """Lists and counts of tasks or projects."""
    text = clause.text
    if re.search(r"\b(?:if|unless|would|happens?|maybe|perhaps)\b", clause.masked, re.IGNORECASE):
        return None
    is_wish = bool(_SHOW.match(text)) or bool(
        re.match(
            r"^(?:(?:all\s+)?my\s+)?(?:\w+\s+)?(?:tasks|to-?dos|projects|inbox|list)$",
            text,
            re.IGNORECASE,
        )
    )
    if not (is_wish or _ASKS_LIST.match(text)):
        return None
    if _PROJECTS.search(text) and not re.search(r"\btasks?\b|\bto-?dos?\b", text, re.IGNORECASE):
        found = _PROJECT_QUERY.search(text)
        return done(FindProjects(query=unquoted(found["query"])[:200] if found else None))
    if (
        is_wish
        and re.match(r"^(?:give|tell|open|get|read|check|run|go)\b", text, re.IGNORECASE)
        and not _TASK_WORDS.search(text)
    ):
        return None
    return _tasks(text, scene, is_wish=is_wish)


def _tasks(text: str, scene: Scene, *, is_wish: bool) -> Said | None:
    left, project = text, None
    inside = _IN_PROJECT.search(text)
    if inside:
        found = project_meant(inside["project"], scene)
        is_called = bool(re.search(r"\bproject\b", inside["project"], re.IGNORECASE))
        is_close = bool(found.rows) and stems_of(inside["project"]) <= stems_of(found.rows[0].name)
        if len(found.rows) == 1 and not found.is_pronoun and (is_called or is_close):
            project, left = str(found.rows[0].id), left[: inside.start()]
    query = ""
    asked = _QUERY.search(left) if not inside or project is None else None
    searched = _SEARCH.match(text)
    left, due = _taken(left, _DUES)
    left, status = _taken(left, _STATUS)
    ranked = _PRIORITY.search(left)
    if ranked:
        left = left[: ranked.start()] + left[ranked.end() :]
    rest = " ".join(_FILLER.sub(" ", re.sub(r"[^\w\s’'-]", " ", left)).split())
    if rest:
        named = asked or searched
        query = _query(named["query"] if named and not (due or status) else rest)
    is_about_tasks = bool(_TASK_WORDS.search(text) or project or searched or ranked or status)
    if not is_about_tasks and not _is_known(rest, scene):
        return None
    if not is_wish and query and not _is_known(query, scene) and not _TASK_WORDS.search(text):
        return None
    is_state = not is_wish and query and status == "completed"
    shown = "all" if is_state or (query and status is None and not is_wish) else status
    asked_for = {
        "status": shown, "query": query[:200] or None, "project": project, "due": due,
        "priority": PRIORITIES[ranked["level"].lower()] if ranked else None,
    }  # fmt: skip
    return done(ListTasks.model_validate(asked_for))


def _taken(text: str, table: Sequence[tuple[str, str]]) -> tuple[str, str | None]:
    for pattern, value in table:
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            return text[: found.start()] + " " + text[found.end() :], value
    return text, None


def _query(words: str) -> str:
    plain = unquoted(words.strip(" .?!"))
    kept = re.sub(
        r"^(?:the\s+|my\s+|a\s+)?(?:tasks?|to-?dos?|items?|things?|all"
        r"|everything)?\s*(?:about|with|for|called|named|containing|mentioning"
        r"|related\s+to|regarding)?\s+(?:the\s+|my\s+)?",
        "",
        " " + plain,
        count=1,
        flags=re.IGNORECASE,
    )
    return kept.strip() or plain


def _is_known(words: str, scene: Scene) -> bool:
    """Whether words speak of one of the person's tasks."""
    wanted = stems_of(words)
    return (
        any(
            len(wanted & stems_of(one.title)) >= max(1, (len(wanted) + 1) // 2)
            for one in scene.known.tasks
        )
        if wanted
        else False
    )
