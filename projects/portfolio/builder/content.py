"""The text of an entry from what was told: by the model, or put together by rules.

Neither adds anything: the rules only arrange and shorten what stands there, and of the model's
draft only what the person's words bear out is kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from projects.language.sentences import sentences
from projects.portfolio import spans, vocabulary
from projects.portfolio.builder import sections, topics
from projects.portfolio.builder.state import Proposal
from projects.portfolio.builder.understanding import facts, lexicon
from projects.portfolio.models import Entry

SUMMARY_CHARS: Final = 200
SEO_TITLE_CHARS: Final = 60
SEO_CHARS: Final = 155
TAGS: Final = 8


def write_by_rules(entry: Entry, told: Mapping[str, str]) -> Proposal:
    """What is missing of title, summary, search texts, tags and facts, made of what is there."""
    fields: dict[str, Any] = {}
    title = entry.title or title_from(entry, told)
    if title and not entry.title:
        fields["title"] = title
    summary = entry.summary or summary_from(entry, told)
    if summary and not entry.summary:
        fields["summary"] = summary
    if not entry.seo_title and title:
        fields["seo_title"] = seo_title(title, entry)
    if not entry.seo_description and summary:
        fields["seo_description"] = shortened(seo_description(summary, entry), SEO_CHARS)
    tags = tags_from(entry)
    if [one for one in tags if one not in entry.tags]:
        fields["tags"] = tags
    blocks = told_blocks(entry)
    return Proposal(
        kind="content", fields=fields, blocks=None if blocks == entry.blocks else blocks
    )


def title_from(entry: Entry, told: Mapping[str, str]) -> str:
    """A title out of the person's own words; empty when nothing was said yet."""
    said = told.get("what", "") or sections.text_about(entry.blocks, "what")
    return facts.title_in(said) or entry.entry_type


def summary_from(entry: Entry, told: Mapping[str, str]) -> str:
    """One line: the first sentence of what it is, as a statement about the work."""
    said = sections.text_about(entry.blocks, "what") or told.get("what", "")
    first = next((one.text for one in sentences(said)), "")
    return shortened(first, SUMMARY_CHARS)


def other_wording(section: str, entry: Entry, told: Mapping[str, str], wish: str = "") -> str:
    """Another title, summary or search text than the one that stands; empty when there is none."""
    standing = str(getattr(entry, section))
    found = [one for one in _wordings(section, entry, told) if one and one != standing]
    if re.search(r"\bshort", wish, re.IGNORECASE):
        found = [one for one in (shorter(standing), *found) if one and len(one) < len(standing)]
    return next((one for one in found if one.casefold() != standing.casefold()), "")


def _wordings(section: str, entry: Entry, told: Mapping[str, str]) -> list[str]:
    kind, whom, place = entry.entry_type, entry.organization, entry.location
    base = title_from(entry, told) or kind
    if section == "title":
        pairs = [(base, whom), (kind, whom), (base, place), (kind, place)]
        made = [
            _("%(what)s for %(whom)s") % {"what": what, "whom": topics.within(who)}
            if who == whom
            else f"{what}, {who}"
            for what, who in pairs
            if what and who
        ]
        return [*made, base]
    if section == "summary":
        parts = [summary_from(entry, told), first_sentence(entry.impact), line_of(entry)]
        both = " ".join(filter(None, parts[:2]))
        wanted = [both, parts[2], parts[0]]
        return [one for one in wanted if one and len(one) <= 400]
    if section == "seo_title":
        return [
            seo_title(entry.title, entry),
            shortened(f"{entry.title} – {place or kind}", SEO_TITLE_CHARS),
        ]
    summary = entry.summary or summary_from(entry, told)
    return [
        shortened(one, SEO_CHARS)
        for one in (seo_description(summary, entry), line_of(entry), summary)
    ]


def shorter(text: str) -> str:
    """A sentence without what hangs on it; empty when nothing does."""
    cut = re.split(r",\s|\s(?:because|which|so\s+that|while|between|during|since)\s|[;:(]", text)[0]
    plain = cut.strip(" .,")
    return f"{plain}." if len(plain.split()) >= 3 and len(plain) + 1 < len(text) else ""


def line_of(entry: Entry) -> str:
    """“Table, for Nordlys, Bergen, 2023”: the facts in a line."""
    whom = (
        _("for %(whom)s") % {"whom": topics.within(entry.organization)}
        if entry.organization
        else ""
    )
    when = spans.told(entry.started, entry.ended)
    return ", ".join(filter(None, (entry.entry_type, whom, entry.location, when)))


def first_sentence(text: str) -> str:
    """The first sentence of a text."""
    return next((one.text for one in sentences(text)), "")


def seo_title(title: str, entry: Entry) -> str:
    """The title with the kind of work or the owner, in at most 60 characters."""
    more = entry.entry_type if entry.entry_type.casefold() not in title.casefold() else ""
    more = more or entry.portfolio.owner_name
    both = f"{title} – {more}"
    return both if len(both) <= SEO_TITLE_CHARS else shortened(title, SEO_TITLE_CHARS)


def seo_description(summary: str, entry: Entry) -> str:
    """The summary with what came of it, where there is room."""
    more = first_sentence(entry.impact)
    both = f"{summary} {more}".strip()
    return both if more and len(both) <= SEO_CHARS else summary


def tags_from(entry: Entry) -> list[str]:
    """Tags that stand already, then the kind of work, tools, materials, fields that are named."""
    said = " ".join(sections.say_of(one) for one in entry.blocks)
    domains = [one.name for one in vocabulary.terms_in(said) if one.category == "domain"]
    wanted = [
        *entry.tags,
        entry.entry_type.casefold(),
        *domains[:3],
        *entry.tech_stack[:3],
        *entry.techniques[:2],
        *entry.materials[:2],
    ]
    known: dict[str, str] = {}
    for one in filter(None, wanted):
        known.setdefault(one.casefold(), one)
    return list(known.values())[: max(TAGS, len(entry.tags))]


def facts_from(entry: Entry) -> list[dict[str, str]]:
    """The table of facts that the entry's fields make."""
    rows = (
        (_("For"), entry.organization),
        (_("My part"), entry.role),
        (_("When"), spans.told(entry.started, entry.ended)),
        (_("Where"), entry.location),
        (_("Made of"), ", ".join(entry.materials)),
        (_("Made with"), ", ".join([*entry.techniques, *entry.tech_stack, *entry.languages])),
    )
    return [{"label": label, "value": shortened(value, 300)} for label, value in rows if value]


def told_blocks(entry: Entry) -> list[dict[str, Any]]:
    """The blocks in the order of a story, paragraphs cleaned of what stands there twice."""
    seen: set[str] = set()
    found: list[dict[str, Any]] = []
    for one in in_order(entry.blocks):
        block = dict(one)
        if block["type"] == "text":
            block["text"] = _once(str(block["text"]), seen)
            if not block["text"]:
                continue
        found.append(block)
    return _without_empty(found)


def in_order(blocks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Sections of the story in reading order; sections of the person's own stay behind theirs."""
    groups: list[tuple[int, list[Mapping[str, Any]]]] = [(0, [])]
    rank = 0
    for one in blocks:
        if one["type"] == "heading":
            topic = sections.topic_of(str(one["text"]))
            rank = sections.STORY.index(topic) if topic else rank
            groups.append((rank, [one]))
        else:
            groups[-1][1].append(one)
    ordered = sorted(groups, key=lambda group: group[0])
    return [one for _rank, group in ordered for one in group]


def _once(text: str, seen: set[str]) -> str:
    paragraphs = []
    for paragraph in text.split("\n\n"):
        if re.match(r"\s*(?:[-*+]|\d+[.)])\s", paragraph):
            paragraphs.append(paragraph)
            continue
        kept = []
        for one in sentences(paragraph):
            key = " ".join(re.findall(r"\w+", one.text.casefold()))
            if key not in seen:
                seen.add(key)
                kept.append(one.text)
        paragraphs.append(" ".join(kept))
    return "\n\n".join(one for one in paragraphs if one.strip())


def _without_empty(blocks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without headings that nothing stands below."""
    return [
        one
        for at, one in enumerate(blocks)
        if one["type"] != "heading"
        or (at + 1 < len(blocks) and blocks[at + 1]["type"] != "heading")
        or not sections.topic_of(str(one["text"]))
    ]


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters, cut behind a word."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    return line[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:–-") + "…"


def is_kind(text: str) -> bool:
    """Whether a text is a kind of work that rules know."""
    return bool(lexicon.kind_in(text))
