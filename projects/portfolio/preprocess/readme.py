"""A README by rules: name, first sentence, features, technologies, links; nothing invented."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from django.utils.text import slugify

from projects.portfolio import vocabulary
from projects.portfolio.corpus import ContextType, Dates, ProjectContext, ProjectDoc
from projects.portfolio.intake import periods
from projects.portfolio.preprocess.markdown import Link, Part, parts_of
from projects.portfolio.preprocess.repositories import RepoConfig
from projects.portfolio.preprocess.sentences import sentences_of

ONE_LINER_CHARS: Final = 300
DESCRIPTION_CHARS: Final = 4_000
BULLETS: Final = 12
TAGS: Final = 12
# what tells how to run it, not what it is
_HOW_TO: Final = re.compile(
    r"install|setup|set up|getting started|quick ?start|usage|run(?:ning)?\b|build|develop|contribut|"
    r"licen[cs]e|changelog|roadmap|todo|table of contents|contents|faq|acknowledg|credits|author|"
    r"contact|support|deploy|configur|environment|prerequisite|requirement|test|docs|documentation|"
    r"badges?|screenshots?|references|citation|troubleshoot|commands|folder|structure",
    re.IGNORECASE,
)
_FEATURES: Final = re.compile(
    r"feature|highlight|what it does|what i did|overview|key|results?|outcome|impact|my role|"
    r"goals|about|process|approach|contributions?|findings|deliverables|includes",
    re.IGNORECASE,
)
_STACK: Final = re.compile(
    r"tech|stack|built with|tools|technolog|dependencies|languages?|architecture|methods?|materials|software",
    re.IGNORECASE,
)
_IMPACT: Final = re.compile(
    r"\b(?:reduc|increas|improv|cut|sav|grew|grow|doubl|tripl|halv|won|award|adopt|"
    r"used by|serv(?:es|ed|ing)|faster|fewer|downloads|stars|raised|reached|published in|cited)\w*",
    re.IGNORECASE,
)
_FIGURE: Final = re.compile(
    r"\d|\b(?:half|twice|dozens|hundreds|thousands|millions?)\b", re.IGNORECASE
)
# “40 studios”, “2 million paying customers”; neither years nor measures
_SCOPE: Final = re.compile(
    r"(?<![\w.,-])(?!(?:19|20)\d\d\b)\d[\d,.]*\s*(?:k|m|million|thousand|\+)?\s+(?:[a-z-]+\s+){0,2}?"
    r"(?!(?:\w*seconds|minutes|hours|times|ms|pixels|bits|bytes|degrees|points|hours|was|is|has)\b)"
    r"(?:[a-z]{2,}s|people|children)\b",
    re.IGNORECASE,
)
_TIMEFRAME: Final = re.compile(
    r"^(?:timeframe|timeline|dates?|period|when|duration|years?)\s*[:–-]\s*(.+)$", re.IGNORECASE
)
_ROLE: Final = re.compile(r"^(?:my\s+)?role\s*[:–-]\s*(.+)$", re.IGNORECASE)
_CLIENT: Final = re.compile(
    r"^(?:client|company|organi[sz]ation|employer|institution|university|lab|commissioned by|for)\s*[:–-]\s*(.+)$",
    re.IGNORECASE,
)
_LIVE: Final = re.compile(
    r"\b(?:demo|live|website|site|try it|app|homepage|see it|production|visit)\b", re.IGNORECASE
)
_NOT_LIVE: Final = re.compile(
    r"github\.com|gitlab|shields\.io|badge|npmjs|pypi\.org|crates\.io|/blob/|travis|codecov|license|opensource\.org|choosealicense|localhost|127\.0\.0\.1",
    re.IGNORECASE,
)
_BADGE: Final = re.compile(r"^(?:!?\[.*?\]\(.*?\)\s*)+$")


def project_by_rules(readme: str, repo: RepoConfig, page: str | None) -> ProjectDoc:
    """What a README says of a project."""
    parts = parts_of(readme)
    name = repo.display_name or _name(parts) or repo.project_id
    told = _told(parts)
    prose = [one for part in told for one in part.paragraphs if len(one.split()) > 3]
    intro = next(
        (one for part in told for one in (*part.quotes, *part.paragraphs) if len(one.split()) > 2),
        "",
    )
    facts = [one for part in told for one in (*part.items, *part.paragraphs)]
    terms = vocabulary.terms_in(_searched(parts, name))
    sentences = [one for paragraph in facts for one in _sentences(paragraph)]
    return ProjectDoc(
        id=repo.project_id,
        slug=slugify(repo.project_id)[:120] or "project",
        name=name[:200],
        one_liner=_first_sentence(intro),
        description=_cut("\n\n".join(dict.fromkeys([intro, *prose] if intro else prose))),
        impact_summary=_joined(
            one for one in sentences if _IMPACT.search(one) and _FIGURE.search(one)
        ),
        size_or_scope=_joined(one for one in sentences if _SCOPE.search(one)),
        tech_stack=[one.name for one in terms if one.category in {"framework", "tool"}],
        languages=[one.name for one in terms if one.category == "language"],
        tags=[one.name for one in terms if one.category == "domain"][:TAGS],
        context=_context(parts, facts, [line for part in parts for line in part.lines]),
        bullets=_bullets(told),
        github_url=page,
        live_url=_live(parts),
    )


def _name(parts: Sequence[Part]) -> str:
    top = next((one for one in parts if one.level == 1 and one.heading), None)
    return re.split(r"\s+[–—:|-]\s+", top.heading)[0].strip() if top else ""


def _told(parts: Sequence[Part]) -> list[Part]:
    """The parts that say what it is."""
    return [one for one in parts if not (one.level > 1 and _HOW_TO.search(one.heading))]


def _searched(parts: Sequence[Part], name: str) -> str:
    """What technologies are looked for in: all but how it is run and licensed, the stack first."""
    stack = [one for one in parts if _STACK.search(one.heading)]
    rest = [one for one in _told(parts) if one not in stack]
    lines = [name]
    for part in (*stack, *rest):
        lines += [part.heading, *part.paragraphs, *part.items, *part.quotes]
    return "\n".join(lines)


def _sentences(text: str) -> list[str]:
    return [one.text for one in sentences_of(text)]


def _first_sentence(text: str) -> str:
    first = next(iter(_sentences(text)), text)
    return (
        first
        if len(first) <= ONE_LINER_CHARS
        else first[: ONE_LINER_CHARS - 1].rsplit(" ", 1)[0] + "…"
    )


def _cut(text: str) -> str:
    return text if len(text) <= DESCRIPTION_CHARS else text[:DESCRIPTION_CHARS].rsplit("\n\n", 1)[0]


def _joined(sentences: Iterable[str]) -> str | None:
    found = list(dict.fromkeys(sentences))[:3]
    return " ".join(found) or None


def _bullets(parts: Sequence[Part]) -> list[str]:
    """Points of the parts on features first, then of the others that are no lists of tools."""
    wanted = [one for one in parts if _FEATURES.search(one.heading)]
    others = [one for one in parts if one not in wanted and not _STACK.search(one.heading)]
    points = (item for part in (*wanted, *others) for item in part.items if len(item.split()) > 2)
    return list(dict.fromkeys(points))[:BULLETS]


def _context(parts: Sequence[Part], facts: Sequence[str], lines: Sequence[str]) -> ProjectContext:
    """Only what a line says outright: “Client: …”, “Role: …”, “Timeframe: …”."""
    client = _after(_CLIENT, lines)
    role = _after(_ROLE, lines)
    when = _after(_TIMEFRAME, lines)
    span = periods.find_span(when) or periods.find_month(when) if when else None
    dates = Dates(start=span.start or None, end=span.end or None) if span else None
    return ProjectContext(
        type=_type(parts, facts, client),
        organization=client or None,
        role=role or None,
        timeframe=dates,
    )


def _after(pattern: re.Pattern[str], lines: Sequence[str]) -> str:
    match = next(filter(None, map(pattern.match, lines)), None)
    return match[1].strip(" .")[:200] if match else ""


def _type(parts: Sequence[Part], facts: Sequence[str], client: str) -> ContextType:
    text = "\n".join(facts).casefold()
    if re.search(r"\b(?:thesis|coursework|course project|dissertation|university|phd|lab)\b", text):
        return "academic"
    if client or re.search(
        r"\b(?:our (?:company|customers|clients)|at work|commissioned|for a client|internal tool)\b",
        text,
    ):
        return "work"
    if re.search(r"\bside project|personal project|for fun|hobby|my own\b", text):
        return "personal"
    if (
        any(re.search(r"contribut", one.heading, re.IGNORECASE) for one in parts)
        or "open source" in text
    ):
        return "oss"
    return "other"


def _live(parts: Sequence[Part]) -> str | None:
    links: list[Link] = [one for part in parts for one in part.links]
    for one in links:
        is_web = one.url.startswith(("https://", "http://")) and not _NOT_LIVE.search(one.url)
        if is_web and _LIVE.search(f"{one.text} {one.context[:60]}"):
            return one.url[:500]
    return None
