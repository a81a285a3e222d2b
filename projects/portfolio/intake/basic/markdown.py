"""READMEs, pages and profiles as Markdown without a model: as their headings and labels say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from futura.text import sentences
from projects.portfolio import vocabulary
from projects.portfolio.contact import find_contacts
from projects.portfolio.intake.basic.sections import WORDS
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.models import Portfolio
from projects.portfolio.schema.fields import exchanges_in, platform_of

SUMMARY_CHARS: Final = 300
DESCRIPTION_CHARS: Final = 4_000
BULLETS: Final = 12
TAGS: Final = 12
TOP_SKILLS: Final = 20
HEADLINE_WORDS: Final = 14
FIELDS: Final = ("full_name", "headline", "location", "current_role")
STYLE: Final = ("Speak in the first person.", "Plain and friendly, as in their own words.")
_KINDS: Final = {"individual": "a person", "team": "a team", "organization": "an organisation"}
_MARKDOWN: Final = MarkdownIt("commonmark")
_FRONT: Final = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG: Final = re.compile(r"</?[a-zA-Z][^>\n]*>")
_POINT: Final = re.compile(r"^(\s*)•\s+", re.MULTILINE)
_LABEL: Final = re.compile(r"^(\w[\w ]{1,23}?)(?:\s*:|\s+[–—])\s*(\S.*)$")
_WEB: Final = re.compile(r"https?://[^\s,;|)>\]]+")


@dataclass(frozen=True)
class Link:
    """A link by its words."""

    text: str
    url: str


@dataclass
class Part:
    """A heading (level 0 above the first) and what stands below it, up to the next.

    `lines` are those of paragraphs and items as they were broken in the source.
    """

    heading: str = ""
    level: int = 0
    paragraphs: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def take(self, text: str, links: Sequence[Link] = (), *, is_item: bool) -> None:
        """A paragraph or an item with its links."""
        self.links += [link for link in links if link.text]
        if lines := [line for line in map(_normalized, text.splitlines()) if line]:
            self.lines += lines
            (self.items if is_item else self.paragraphs).append(" ".join(lines))


# Markdown ----------------------------------------------------------------------------------------
def parts_of(text: str) -> list[Part]:
    """The parts of a document in order; code, pictures and tags are left out."""
    body = _COMMENT.sub("", _FRONT.sub("", text.replace("\x00", "")))
    parts = [Part()]
    depth, is_heading = 0, False
    for token in _MARKDOWN.parse(_POINT.sub(r"\1- ", body)):
        if token.type in {"list_item_open", "list_item_close"}:
            depth += token.nesting
        elif token.type in {"heading_open", "heading_close"}:
            is_heading = token.nesting == 1
            parts += [Part(level=int(token.tag[1]))] if is_heading else []
        elif token.type == "html_block":
            parts[-1].take(_TAG.sub("", token.content), is_item=False)
        elif token.type == "inline":
            words, links = _inline(token.children or ())
            if is_heading:
                parts[-1].heading = _normalized(words)
            else:
                parts[-1].take(words, links, is_item=depth > 0)
    return parts


def _inline(tokens: Sequence[Token]) -> tuple[str, list[Link]]:
    words, start, url = "", 0, ""
    links: list[Link] = []
    for token in tokens:
        if token.type in {"text", "code_inline"}:
            words += token.content
        elif token.type in {"softbreak", "hardbreak"}:
            words += "\n"
        elif token.type == "link_open":
            start, url = len(words), str(token.attrs.get("href", ""))
        elif token.type == "link_close":
            links.append(Link(_normalized(words[start:]), url))
    return words, links


def _normalized(line: str) -> str:
    return " ".join(line.split()).strip(" |·•–—")


def _distinct(items: Iterable[str], most: int) -> list[str]:
    return list(dict.fromkeys(items))[:most]


# Entries -----------------------------------------------------------------------------------------
def entry_draft(text: str) -> Draft:
    """What a README says of a project; how it is installed and run is left out. It has no id."""
    parts = [part for part in parts_of(text) if part.level < 2 or not _is(part.heading, "how_to")]
    top = next((part.heading for part in parts if part.level == 1 and part.heading), "")
    title = re.split(r"\s+[–—:|-]\s+", top)[0].strip()[:200]
    paragraphs = dict.fromkeys(words for part in parts for words in part.paragraphs)
    prose = [words for words in paragraphs if len(words.split()) > 2]
    points = (words for part in parts for words in part.items if len(words.split()) > 2)
    lines = (line for part in parts for line in part.lines)
    links = (link for part in parts for link in part.links if link.url.startswith("http"))
    terms = vocabulary.terms_in("\n".join([title, *prose, *lines]))
    first = next((sentence.text for sentence in sentences(prose[0])), "") if prose else ""
    opening = first if len(first) <= SUMMARY_CHARS else ""  # whole in the summary, above the rest
    values = {
        "title": title,
        "summary": first[:SUMMARY_CHARS],
        "description": "\n\n".join(prose).removeprefix(opening).strip()[:DESCRIPTION_CHARS],
        "bullets": _distinct(points, BULLETS),
        "tech_stack": [term.name for term in terms if term.category in {"framework", "tool"}],
        "languages": [term.name for term in terms if term.category == "language"],
        "tags": [term.name for term in terms if term.category == "domain"][:TAGS],
        "live_url": next((link.url for link in links if _is(link.text, "live")), ""),
    }
    return Draft("entry", 0, len(text), values, [] if prose else ["description"])


def _is(words: str, name: str) -> bool:
    """Whether one of the words, or all of them, are on a list for READMEs."""
    lowered = words.casefold()
    return not WORDS["readme"][name].isdisjoint({lowered, *re.findall(r"[a-z]+", lowered)})


# Profiles ----------------------------------------------------------------------------------------
def profile_draft(text: str) -> Draft:
    """What a profile says, where its labels and headings say what it is; the first label counts."""
    parts = parts_of(text)
    lines = (line for part in parts for line in part.lines)
    labelled = dict(reversed([*filter(None, map(_field, lines))]))
    about = [
        words
        for words in dict.fromkeys(
            words for part in parts if not _kind(part.heading) for words in part.paragraphs
        )
        if not _field(words) and not find_contacts(words)
    ]
    opening = next((words for part in parts[:2] for words in part.paragraphs), "")
    is_short = opening in about and len(opening.split()) <= HEADLINE_WORDS
    if "headline" not in labelled and is_short:
        labelled["headline"] = opening
        about.remove(opening)
    values: dict[str, Any] = {
        "full_name": next((part.heading for part in parts if part.level == 1), ""),
        **labelled,
        "about": about,
        "top_skills": _distinct(_skills(parts), TOP_SKILLS),
        "social_links": list({link["url"]: link for link in _links(parts)}.values()),
    }
    return Draft("profile", 0, len(text), values, [] if about else ["about"])


def voice_in(text: str) -> list[str]:
    examples: list[str] = []
    for words in _below("voice", parts_of(text)):
        with suppress(ValueError):
            examples += exchanges_in(words)
    return examples


def _below(kind: str, parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        if _kind(part.heading) == kind:
            yield from (*part.items, *part.paragraphs)


def _kind(words: str) -> str:
    """The list on which a heading or a label stands; empty for none."""
    normalized = words.casefold().strip()
    lists = WORDS["profile"].items()
    return next((name for name, listed in lists if normalized in listed), "")


def _field(line: str) -> tuple[str, str] | None:
    """A line like “Location: Gothenburg” by its field; None for others."""
    match = _LABEL.match(line)
    name = _kind(match[1]) if match else ""
    return (name, match[2].strip(" .*_\"'")) if match and name in FIELDS else None


def _skills(parts: Sequence[Part]) -> Iterator[str]:
    for words in _below("skills", parts):
        listed = words.partition(":")[2] or words
        yield from filter(None, (raw.strip(" .") for raw in re.split(r"[,;•·|\n]", listed)))


def _links(parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
    for part in parts:
        bare = (Link(url, url) for line in part.lines for url in _WEB.findall(line))
        for link in (*part.links, *bare):
            url = link.url.rstrip(".,)")[:500]
            if url.startswith(("http://", "https://")) and urlsplit(url).hostname:
                yield {"platform": platform_of(url), "label": link.text[:120], "url": url}


# The voice ---------------------------------------------------------------------------------------
def persona_of(owner: Portfolio) -> dict[str, Any]:
    """How the owner speaks; what they say of themselves is told beside it."""
    pronouns = f" ({owner.pronouns})" if owner.pronouns else ""
    who = f"{owner.owner_name}{pronouns}, {_KINDS[owner.kind]}: {owner.domain_label}"
    return {
        "system_persona": f"You speak as {who}.",
        "short_about": f"{owner.owner_name}: {owner.domain_label}.",
        "style_guidelines": list(STYLE),
    }
