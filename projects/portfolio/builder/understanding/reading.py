"""From a message to calls: wishes first, then corrections, then what answers the open question."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from futura.text import content_stems
from projects import replies
from projects.language.sentences import sentences
from projects.portfolio import vocabulary
from projects.portfolio.builder import calls
from projects.portfolio.builder.calls import Call, Extract, UpdateBlocks, UpdateField
from projects.portfolio.builder.state import Pending
from projects.portfolio.builder.understanding import answers, facts, pictures, wishes
from projects.portfolio.builder.understanding.shapes import Scene, Understanding
from projects.portfolio.builder.understanding.steps import step_wish

_SKIP: Final = re.compile(
    r"^(?:(?:let'?s\s+|please\s+|i(?:'d|’d)?\s+(?:rather|would)?\s*)?(?:skip|pass)(?:\s+(?:it|this|that|this\s+one|that\s+one|the\s+question))?|next(?:\s+(?:one|question))?(?:\s+please)?"
    r"|dunno|no\s+clue|pass|i\s+(?:don'?t|don’t|do\s+not)\s+(?:know|remember|want\s+to\s+(?:say|answer))(?:\s+(?:that|it|yet|any\s?more))?|no\s+idea|not\s+sure(?:\s+yet)?|n/?a|none|nothing(?:\s+yet)?|no\s+comment"
    r"|(?:that\s+)?does\s?n.?t\s+(?:matter|apply)|not\s+(?:applicable|relevant|important)|later|nowhere|doesn'?t\s+matter|can'?t\s+(?:say|remember|tell))\W*$",
    re.IGNORECASE,
)
_STOP: Final = re.compile(
    r"^(?:that(?:'s|’s|\s+is)\s+(?:all|it|everything|enough)(?:\s+(?:for\s+now|i\s+have|there\s+is))?|(?:no\s+more|enough|stop(?:\s+(?:the|with\s+the|asking))?)(?:\s+(?:questions?|asking|interview))*"
    r"|i(?:'m|’m|\s+am)\s+done(?:\s+(?:for\s+now|answering))?|nothing\s+(?:more|else)|done|finished|stop\s+asking(?:\s+me)?(?:\s+questions)?)(?:\s+(?:please|for\s+now|thanks))*\W*$",
    re.IGNORECASE,
)
_THANKS: Final = re.compile(
    r"^(?:thanks?(?:\s+you)?(?:\s+(?:so|very)\s+much|\s+a\s+lot)?|cheers|great\s+work|well\s+done|lovely)\W*$",
    re.IGNORECASE,
)
_GREETING: Final = re.compile(
    r"^(?:hi|hello|hey|good\s+(?:morning|evening|afternoon|day)|hallo)(?:\s+(?:there|futura))?\W*$",
    re.IGNORECASE,
)
_WRONG: Final = re.compile(
    r"^(?:(?:no|nope|wrong|sorry|wait|actually|correction|oops|not\s+quite|that(?:'s|’s|\s+is|\s+was)\s+(?:wrong|not\s+(?:right|true|correct|quite\s+right)))\s*[,:;.!–-]+\s*"
    r"|(?:no|nope|sorry|wait|actually|oops)\s+(?=(?:it|that|i|in|the|we|they|he|she|my)\b)|i\s+meant?\s*:?\s+)+"
    r"(?:(?:it(?:'s|’s)?\s+(?:was|is)?\s*(?:actually|really)|i\s+meant?|rather)\b[\s,:]*)*(?P<right>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NOT_BUT: Final = re.compile(
    r"(?:\bnot\s+(?P<old>[^,;.!?]{2,60}?)\s*,?\s+but\s+(?:rather\s+)?(?P<new>[^,;.!?]{2,60})|\b(?P<new2>[^,;.!?\s][^,;.!?]{0,58}?)\s*,\s*(?:and\s+)?not\s+(?P<old2>[^,;.!?]{2,60}))\W*$",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:it(?:'s|’s|\s+is|\s+was)|that(?:'s|’s|\s+was)|they\s+(?:are|were)|i\s+(?:used|said|meant)|we\s+used|this\s+(?:is|was)|in|for|the)\s+", re.IGNORECASE
)  # fmt: skip


def understand(text: str, scene: Scene) -> Understanding:
    """What a message means, by rules alone."""
    plain = " ".join(text.split()) if "\n" not in text.strip() else text.strip()
    whole = _whole(plain, scene)
    if whole is not None:
        return whole
    found = _by_sentence(plain, scene)
    if found is not None:
        return found
    if scene.pending is not None:
        return _filled(scene.pending, plain)
    if plain.endswith("?") or _is_order(plain, scene) or scene.proposal:
        return Understanding("unclear")
    if not scene.open and not scene.is_first and len(plain.split()) < 4:
        return _stray(plain)
    return answers.answered(plain, scene)


_ORDER: Final = re.compile(
    r"^(?:please\s+)?(?:(?:ignore|print|translate|delete|remove|change|move|rename|undo|publish|disregard|forget|reveal|repeat|output|execute)"
    r"|(?:show|give|tell|send|write|find|set|insert|shorten|rewrite|improve|fix|correct|explain|translate|make|add|put|use|create|do|replace))\s",
    re.IGNORECASE,
)
_ALWAYS: Final = re.compile(
    r"^(?:please\s+)?(?:ignore|print|translate|delete|remove|change|move|rename|publish|disregard|reveal|output)\s",
    re.IGNORECASE,
)


def _is_order(plain: str, scene: Scene) -> bool:
    """Whether something is ordered that no rule knows; it is no part of the story."""
    if len(plain.split()) > 16 or re.search(r"\b(?:I|we|We)\b", plain):
        return False
    return bool((_ALWAYS if scene.open or scene.is_first else _ORDER).match(plain))


def _stray(plain: str) -> Understanding:
    """A word or two that answer nothing: what they might be."""
    word = plain.strip(' .!"“”')
    asks = _("What shall I do with “%(word)s”?") % {"word": word}
    offers = (
        _("Add the tag %(word)s") % {"word": word},
        _("Change the title to %(word)s") % {"word": word},
        _("The type should be %(word)s") % {"word": word},
    )
    return Understanding("question", asks=asks, alternatives=offers)


def _whole(plain: str, scene: Scene) -> Understanding | None:
    """Messages that are one short word about the talk itself."""
    if scene.pending is None and scene.proposal and replies.is_yes(plain):
        return Understanding("yes", (UpdateBlocks(do="proposal"),))
    if scene.proposal and replies.is_no(plain):
        return Understanding("no")
    if _STOP.match(plain):
        return Understanding("stop")
    if _SKIP.match(plain) or (scene.pending is not None and replies.is_no(plain)):
        return Understanding("skip", topic=scene.open)
    if _THANKS.match(plain):
        return Understanding("thanks")
    if _GREETING.match(plain):
        return Understanding("greeting")
    if not scene.open and replies.is_yes(plain):
        return Understanding("more")
    if not scene.open and replies.is_no(plain):
        return Understanding("no")
    if scene.open and replies.is_no(plain):
        return Understanding("skip", topic=scene.open)
    return None


def _by_sentence(plain: str, scene: Scene) -> Understanding | None:
    """Wishes and corrections; what stands beside them is an answer. None when there are none."""
    parts = _parts(plain)
    found = [(part, _wish(wishes.bare(part), scene)) for part in parts] if len(parts) > 1 else []
    if found and all(got is not None for _part, got in found):
        return _together([got for _part, got in found if got is not None], "", scene)
    one = _wish(wishes.bare(plain), scene) or _correction(plain, scene)
    if one is not None:
        return one
    wished = [got for _part, got in found if got is not None]
    if not wished:
        return None
    rest = " ".join(part for part, got in found if got is None)
    return _together(wished, rest, scene)


_AND_WISH: Final = re.compile(
    r"(?:,\s*(?:and\s+|then\s+)?|\s+and\s+(?:then\s+|also\s+)?|\s+then\s+)(?=(?:change|set|add|make|remove|delete|check|publish|put|move|lay|write|rename|call\s+it|use|show|replace)\b)",
    re.IGNORECASE,
)


def _parts(plain: str) -> list[str]:
    """Sentences, and wishes that an “and” joins; quotations stay whole."""
    if re.search(r"[\"“]", plain):
        return [one.text for one in sentences(plain)] if "\n" in plain else [plain]
    return [
        piece for one in sentences(plain) for piece in _AND_WISH.split(one.text) if piece.strip()
    ]


def _together(wished: list[Understanding], rest: str, scene: Scene) -> Understanding:
    """Several wishes of one message, and the answer beside them."""
    made: list[Call] = [call for one in wished for call in one.calls]
    first = next((one for one in wished if one.asks or one.says), wished[0])
    both = replace(first, kind="wish", calls=tuple(made))
    if len(rest.split()) < 3 or not scene.open:
        return both
    said = answers.answered(rest, scene)
    return replace(
        both, calls=(*said.calls, *made), topic=said.topic, told=said.told, is_thin=said.is_thin
    )


def _wish(text: str, scene: Scene) -> Understanding | None:
    if not text:
        return None
    return (
        step_wish(text, scene)
        or pictures.picture_wish(text, scene)
        or wishes.field_wish(text, scene)
        or wishes.story_wish(text, scene)
    )


# Corrections ----------------------------------------------------------------------------------
def _correction(plain: str, scene: Scene) -> Understanding | None:
    """“No, it was 2022”, “oak, not pine”: what was noted last is put right."""
    swapped = _swapped(plain, scene)
    if swapped is not None:
        return swapped
    hit = _WRONG.match(plain)
    if hit is None or not (scene.last.fields or scene.last.text):
        return None
    right = hit["right"].strip()
    wished = _wish(wishes.bare(right), scene)
    if wished is not None:
        return wished
    return _dated(right) or _part(right) or _like(right, scene) or _anew(right, scene)


def _like(right: str, scene: Scene) -> Understanding | None:
    """A sentence of the story that says nearly the same takes the new form."""
    wanted = content_stems(right)
    best, share = "", 0.0
    texts = [str(block.get("text", "")) for block in scene.blocks]
    for text in (*texts, str(scene.fields.get("summary", ""))):
        for one in sentences(text):
            stands = content_stems(one.text)
            shared = len(wanted & stands) / max(1, min(len(wanted), len(stands)))
            if shared > share and one.text != right:
                best, share = one.text, shared
    if share < NEAR or len(wanted) < 2:
        return None
    new = answers.finished(right)
    return Understanding("wish", (UpdateBlocks(do="replace", old=best, new=new),))


NEAR: Final = 0.5
"""Share of its content words by which a sentence is known again."""


def _part(right: str) -> Understanding | None:
    """“I was the engineering manager”: only the owner's part."""
    role = facts.role_in(right)
    if not role or len(right.split()) > 10:
        return None
    return Understanding("wish", (UpdateField(field="role", value=role),))


def _dated(right: str) -> Understanding | None:
    """“it was in 2020”: only a date."""
    if not answers.is_date(right.strip(" .")):
        return None
    told = facts.when_in(right, asked=True)
    return Understanding("wish", (Extract.model_validate(told),))


def _swapped(plain: str, scene: Scene) -> Understanding | None:
    hit = _NOT_BUT.search(plain)
    if hit is None:
        return None
    old, new = (hit["old"] or hit["old2"]).strip(), (hit["new"] or hit["new2"]).strip()
    new = new.split(":")[-1].strip()
    for _times in range(3):
        new = _LEAD.sub(
            "", re.sub(r"^(?:no|actually|sorry|wait)[\s,]+", "", new, flags=re.IGNORECASE)
        )
    new = re.sub(r"^.*\b(?:is|are|was|were)\s+", "", new, flags=re.IGNORECASE)
    old = re.sub(r"^(?:in|for|the|a|an)\s+", "", old, flags=re.IGNORECASE)
    new = re.sub(r"^(?:a|an)\s+", "", new, flags=re.IGNORECASE)
    if not new or len(new.split()) > 10:
        return None
    if not wishes.stands_in(old, scene):
        if scene.open:
            return None
        return Understanding(
            "question", says=_("“%(words)s” does not stand in the entry.") % {"words": old}
        )
    if old[:1].islower() and plain.startswith(new) and not vocabulary.terms_in(new):
        new = f"{new[:1].lower()}{new[1:]}"
    return Understanding("wish", (UpdateBlocks(do="replace", old=old, new=new),))


def _anew(right: str, scene: Scene) -> Understanding | None:
    """What the last answer was taken for is read once more, and takes its place."""
    topic = scene.last.topic
    fields = {**scene.fields} | {
        name: [] if name in calls.LISTS else "" for name in scene.last.fields
    }
    again = answers.answered(right, replace(scene, open=topic, fields=fields))
    made: list[Call] = []
    for call in again.calls:
        if not isinstance(call, Extract):
            made.append(call)
            continue
        said = call.model_dump(exclude_none=True, exclude={"tool"})
        text = " ".join(str(said.pop(name)) for name in calls.STORY if name in said)
        made += [_set(name, value) for name, value in said.items()]
        if text and scene.last.text:
            made.append(UpdateBlocks(do="replace", old=scene.last.text, new=text))
        elif text and topic in calls.STORY:
            made.append(Extract.model_validate({topic: text}))
    if not made:
        return None
    return Understanding("wish", tuple(made), topic=topic, told=again.told)


def _set(name: str, value: Any) -> Call:
    field: Any = name
    if name in calls.LISTS:
        return UpdateField(field=field, items=value)
    return UpdateField(field=field, value=str(value))


# What was asked back --------------------------------------------------------------------------
def _filled(pending: Pending, text: str) -> Understanding:
    """The missing piece of a wish."""
    match pending.wish:
        case "quote":
            words, who = wishes.quote_parts(text)
            said_by = who or pending.given.get("said_by", "")
            return Understanding("wish", (wishes.quote_call(words, said_by),))
        case "section":
            call = wishes.section_call(pending.given.get("name", ""), answers.finished(text))
            return Understanding("wish", (call,))
        case "fact":
            pairs = wishes.facts_of(text)
            if not pairs:
                asks = _("Write each as a name and a value, such as: Size: 40 m².")
                return Understanding("question", asks=asks, pending=pending)
            return Understanding("wish", (wishes.facts_call(pairs),))
        case "place":
            topic = answers.place_meant(text)
            if not topic:
                return Understanding("no")
            said = answers.finished(pending.given.get("text", ""))
            return Understanding("wish", (Extract.model_validate({topic: said}),))
        case "image_words":
            return pictures.pending_words(pending, text)
        case "date":
            if not facts.when_in(text, asked=True):
                return Understanding(
                    "question", asks=_("Write it as 2024 or 2024-06."), pending=pending
                )
            return wishes.set_field(pending.name, text)
        case _:
            return wishes.set_field(pending.name, text)
