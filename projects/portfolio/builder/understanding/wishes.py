"""Plain wishes about an entry: “change the title to …”, “add a quote”, “check it”, “publish it”."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext as _

from projects.portfolio.builder import calls, sections
from projects.portfolio.builder.calls import BlockIn, Call, FactIn, UpdateBlocks, UpdateField
from projects.portfolio.builder.state import Pending
from projects.portfolio.builder.understanding import facts, lexicon
from projects.portfolio.builder.understanding.shapes import Scene, Understanding

FIELD_WORDS: Final[dict[str, str]] = {
    r"(?:search\s+(?:engine\s+)?|seo\s+|meta\s+)(?:page\s+)?title": "seo_title",
    r"(?:search\s+(?:engine\s+)?|seo\s+|meta\s+)description": "seo_description",
    r"title|name(?:\s+of\s+(?:it|this|the\s+(?:entry|project|piece)))?|headline": "title",
    r"summary|one[- ]liner|tag\s?line|teaser|short\s+description": "summary",
    r"type|kind|category": "entry_type",
    r"location|place|site|city": "location",
    r"client|customer|organi[sz]ation|company|employer": "organization",
    r"(?:my\s+)?role|my\s+part": "role",
    r"start(?:\s+date|ed)?|begin(?:ning)?": "started",
    r"end(?:\s+date|ed)?|finish(?:\s+date)?": "ended",
    r"(?:date|year|time|period)": "when",
    r"impact": "impact",
    r"size|scope|scale": "size_or_scope",
    r"(?:repository|repo|source\s+code|code)(?:\s+(?:link|url|address))?": "repository_url",
    r"(?:web\s?site|live|demo|project)?\s*(?:link|url|address|web\s?page|web\s?site)": "live_url",
}
LIST_WORDS: Final[dict[str, str]] = {
    r"tags?|keywords?|topics?": "tags",
    r"materials?": "materials",
    r"techniques?|methods?": "techniques",
    r"(?:technolog(?:y|ies)|tools?|tech(?:\s+stack)?|stack|software)": "tech_stack",
    r"(?:programming\s+)?languages?": "languages",
}
_TEXT_FIELD: Final = "|".join(FIELD_WORDS)
_LIST_FIELD: Final = "|".join(LIST_WORDS)
_POLITE: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|so|well|and|then|now|also|hm+|great|good|nice|perfect|yes|yeah|thanks|thank\s+you|please|hey|hi|no|oh)\b[\s,:!.–-]+)*"
    r"(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?|(?:i|we)(?:'d|’d|\s+would)\s+like\s+(?:you\s+)?to\s+"
    r"|(?:i|we)\s+want\s+(?:you\s+)?to\s+|let'?s\s+|let’s\s+|please\s+|just\s+)*",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(r"[\s,]+(?:please|thanks|thank\s+you)\s*[.!]*$", re.IGNORECASE)
_SET: Final = re.compile(
    rf"^(?:change|set|update|edit|make|rename|correct|fix|put|adjust|replace)\s+(?:the\s+|my\s+|its\s+)?(?P<field>{_TEXT_FIELD})\s+"
    rf"(?:to(?:\s+be)?|as|into|with|:|=)\s*:?\s*(?P<value>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_IS: Final = re.compile(
    rf"^(?:the\s+|its\s+)?(?P<field>{_TEXT_FIELD})\s*(?:(?:should|shall|must|ought\s+to)\s+(?:be|read|say)|:|=|is\s+(?:actually|really|now|rather))\s*:?\s*(?P<value>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_CALL: Final = re.compile(
    r"^(?:call|name|title|rename)\s+(?:it|this|the\s+(?:entry|project|piece))\s*:?\s+(?:to\s+|as\s+)?(?P<value>\S.*)$"
    r"|^(?:it(?:'s|’s|\s+is)|we|they)\s+(?:call(?:ed)?(?:\s+it)?|titled)\s+(?P<called>[\"“A-Z].*)$",
    re.IGNORECASE | re.DOTALL,
)
_CLIENT_IS: Final = re.compile(
    r"^(?:the|my|our)\s+(?:client|customer|employer)\s+(?:was|is)\s+(?P<value>\S.{1,150})$",
    re.IGNORECASE,
)
_BARE: Final = re.compile(
    rf"^(?:change|set|edit|update|add|give\s+(?:it|me)|fix|correct|rename)\s+(?:the\s+|a\s+|an\s+|my\s+|another\s+|its\s+)?(?P<field>{_TEXT_FIELD}|it|this)\W*$",
    re.IGNORECASE,
)
_CLEAR: Final = re.compile(
    rf"^(?:remove|delete|clear|drop|take\s+out|empty)\s+(?:the\s+|my\s+)?(?P<field>{_TEXT_FIELD})\W*$",
    re.IGNORECASE,
)
_LIST_ADD: Final = re.compile(
    rf"^(?:add|include|append|also\s+add|put)\s+(?:the\s+|a\s+|some\s+)?(?:(?P<field>{_LIST_FIELD})\s*(?::|called|named)?\s*(?P<items>\S.*)"
    rf"|(?P<before>\S.*?)\s+(?:to|as|under|in)\s+(?:the\s+|a\s+)?(?P<into>{_LIST_FIELD}))$",
    re.IGNORECASE | re.DOTALL,
)
_LIST_SET: Final = re.compile(
    rf"^(?:(?:change|set|make|replace|update)\s+(?:the\s+)?)?(?:the\s+)?(?P<field>{_LIST_FIELD})\s*(?:to|with|:|=|should\s+be|are)\s*:?\s*(?P<items>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_LIST_REMOVE: Final = re.compile(
    rf"^(?:remove|delete|drop|take\s+out|take)\s+(?:the\s+)?(?:(?P<field>{_LIST_FIELD})\s*:?\s*(?P<items>\S.*)"
    rf"|(?P<before>\S.*?)\s+(?:from|out\s+of|off)\s+(?:the\s+)?(?P<into>{_LIST_FIELD}))$",
    re.IGNORECASE | re.DOTALL,
)


def bare(sentence: str) -> str:
    """A sentence without courtesy."""
    plain = _POLITE.sub("", sentence.strip(), count=1).strip()
    return _AFTER.sub("", plain)


def field_of(words: str, table: dict[str, str]) -> str:
    """The field that words name; empty for none."""
    plain = " ".join(words.split())
    return next(
        (name for pattern, name in table.items() if re.fullmatch(pattern, plain, re.IGNORECASE)), ""
    )


def value_words(text: str) -> str:
    """A value as it was meant: without quotation marks and the full stop of the sentence."""
    plain = " ".join(text.split()).strip()
    quoted = re.fullmatch(r"[\"“„'‘](.+?)[\"”'’][.!]?", plain)
    if quoted:
        return quoted[1].strip()
    return plain.rstrip(" ").removesuffix(".") if not plain.endswith("..") else plain


def field_wish(text: str, scene: Scene) -> Understanding | None:
    """A wish about one field; None when a sentence is none."""
    for pattern in (_SET, _IS):
        if (hit := pattern.match(text)) and (name := field_of(hit["field"], FIELD_WORDS)):
            return set_field(name, hit["value"])
    if hit := _CALL.match(text):
        value = value_words(hit["value"] or hit["called"])
        if not value or re.match(r"(?:a|an|the)\s+(?:day|success|failure)\b", value, re.IGNORECASE):
            return None
        return Understanding("wish", (UpdateField(field="title", value=value[:200]),))
    if hit := _CLIENT_IS.match(text):
        return set_field("organization", hit["value"])
    if (hit := _BARE.match(text)) and (name := field_of(hit["field"], FIELD_WORDS)):
        return _ask_for(name)
    if hit := _CLEAR.match(text):
        name = field_of(hit["field"], FIELD_WORDS)
        if name and name != "when":
            return Understanding("wish", (UpdateField(field=_name(name), value=""),))
    return _list_wish(text, scene)


def _list_wish(text: str, scene: Scene) -> Understanding | None:
    for pattern, mode in ((_LIST_REMOVE, "remove"), (_LIST_ADD, "append"), (_LIST_SET, "replace")):
        hit = pattern.match(text)
        if hit is None:
            continue
        told = hit.groupdict()
        name = field_of(told.get("field") or told.get("into") or "", LIST_WORDS)
        items = [
            value_words(one)
            for one in lexicon.split_items(told.get("items") or told.get("before") or "")
        ]
        if not name or not items:
            continue
        if mode == "remove":
            items = [_known(one, scene.fields.get(name) or []) for one in items]
        field: Any = name
        return Understanding("wish", (UpdateField(field=field, items=items, mode=mode),))
    return None


def _known(item: str, known: list[str]) -> str:
    return next((one for one in known if one.casefold() == item.casefold()), item)


def _name(name: str) -> Any:
    return name


def set_field(name: str, said: str) -> Understanding:
    """A field gets what was said; dates and addresses are read first."""
    value = value_words(said)
    if name in {"when", "started", "ended"}:
        told = facts.when_in(value, asked=True)
        if not told:
            return _ask_for(name)
        if name == "started":
            told = {"started": told["started"]}
        elif name == "ended":
            told = {"ended": told.get("ended") or told["started"]}
        return Understanding(
            "wish", tuple(UpdateField(field=_name(one), value=when) for one, when in told.items())
        )
    if name.endswith("_url") and not re.match(r"https?://\S+$", value):
        value = f"https://{value}" if re.match(r"[\w-]+(?:\.[\w-]+)+(?:/\S*)?$", value) else ""
        if not value:
            return _ask_for(name)
    return Understanding("wish", (UpdateField(field=_name(name), value=value),))


def _ask_for(name: str) -> Understanding:
    asks = {
        "title": _("What shall the title be?"),
        "summary": _("What shall the summary say, in one line?"),
        "when": _("When was it? A year is enough."),
        "started": _("When did it begin? A year is enough."),
        "ended": _("When did it end? A year is enough."),
        "repository_url": _("What is the address? It begins with https://."),
        "live_url": _("What is the address? It begins with https://."),
    }.get(name, _("What shall it say?"))
    wish = "date" if name in {"when", "started", "ended"} else "field"
    return Understanding("question", asks=asks, pending=Pending(wish=wish, name=name))


# The description ------------------------------------------------------------------------------
_QUOTE: Final = re.compile(
    r"^(?:add|include|insert|put\s+in|here\s+is|here's|here’s)\s+(?:a|an|the|this|another|one)?\s*(?:quote|quotation|testimonial)"
    r"(?:\s+(?:from|by|of)\s+(?P<by>[^:\"“]{2,100}?))?\s*(?:[:,–-]\s*|\s+(?=[\"“])|$)(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_PARAGRAPH: Final = re.compile(
    r"^(?:add|write|insert|put\s+in|append)\s+(?:a|an|another|the|one\s+more)?\s*(?:paragraph|sentence|text|line|bit)"
    r"(?:\s+(?:to|in|under|about)\s+(?:the\s+)?(?P<where>[^:]{2,60}?))?\s*[:–-]\s*(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SECTION: Final = re.compile(
    r"^(?:add|write|insert|put\s+in)\s+(?:a|an|another|the)?\s*(?:new\s+)?(?:section|heading|chapter|headline)\s*(?:called|named|titled|about|on|:)?\s*"
    r"(?P<name>[\"“]?[^:\"“”\n]{2,80}[\"”]?)(?:\s*:\s*(?P<text>\S.*))?$",
    re.IGNORECASE | re.DOTALL,
)
_FACT: Final = re.compile(
    r"^(?:add|include|insert|put\s+in)\s+(?:a|an|the|some|these|another)?\s*(?:facts?|figures?|numbers?)\s*[:,–-]?\s*(?P<facts>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_REMOVE: Final = re.compile(
    r"^(?:remove|delete|drop|take\s+out|cut|throw\s+out|leave\s+out)\s+(?:the\s+|that\s+|my\s+)?(?:(?P<ordinal>first|second|third|fourth|last|only)\s+)?"
    r"(?P<what>quote|quotation|testimonial|paragraph|text|gallery|facts?|table|before[ /-]?(?:and[ -])?after|heading|section|block)"
    r"(?:\s+(?:about|on|called|named|with|of|saying|where\s+it\s+says)\s+(?P<about>.+?))?\W*$",
    re.IGNORECASE,
)
_REMOVE_WORDS: Final = re.compile(
    r"^(?:remove|delete|drop|take\s+out|cut|leave\s+out)\s+(?:(?:the\s+(?:words?|sentence|part)\s+)?[\"“](?P<quoted>[^\"”]{3,400})[\"”]"
    r"|the\s+(?:words?|sentence)\s+(?P<plain>[^\"“”]{2,200}?))\W*$",
    re.IGNORECASE,
)
_MOVE: Final = re.compile(
    r"^(?:move|put|bring|place)\s+(?:the\s+|that\s+)?(?:(?P<ordinal>first|second|third|fourth|last)\s+)?(?P<what>quote|gallery|facts?|table|paragraph)"
    r"\s+(?:to\s+)?(?:the\s+|at\s+the\s+)?(?P<where>top|start|beginning|front|first|end|bottom|last)\W*$",
    re.IGNORECASE,
)
_REPLACE: Final = re.compile(
    r"^(?:replace|change|swap|correct)\s+(?:the\s+words?\s+)?[\"“'‘](?P<old>[^\"”“]{1,400}?)[\"”'’]\s+(?:with|by|to|into|for)\s+[\"“'‘](?P<new>[^\"”“]{0,400}?)[\"”'’]\W*$"
    r"|^(?:replace|change|swap)\s+(?P<old_bare>[^\"“]{2,80}?)\s+(?:with|by|for)\s+(?P<new_bare>[^\"“]{1,80}?)\W*$",
    re.IGNORECASE,
)
_KINDS: Final = {
    "quote": "quote", "quotation": "quote", "testimonial": "quote", "paragraph": "text",
    "text": "text", "gallery": "gallery", "fact": "facts", "facts": "facts", "table": "facts",
    "heading": "heading", "section": "heading",
}  # fmt: skip
_PLACES: Final = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "only": 0}


def story_wish(text: str, scene: Scene) -> Understanding | None:
    """A wish about the description; None when a sentence is none."""
    for pattern, read in _STORY:
        hit = pattern.match(text)
        if hit is not None and (found := read(hit, scene)) is not None:
            return found
    return None


def quote_call(text: str, said_by: str) -> Call:
    """A quote more."""
    words = text.strip(' "“”„')
    return UpdateBlocks(
        do="append", blocks=[BlockIn(type="quote", text=words[:2_000], said_by=said_by[:200])]
    )


def _quote(hit: re.Match[str], _scene: Scene) -> Understanding:
    by, rest = (hit["by"] or "").strip(), (hit["rest"] or "").strip()
    if not rest:
        asks = _("What did they say?") if by else _("Who said what? Write it as: “…”, name.")
        return Understanding(
            "question", asks=asks, pending=Pending(wish="quote", given={"said_by": by})
        )
    text, who = quote_parts(rest)
    return Understanding("wish", (quote_call(text, who or by),))


def quote_parts(said: str) -> tuple[str, str]:
    """The words and the speaker of “…”, said Anna; the speaker may be missing."""
    found = facts.quote_in(said)
    if found:
        return found.text, found.said_by
    quoted = re.match(r"^\W*?[\"“„](?P<text>[^\"”]+)[\"”]\W*(?P<by>.*)$", said, re.DOTALL)
    if quoted:
        by = re.sub(r"^(?:(?:said|says|by|from|wrote)\s+)+", "", quoted["by"].strip(" .,–—-"))
        return quoted["text"].strip(" ,"), by
    dashed = re.match(r"^(?P<text>.+?)\s+[–—-]{1,2}\s*(?P<by>[^–—\n]{2,80})$", said, re.DOTALL)
    if dashed:
        return dashed["text"].strip(' "“”'), dashed["by"].strip(" .")
    return said.strip(' "“”'), ""


def _paragraph(hit: re.Match[str], scene: Scene) -> Understanding:
    topic = sections.topic_of(hit["where"] or "") or "what"
    if (
        topic == "what"
        and any(one["type"] == "heading" for one in scene.blocks)
        and not hit["where"]
    ):
        block = BlockIn(type="text", text=hit["text"].strip())
        return Understanding("wish", (UpdateBlocks(do="append", blocks=[block]),))
    extract: Any = calls.Extract(**{topic: hit["text"].strip()})
    return Understanding("wish", (extract,))


def _section(hit: re.Match[str], _scene: Scene) -> Understanding:
    name = value_words(hit["name"])
    if not hit["text"]:
        return Understanding(
            "question",
            asks=_("What shall stand under “%(name)s”?") % {"name": name},
            pending=Pending(wish="section", given={"name": name}),
        )
    return Understanding("wish", (section_call(name, hit["text"]),))


def section_call(name: str, text: str) -> Call:
    """A section more: its heading and its first paragraph."""
    heading = BlockIn(type="heading", text=(name[:1].upper() + name[1:])[:200])
    return UpdateBlocks(do="append", blocks=[heading, BlockIn(type="text", text=text.strip())])


def _fact(hit: re.Match[str], _scene: Scene) -> Understanding:
    found = facts_of(hit["facts"] or "")
    if not found:
        return Understanding(
            "question",
            asks=_("Which facts? Write them as: Size: 40 m²; Year: 2023."),
            pending=Pending(wish="fact"),
        )
    return Understanding("wish", (facts_call(found),))


def facts_of(said: str) -> list[tuple[str, str]]:
    """“Size: 40 m²; Year: 2023” as label and value."""
    pairs = re.findall(r"([^:=;\n,]{1,80})\s*[:=]\s*([^;\n]{1,300})", said)
    return [(a.strip(" -•*"), b.strip(" .,")) for a, b in pairs if a.strip() and b.strip()]


def facts_call(pairs: list[tuple[str, str]]) -> Call:
    """Lines of the table of facts."""
    rows = [FactIn(label=a[:1].upper() + a[1:], value=b) for a, b in pairs[:20]]
    return UpdateBlocks(do="append", blocks=[BlockIn(type="facts", facts=rows)])


def _found_block(what: str, ordinal: str | None, about: str | None, scene: Scene) -> int:
    kind = "before_after" if what.startswith("before") else _KINDS.get(what.casefold(), "")
    numbers = (
        sections.numbered_of(scene.blocks, kind) if kind else list(range(1, len(scene.blocks) + 1))
    )
    if about:
        wanted = about.casefold().strip(' "“”')
        numbers = [n for n in numbers if wanted in sections.say_of(scene.blocks[n - 1]).casefold()]
    if ordinal:
        at = _PLACES[ordinal.casefold()]
        return numbers[at] if -len(numbers) <= at < len(numbers) else 0
    return numbers[0] if len(numbers) == 1 else 0


def _remove(hit: re.Match[str], scene: Scene) -> Understanding:
    what = hit["what"].casefold()
    number = _found_block(what, hit["ordinal"], hit["about"], scene)
    if not number:
        return _which_block(what, scene)
    last = _end_of_section(number, scene) if what == "section" else None
    return Understanding("wish", (UpdateBlocks(do="remove", block=number, to=last),))


def _end_of_section(number: int, scene: Scene) -> int:
    """The last block below a heading."""
    headings = [n for n in sections.numbered_of(scene.blocks, "heading") if n > number]
    return headings[0] - 1 if headings else len(scene.blocks)


def _which_block(what: str, scene: Scene) -> Understanding:
    kind = _KINDS.get(what, "")
    numbers = sections.numbered_of(scene.blocks, kind) if kind else []
    if kind and not numbers:
        return Understanding("question", says=_("There is no such block in the description."))
    lines = "\n".join(
        f"{place}. {_short(sections.say_of(scene.blocks[n - 1]))}"
        for place, n in enumerate(numbers, start=1)
    )
    asks = _(
        "Which one do you mean? Say “the first”, “the second” and so on, or some of its words."
    )
    return Understanding("question", asks=f"{asks}\n\n{lines}")


def _short(text: str, limit: int = 70) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _move(hit: re.Match[str], scene: Scene) -> Understanding:
    number = _found_block(hit["what"].casefold(), hit["ordinal"], None, scene)
    if not number:
        return _which_block(hit["what"].casefold(), scene)
    is_top = hit["where"].casefold() in {"top", "start", "beginning", "front", "first"}
    to = 1 if is_top else len(scene.blocks)
    return Understanding("wish", (UpdateBlocks(do="move", block=number, to=to),))


def _replace(hit: re.Match[str], scene: Scene) -> Understanding | None:
    old, new = hit["old"] or hit["old_bare"], hit["new"] if hit["old"] else hit["new_bare"]
    if not stands_in(old, scene):
        if hit["old_bare"]:
            return None
        return Understanding(
            "question", says=_("“%(words)s” does not stand in the entry.") % {"words": _short(old)}
        )
    return Understanding("wish", (UpdateBlocks(do="replace", old=old, new=new or ""),))


def _remove_words(hit: re.Match[str], scene: Scene) -> Understanding:
    words = hit["quoted"] or hit["plain"]
    if not stands_in(words, scene):
        return Understanding(
            "question",
            says=_("“%(words)s” does not stand in the entry.") % {"words": _short(words)},
        )
    return Understanding("wish", (UpdateBlocks(do="replace", old=words, new=""),))


def stands_in(words: str, scene: Scene) -> bool:
    """Whether words stand whole in a text of the entry."""
    everything = [*scene.fields.values(), *scene.blocks]
    return any(sections.replaced(one, words, "\0") != one for one in everything)


_Reader = Callable[[re.Match[str], Scene], Understanding | None]
_STORY: Final[tuple[tuple[re.Pattern[str], _Reader], ...]] = (
    (_QUOTE, _quote),
    (_PARAGRAPH, _paragraph),
    (_SECTION, _section),
    (_FACT, _fact),
    (_REMOVE_WORDS, _remove_words),
    (_REMOVE, _remove),
    (_MOVE, _move),
    (_REPLACE, _replace),
)
