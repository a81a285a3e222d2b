"""Rules for new tasks: asked for, they are made; only mentioned, they are offered."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _

from projects.concierge.calls import TITLE_CHARS, CreateTask, Priority
from projects.concierge.understanding.hearing import Clause, is_hedged, masked
from projects.concierge.understanding.numbers import each_new
from projects.concierge.understanding.references import (
    Scene,
    is_named_whole,
    project_meant,
    tasks_meant,
    unquoted,
)
from projects.concierge.understanding.said import Said, done
from projects.concierge.understanding.shapes import Pending
from projects.language.quick import QuickTask, parse
from projects.language.todos import starts_with_verb

_KIND: Final = (
    r"(?:tasks?|to-?dos?|todo\s+items?|reminders?|action\s+items?|items?|things?\s+to\s+do)"
)
_LEVELS: Final = r"(?:critical|urgent|high|top|normal|medium|low)"
_MAKE: Final = (
    r"(?:ad+|create|make|put(?:\s+in)?|set\s+up|insert|enter|log|note\s+down"
    r"|jot\s+down|write\s+down|new|start|open|get|have"
    r"|(?:i|we)(?:[’']d\s+like|\s+(?:need|want|would\s+like)))"
)
_LIST: Final = (
    r"(?:(?:my|the|our|a)\s+)?(?:(?:to-?do|task|shopping|grocery)\s+)?(?:list|inbox"
    r"|tasks|to-?dos|todo|agenda|plate)(?:\s+of\s+(?:tasks|to-?dos))?"
)
_EXPLICIT: Final = re.compile(
    rf"^{_MAKE}\s+(?:me\s+)?(?:(?:a|an|another|one(?:\s+more)?|\d+|this|these"
    r"|the(?:\s+following)?|two|three|some|my)\s+)?(?:new\s+|following\s+)?"
    rf"(?:(?P<level>{_LEVELS})(?:[ -]prio(?:rity)?)?\s+)?{_KIND}(?:\s+(?:to|on"
    rf"|in)\s+{_LIST})?(?P<rest>\W.*)?$",
    re.IGNORECASE | re.DOTALL,
)
_TO_LIST: Final = re.compile(
    r"^(?:ad+|put|stick|throw|pop|place|note|write|get"
    r"|have)\s+(?P<what>.+?)\s+(?:down\s+)?(?:to|on|onto|in"
    rf"|into)\s+{_LIST}(?P<rest>(?:[\s,]\s*(?:due|by|for|on|at|with|tomorrow|today"
    r"|next|!|#).*)?)$",
    re.IGNORECASE | re.DOTALL,
)
_ADD: Final = re.compile(
    r"^(?:ad+|create)\s+(?P<what>\S.*?)"
    r"(?P<as>\s+as\s+(?:an?|another|my\s+next)\s+(?:new\s+)?(?:tasks?|to-?do|todo"
    r"|item|reminder))?$",
    re.IGNORECASE | re.DOTALL,
)
_REMIND: Final = re.compile(
    r"^(?:(?:set\s+(?:me\s+)?)?(?:a\s+)?remind(?:er)?(?:\s+me)?(?:\s+for\s+me)?"
    r"|remember|don[’']?t\s+let\s+me\s+forget|make\s+sure\s+(?:that\s+)?i"
    r"|make\s+a\s+note)"
    r"(?P<when>\s+(?:on\s+|in\s+|at\s+|next\s+|tomorrow|today|tonight|by\s+"
    r"|this\s+)[^,]{0,40}?)?,?\s+(?P<joint>to|about|of|that(?:\s+i\s+(?:need"
    r"|have)\s+to)?|i\s+(?:need|have)\s+to|:|(?=not\s+to\b))\s*(?<=[\s:])(?P<what>\S"
    r".*)$",
    re.IGNORECASE | re.DOTALL,
)
_JOT: Final = re.compile(
    r"^(?:(?:jot|note|write|put)\s+(?:it\s+|this\s+)?down"
    r"|make\s+a\s+note)(?:\s*[:,]|\s+that)?\s+(?:(?:i|we)(?:[’']ve)?\s+(?:have\s+to"
    r"|need\s+to|got\s+to|must|should)\s+|to\s+)?(?P<what>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_LABEL: Final = re.compile(
    r"^(?:(?:new\s+)?(?:task|to-?do)|todo|reminder|action\s+item"
    r"|next\s+action)\s*(?P<mark>[:–—-])?\s+(?P<what>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NEED: Final = re.compile(
    r"^(?P<when>(?:today|tomorrow|tonight|(?:next|this|on|by)\s+\w+),?\s+)?"
    r"(?:(?:i|we)(?:\s+(?:still|also|then|really|just|probably|definitely|actually"
    r"|guess\s+i|think\s+i))*\s+(?:need\s+to|have\s+to|must|should|ought\s+to|gotta"
    r"|got\s+to|will\s+have\s+to)"
    r"|(?:i|we)[’'](?:ve|ll)\s+(?:got\s+to|have\s+to|need\s+to)|(?:i"
    r"|we)\s+(?:must\s+not|mustn[’']t|shouldn[’']t)\s+forget\s+to"
    r"|don[’']?t\s+forget\s+to|someone\s+(?:should|has\s+to)"
    r"|it[’']?s\s+time\s+to|time\s+to|(?:i|we)\s+(?:want|plan|hope|intend)\s+to"
    r"|(?:i|we)(?:[’']m|\s+am|[’']re|\s+are)\s+(?:going|planning)\s+to|gotta"
    r"|need\s+to|have\s+to)\s+"
    r"(?:really\s+|also\s+|still\s+|soon\s+)?(?P<what>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_ADD_THEM: Final = re.compile(
    r"^(?:(?:can|could)\s+you\s+)?(?:add|put|note|make|create)\s+(?:both|them|it"
    r"|these|those|that|all)(?:\s+(?:both|all|down|of\s+them))?(?:\s+(?:to|on"
    rf"|as)\s+(?:{_LIST}|tasks?|a\s+task|two\s+tasks))?$",
    re.IGNORECASE,
)
_NOTES: Final = re.compile(
    r"[,;.]?\s*\(?\b(?:with\s+)?(?:the\s+)?notes?\s*(?::|that\s+says"
    r"|saying)\s*(?P<notes>\S.*?)\)?$",
    re.IGNORECASE | re.DOTALL,
)
_INTO: Final = re.compile(
    r"\s+(?:to|in|into|for|under|on|of)\s+(?:the\s+|my\s+|our\s+)?(?=\S)", re.IGNORECASE
)
_QUOTED_FIRST: Final = re.compile(
    r"^(?:[\"“](?P<text>[^\"“”\n]+)[\"”]|[‘'](?P<single>\S[^‘’'\n]*)[’'](?!\w))(?P<r"
    r"est>[\s,;:].*)$",
    re.DOTALL,
)
_SOME_TIME: Final = re.compile(
    r"\s*,?\s+(?:some\s*time|some\s*day|soon(?:ish)?|eventually|at\s+some\s+point"
    r"|one\s+of\s+these\s+days|asap)$",
    re.IGNORECASE,
)
_MORE_VERBS: Final = frozenset(
    """renew water ring text wash mow fetch feed return refill wrap charge pack bake iron hoover
    vacuum dust drop exchange collect walk cash claim top thank congratulate invite remind
    chase confirm
    rearrange shred scan sew mend service swap hang put take give tell change check clear close
    cut do eat empty extend follow go look lock mail make oil pump read relax return say see
    sit sleep stop swim talk tie turn unpack use wait wake watch wear weigh wipe work get
    have""".split()
)
_SEPARATE: Final = re.compile(
    r"\s*(?:,\s*(?:and\s+)?|;\s*|\s+and\s+(?:to\s+)?|\n+)\s*", re.IGNORECASE
)


def asked(scene: Scene, clause: Clause) -> Said | None:
    """“add …”, “create a task to …”, “remind me to …”, “todo: …”."""
    said = clause.text
    if re.match(
        r"^(?:ad+|put|make|append)\s+.*?\b(?:notes?\s+(?:of|to|for|on)"
        r"|due\s+date\s+(?:of|to|for))\b",
        clause.masked,
        re.IGNORECASE,
    ):
        return None
    found = _EXPLICIT.match(said)
    if found:
        rest = (found["rest"] or "").strip()
        if _is_empty(rest):
            return _what_task()
        is_many = bool(
            re.search(
                r"\b(?:tasks|to-?dos|reminders|items)\b", said[: found.start("rest")], re.IGNORECASE
            )
        )
        return _made(rest, scene, level=found["level"] or "", is_many=is_many)
    for pattern in (_TO_LIST, _REMIND):
        found = pattern.match(said)
        if found and not (
            pattern is _REMIND and found["joint"] == "of" and len(found["what"].split()) < 1
        ):
            after = found.groupdict().get("rest") or found.groupdict().get("when") or ""
            what = found["what"]
            return _made(what, scene, after=after)
    found = _JOT.match(said)
    if found:
        return _made(found["what"], scene)
    found = _LABEL.match(said)
    if found and (
        found["mark"]
        or starts_with_verb(found["what"])
        or said.lower().startswith(("new", "todo", "to-do"))
    ):
        return _made(found["what"], scene)
    found = _ADD.match(said)
    if found and re.match(r"^create\b", said, re.IGNORECASE) and not found["as"]:
        return None
    if found and not re.match(r"^(?:up|it|that|them|this|to\s)\b", found["what"], re.IGNORECASE):
        return _made(found["what"], scene)
    return None


def marked(scene: Scene, clause: Clause) -> Said | None:
    """“order gloves Tuesday 3pm #lab !high”: the marks of quick add make a wish of it."""
    if clause.is_question or not re.search(r"(?:^|\s)(?:#[^\W\d]|!\w|!!)", clause.masked):
        return None
    task = _parsed(clause.text, scene)
    if task.project is None and not any(one.kind == "priority" for one in task.spans):
        return None
    return _call(task)


def needed(scene: Scene, clause: Clause) -> Said | None:
    """“I should call the dentist”: a mention, so an offer."""
    found = _NEED.match(clause.text)
    if found is None or clause.is_question:
        return None
    what = _SOME_TIME.sub("", found["what"])
    if not acts(what) and len(what.split()) < 2:
        return None
    known = tasks_meant(what, scene)
    if len(known.rows) == 1 and not known.is_pronoun:
        reply = _("“%(title)s” is on your list.") % {"title": known.rows[0].title}
        return Said("small_talk", reply=reply, named=known.rows)
    if (
        known.is_pronoun
        or is_hedged(what)
        or re.match(r"^(?:be|have|know|go\s+now|say|think|admit)\b", what, re.IGNORECASE)
    ):
        return None
    return offered(f"{what} {(found['when'] or '').strip(' ,')}".strip(), scene)


def imperative(scene: Scene, clause: Clause) -> Said | None:
    """“call mum”: perhaps a task, so an offer."""
    if clause.is_question or clause.is_negated or not starts_with_verb(clause.text):
        return None
    if len(clause.text.split()) < 2 or len(clause.text) > TITLE_CHARS:
        return None
    return offered(clause.text, scene)


def wants_those(clause: Clause) -> bool:
    """“add both please”, after what is needed was told."""
    return bool(_ADD_THEM.match(clause.text))


def offered(what: str, scene: Scene) -> Said:
    """A new task, if the person says yes."""
    said = _made(what, scene)
    titles = ", ".join(f"“{one.title}”" for one in said.calls if isinstance(one, CreateTask))
    if not titles:
        return said
    question = _("Shall I add %(titles)s to your tasks?") % {"titles": titles}
    return Said("offer", question=question, pending=Pending(kind="offer", calls=list(said.calls)))


def _is_empty(rest: str) -> bool:
    return not re.search(r"\w", rest) or bool(
        re.fullmatch(r"\W*(?:for\s+me|please|to\s+my\s+list|here)?\W*", rest, re.IGNORECASE)
    )


def _what_task() -> Said:
    pending = Pending(kind="fill", calls=[CreateTask(title="?")], slot="words")
    return Said("question", question=_("What is the task?"), pending=pending)


def _made(
    words: str,
    scene: Scene,
    *,
    level: str = "",
    after: str = "",
    is_many: bool = False,
) -> Said:
    """The new task (or tasks) that words describe."""
    words, notes = _without_notes(words.strip())
    words, project = _without_project(words, scene)
    words = re.sub(
        r"^(?:\s*[:,–—-]\s*|(?:called|named|titled|saying|that\s+says|which\s+says|about)\s+)+",
        "",
        words,
        flags=re.IGNORECASE,
    ).strip()
    words = re.sub(
        r"^(?:to|for\s+me\s+to|that\s+i\s+(?:need|have)\s+to|for(?=\s+\w+ing\b))\s+",
        "",
        words,
        flags=re.IGNORECASE,
    )
    words = re.sub(r"^an?\s+(?=\w{2})", "", words, flags=re.IGNORECASE)
    if project is None:
        words, project = _without_project(words, scene)
    if _is_empty(words) or re.fullmatch(r"\W*(?:an?|the|\d+|some|more)\W*", words, re.IGNORECASE):
        return _what_task()
    pieces = _pieces(words, is_many=is_many)
    said = [
        _call(
            _parsed(one, scene, after),
            level=level,
            notes=notes,
            project=project,
        )
        for one in pieces
    ]
    asking = next((one for one in said if one.question), None)
    if asking and len(said) == 1:
        return asking
    replies = " ".join(one.reply for one in said if one.reply)
    return done(*(call for one in said for call in one.calls), reply=replies)


def _pieces(words: str, *, is_many: bool) -> list[str]:
    """One text for each task: “call Ben and book a room” are two, “milk and eggs” is one."""
    if masked(words) != words and unquoted(words) != words:
        return [words]
    if is_many and (counted := each_new(words)):
        return counted
    cuts = list(_SEPARATE.finditer(masked(words)))
    parts, place = [], 0
    for cut in cuts:
        following = words[cut.end() :]
        has_two = len(words[place : cut.start()].split()) > 1 and len(following.split()) > 1
        if is_many or (has_two and acts(following) and acts(words[place:])):
            parts.append(words[place : cut.start()])
            place = cut.end()
    parts.append(words[place:])
    return [one.strip() for one in parts if re.search(r"\w", one)]


def _without_notes(words: str) -> tuple[str, str]:
    found = _NOTES.search(words)
    return (
        (words[: found.start()], found["notes"].strip()) if found and found.start() else (words, "")
    )


def _without_project(words: str, scene: Scene) -> tuple[str, str | None]:
    """A project named with “to the … project” or by its whole name, at the end or the beginning."""
    veil = masked(words)
    for joint in reversed(list(_INTO.finditer(" " + veil))):
        start, begin = max(joint.start() - 1, 0), joint.end() - 1
        tail = words[begin:]
        project = _project(tail, scene)
        if project:
            return words[:start].strip(), project
        ahead = re.match(
            r"(?P<name>[^:,]{2,60}?)(?:\s+project)?\s*(?:[:,]|\s(?=to\s))\s*(?P<what>\S.*)", tail
        )
        if ahead and start == 0:
            project = _project(ahead["name"], scene) or _project(ahead["name"] + " project", scene)
            if project:
                return ahead["what"].strip(), project
    return words, None


def _project(words: str, scene: Scene) -> str | None:
    found = project_meant(words, scene)
    if len(found.rows) != 1 or found.is_pronoun:
        return None
    is_called = bool(re.search(r"\bproject\b", words, re.IGNORECASE)) and len(words.split()) < 8
    is_whole = (
        is_named_whole(words, found.rows[0])
        and len(words.split()) <= len(found.rows[0].name.split()) + 1
    )
    return str(found.rows[0].id) if is_called or is_whole else None


def _parsed(words: str, scene: Scene, after: str = "") -> QuickTask:
    """Words as a new task; what is quoted is its title as it stands."""
    text = unquoted(words)
    led = _QUOTED_FIRST.match(words.strip())
    if text == words.strip() and led:
        text, after = led["text"] or led["single"], f"{led['rest']} {after}"
    if text != words.strip():
        read = _read(f"x y {after}", scene)
        rest = read.title[3:].strip()
        return replace(read, title=f"{text} {rest}".strip())
    return _read(f"{words} {after}".strip(), scene)


def _read(words: str, scene: Scene) -> QuickTask:
    return parse(
        words, now=scene.now, projects=[(one.id, one.name) for one in scene.known.projects]
    )


def _call(task: QuickTask, *, level: str = "", notes: str = "", project: str | None = None) -> Said:
    title = _titled(task.title)
    if not title:
        return _what_task()
    if len(title) > TITLE_CHARS:
        return Said(
            "question", question=_("That is long for a title. What shall the task be called?")
        )
    unclear = [one for one in task.unclear if task.due is None or "past" in one]
    chosen: dict[str, Priority] = {"urgent": "critical", "top": "critical", "medium": "normal"}
    known: dict[str, Priority] = {
        "critical": "critical",
        "high": "high",
        "normal": "normal",
        "low": "low",
    }
    priority = task.priority or chosen.get(level.lower()) or known.get(level.lower())
    call = CreateTask(
        title=title, priority=priority, notes=notes or None, due=task.due, due_time=task.due_time,
        start=task.start, project=project or (str(task.project) if task.project else None),
    )  # fmt: skip
    return done(call, reply=" ".join(unclear or task.unclear))


def _titled(title: str) -> str:
    """A title without the quotation marks around it, with a capital."""
    plain = re.sub(r"^to\s+", "", unquoted(title.strip(" ,;")), flags=re.IGNORECASE).strip(" ,;")
    first = plain.split(maxsplit=1)[0] if plain else ""
    return plain[:1].upper() + plain[1:] if first.islower() else plain


def acts(words: str) -> bool:
    """Whether words begin like something to do."""
    first = re.match(r"\W*(?:to\s+)?(\w+)", words)
    return starts_with_verb(words) or (first is not None and first[1].lower() in _MORE_VERBS)
