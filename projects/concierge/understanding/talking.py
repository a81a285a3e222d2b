"""Rules for other conversations: about a project, a new one, a survey, a portfolio entry."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

from projects.concierge.calls import StartConversation, Talk
from projects.concierge.understanding.changing import holds
from projects.concierge.understanding.hearing import Clause
from projects.concierge.understanding.references import Scene, project_meant, tasks_meant
from projects.concierge.understanding.said import Said, about_project, done

_NEW: Final = re.compile(
    r"^(?:start|create|begin|set\s+up|make|open|plan|launch|add|new|draft"
    r"|kick\s+off)\s+(?:on\s+)?(?:a\s+|an\s+|another\s+"
    r"|my\s+)?(?:brand[ -])?(?:new\s+)?project\b"
    r"(?:\s*(?:,|:|–|-|about|for|on|to|called|named|where|that|in\s+which"
    r"|around)\s*(?P<says>\S.*))?$|^(?:new|create|start"
    r"|begin)(?:\s+a)?(?:\s+new)?\s+project\s*:?\s*(?P<more>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SURVEY: Final = re.compile(
    r"^(?:(?:start|do|take|run|begin|open|make|have|fill\s+(?:in|out)|continue"
    r"|resume)\s+)?(?:a|an|the|my|another|new)?\s*(?:new\s+)?(?:work\s+|task\s+"
    r"|job\s+)?survey(?:\s+(?:of|about|on|for)\s+(?:my|our)\s+(?:work|job|tasks"
    r"|role))?$"
    r"|^(?:map|survey|go\s+through|write\s+down"
    r"|analy[sz]e)\s+(?:out\s+)?(?:what\s+i\s+do|my\s+(?:work|job"
    r"|role)(?:\s+tasks)?)(?:\s+at\s+work|\s+all\s+day)?$",
    re.IGNORECASE,
)
_MY: Final = r"(?:my|our|the|a)\s+(?:public\s+|online\s+)?portfolio(?:\s+page)?"
_IN_PORTFOLIO: Final = re.compile(
    rf"^(?:put|add|bring|get|show|place|include|feature|move|write)\s+(?P<project>\S.*?)"
    rf"\s+(?:up\s+)?(?:in|into|to|on|onto)\s+{_MY}$"
    rf"|^(?:turn|make)\s+(?P<turned>\S.*?)\s+(?:into|to)\s+(?:a|an)\s+(?:new\s+)?portfolio"
    r"\s+(?:entry|piece|case(?:\s+study)?)$"
    r"|^(?:write|make|create|start|begin|draft|add|new)\s+(?:a|an|another|me\s+a)?\s*(?:new\s+)?"
    r"(?:portfolio\s+(?:entry|piece|case\s+study)|(?:entry|case\s+study)\s+(?:in|for|on)\s+"
    rf"{_MY})(?:\s*(?:,|:|–|-|about|for|on|of|from|out\s+of)\s*(?P<about>\S.*))?$"
    rf"|^tell\s+(?:the\s+story\s+of\s+|about\s+)?(?P<told>\S.*?)\s+(?:in|on)\s+{_MY}$",
    re.IGNORECASE | re.DOTALL,
)
_ANYTHING: Final = re.compile(
    r"^(?:something(?:\s+new)?|a\s+(?:new\s+)?(?:project|piece(?:\s+of\s+work)?|thing)|(?:a|an)\s+"
    r"(?:new\s+)?(?:entry|case\s+study)|new\s+work|work)$",
    re.IGNORECASE,
)
_WORDED: Final[tuple[tuple[str, Talk, bool], ...]] = (
    (
        (
            r"^(?:start|run|do|make|begin|open|have|get|give\s+me|create|show\s+me)\s+(?:a"
            r"|an|the|another|new)?\s*(?:new\s+)?(?:project\s+)?(?:audit"
            r"|health\s+check)(?:\s+(?:of|for|on)\s+(?P<project>\S.*))?$"
        ),
        "project_audit",
        True,
    ),
    (r"^audit\s+(?P<project>\S.*)$", "project_audit", True),
    (
        (
            r"^(?:review|check|examine|assess)\s+(?P<project>(?:\S+\s+){0,6}project"
            r"|the\s+project\s+\S.*)$"
        ),
        "project_audit",
        False,
    ),
    (
        (
            r"^(?:start|run|do|make|begin|open|have|get|give\s+me|create|show\s+me)\s+(?:a"
            r"|an|the|another|new)?\s*(?:new\s+)?(?:project\s+)?forecast(?:\s+(?:of|for|on"
            r"|about)\s+(?P<project>\S.*))?$"
        ),
        "project_forecast",
        True,
    ),
    (r"^(?:forecast|predict)\s+(?P<project>\S.*)$", "project_forecast", True),
    (
        (
            r"^(?:start|begin|open|make|do|give)\s+(?:a|an"
            r"|the)?\s*(?:project\s+)?update(?:\s+(?:of|for|on|about"
            r"|to)\s+(?P<project>\S.*))?$"
        ),
        "project_update",
        True,
    ),
    (
        r"^(?:update|edit|change|revise)\s+(?P<project>\S.*?)(?:\s*:\s*(?P<says>\S.*))?$",
        "project_update",
        False,
    ),
    (
        r"^(?:talk|speak|chat)\s+about\s+(?P<project>(?:\S+\s+){0,6}project)$",
        "project_update",
        False,
    ),
)
_PLAIN: Final = [(re.compile(one, re.IGNORECASE), kind, is_sure) for one, kind, is_sure in _WORDED]
_VERBS: Final[dict[Talk, str]] = {
    "project_audit": "audit", "project_forecast": "forecast", "project_update": "update",
}  # fmt: skip
_WHEN_DONE: Final = re.compile(
    r"^(?:when\s+will|how\s+likely\s+is|will)\s+(?P<project>\S.*?)\s+(?:be\s+(?:done"
    r"|finished|ready|complete)|finish|to\s+(?:finish|be))\b.*$",
    re.IGNORECASE,
)


def talked(scene: Scene, clause: Clause) -> Said | None:
    """“audit X”, “start a new project about …”, “update the … project”."""
    if not holds(clause):
        return None
    found = _NEW.match(clause.text)
    if found:
        says = (found["says"] or found["more"] or "").strip()
        return done(StartConversation(kind="project_create", says=says or None))
    if _SURVEY.match(clause.text):
        return done(StartConversation(kind="survey"))
    found = _IN_PORTFOLIO.match(clause.text)
    if found:
        return _entry(found, scene)
    for pattern, kind, is_sure in _PLAIN:
        found = pattern.match(clause.text)
        said = _about(found, kind, scene, is_sure=is_sure) if found else None
        if said is not None:
            return said
    return None


def _entry(found: re.Match[str], scene: Scene) -> Said | None:
    """“Put the shed into my portfolio”: about a project where one is meant, else a new entry."""
    given = found.groupdict()
    words = given["project"] or given["turned"] or given["told"] or ""
    about = given["about"] or ""
    if (not words and not about) or _ANYTHING.match(words):
        return done(StartConversation(kind="portfolio_builder"))
    project = project_meant(words or about, scene)
    if project.rows:
        return about_project(words or about, scene, _as_entry, verb=_("put into your portfolio"))
    if about:  # told rather than named
        return done(StartConversation(kind="portfolio_builder", says=about))
    if re.search(r"\bproject\b", words, re.IGNORECASE) or project.is_pronoun:
        return about_project(words, scene, _as_entry, verb=_("put into your portfolio"))
    # something else that they made; a task is no piece of work
    told = None if tasks_meant(words, scene).rows else words
    return done(StartConversation(kind="portfolio_builder", says=told)) if told else None


def _as_entry(project_id: str) -> list[StartConversation]:
    return [StartConversation(kind="portfolio_builder", project=project_id)]


def _about(found: re.Match[str], kind: Talk, scene: Scene, *, is_sure: bool) -> Said | None:
    words = found["project"] or ""
    says = found.groupdict().get("says")
    if not words:
        return _whichever(kind, scene)
    project = project_meant(words, scene)
    is_called = bool(re.search(r"\bproject\b", words, re.IGNORECASE))
    if not is_sure and not is_called:
        if len(project.rows) != 1 or project.is_pronoun:
            return None
        if tasks_meant(words, scene).rows:
            question = _(
                "What should change? You can say “rename … to …” or “update the %(name)s project”."
            )
            return Said("question", question=question % {"name": project.rows[0].name})
    if project.is_pronoun and not project.rows and not is_called:
        return _whichever(kind, scene)

    def make(one: str) -> list[StartConversation]:
        return [StartConversation(kind=kind, project=one, says=says)]

    return about_project(words, scene, make, verb=_(_VERBS[kind]))


def _whichever(kind: Talk, scene: Scene) -> Said:
    """Without a name: the only project there is, or the question which."""
    active = [one for one in scene.known.projects if one.status == "active"]
    if len(active) == 1:
        return done(StartConversation(kind=kind, project=str(active[0].id)))
    return about_project(
        " ", scene, lambda one: [StartConversation(kind=kind, project=one)], verb=_(_VERBS[kind])
    )


def foreseen(scene: Scene, clause: Clause) -> Said | None:
    """“When will the kitchen be done?”: a forecast to tap; a question starts nothing by itself."""
    found = _WHEN_DONE.match(clause.text)
    project = project_meant(found["project"], scene) if found else None
    if project is None or len(project.rows) != 1 or project.is_pronoun:
        return None
    name = project.rows[0].name
    question = _("A forecast can say that. Shall I start one for “%(name)s”?") % {"name": name}
    return Said(
        "question",
        question=question,
        did_you_mean=(_("Run a forecast for “%(name)s”") % {"name": name},),
    )
