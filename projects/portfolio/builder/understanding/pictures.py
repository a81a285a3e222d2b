"""Wishes about pictures: which one is meant, and what shall become of it."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

from futura.text import content_stems
from projects.portfolio.builder import calls
from projects.portfolio.builder.state import Pending
from projects.portfolio.builder.understanding.shapes import Picture, Scene, Understanding

_ORDINALS: Final = {
    word: at
    for at, words in enumerate(
        ("first 1st one", "second 2nd two", "third 3rd three", "fourth 4th four", "fifth 5th five",
         "sixth 6th six", "seventh 7th seven", "eighth 8th eight", "ninth 9th nine",
         "tenth 10th ten"),
        start=1,
    )
    for word in words.split()
}  # fmt: skip
_NOUN: Final = r"(?:pictures?|photos?|images?|photographs?|pics?|shots?|drawings?|screenshots?)"
_ORD: Final = rf"(?:{'|'.join(_ORDINALS)}|last|latest|newest|\d{{1,2}}(?:st|nd|rd|th)?)"
WHICH: Final = (
    rf"(?:(?:the\s+|my\s+)?(?P<ordinal>{_ORD})\s+{_NOUN}|{_NOUN}\s+(?:number\s+|no\.?\s+|#\s*)?"
    rf"(?P<number>\d{{1,2}}|{_ORD})|(?:the\s+)?{_NOUN}\s+(?:of|with|showing|that\s+shows)\s+(?P<shows>[^,.;!?]{{2,80}}?)"
    rf"|(?:the\s+)?(?P<hero>hero(?:\s+(?:image|picture|photo))?|main\s+{_NOUN}|cover|leading\s+{_NOUN})"
    rf"|(?P<pronoun>it|this\s+one|that\s+one|(?:the|this|that)\s+(?:one|{_NOUN})))"
)
_HERO: Final = re.compile(
    rf"^(?:make|use|set|take|choose|pick|put|want|show|have)\s+{WHICH}\s+(?:(?:as|to\s+be|be|into|in|for|on|at)\s+)?(?:the\s+|my\s+|our\s+)?"
    r"(?:(?:hero|cover|main|title|lead(?:ing)?|front)(?:\s+(?:image|picture|photo|page|one|shot))?|(?:on\s+|at\s+)?(?:the\s+)?(?:top|front))\W*$",
    re.IGNORECASE,
)
_HERO_IS: Final = re.compile(
    rf"^(?:the\s+)?(?:hero|cover|main|lead(?:ing)?)(?:\s+(?:image|picture|photo))?\s+(?:should|shall|is|must)\s+(?:be\s+)?{WHICH}\W*$",
    re.IGNORECASE,
)
_FIRST: Final = re.compile(
    rf"^(?:move|put|show|place|bring)\s+{WHICH}\s+(?:to\s+(?:the\s+)?)?(?P<where>first|last|(?:to\s+)?(?:the\s+)?(?:front|start|beginning|end|back)"
    rf"|(?:place|position)\s+\d{{1,2}})\W*$",
    re.IGNORECASE,
)
_SWAP: Final = re.compile(
    r"^swap\s+(?:the\s+)?(?:pictures?|photos?|images?)?\s*(?:number\s+)?(?P<a>\w+)\s+(?:and|with)\s+(?:the\s+)?(?P<b>\w+)"
    rf"(?:\s+{_NOUN})?\W*$",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(
    rf"^(?:(?:show|put|arrange|order|reorder|sort)\s+)?(?:the\s+)?{_NOUN}\s+(?:in\s+(?:the|this)\s+)?order\W*\s*(?P<order>\d{{1,2}}(?:\D+\d{{1,2}})+)\W*$",
    re.IGNORECASE,
)
_ALT: Final = re.compile(
    rf"^(?:the\s+)?(?:alt(?:ernative)?(?:\s+text)?|description)\s+(?:of|for)\s+{WHICH}\s*(?::|=|is|should\s+be|-)\s*(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SHOWS: Final = re.compile(
    rf"^(?:on\s+)?{WHICH}\s+(?:shows?|is\s+of|depicts|:|=)\s*:?\s*(?P<text>\S.{{2,}})$",
    re.IGNORECASE | re.DOTALL,
)
_CAPTION: Final = re.compile(
    rf"^(?:(?:add|give|write|set|change)\s+)?(?:a\s+|the\s+)?caption\s+(?:to|of|for|under|below)\s+{WHICH}\s*(?::|=|is|to|-)?\s*(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_GALLERY: Final = re.compile(
    r"^(?:make|add|create|show|build|put\s+in)\s+(?:me\s+)?(?:a\s+|the\s+)?gallery(?:\s+(?:of|with|from)\s+(?P<which>.+?))?\W*$",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    rf"^(?:make|add|create|show|use)\s+(?:a\s+)?before[ /-]*(?:and|&|/)?[ -]*after(?:\s+\w+)?\s*(?:of|with|from|using|:)\s*(?:{_NOUN}\s+)?(?P<a>\w+)\s+and\s+(?:{_NOUN}\s+)?(?P<b>\w+)",
    re.IGNORECASE,
)
_REMOVE: Final = re.compile(
    rf"^(?:remove|delete|drop|take\s+(?:out|away))\s+(?:{WHICH}|all\s+(?:the\s+)?{_NOUN})\W*$",
    re.IGNORECASE,
)
_ADD: Final = re.compile(
    rf"\b(?:add|upload|attach|send|have|put\s+in|include|insert|bring)\b(?:\s+\w+){{0,4}}?\s+{_NOUN}\b|^{_NOUN}\W*$",
    re.IGNORECASE,
)


def picture_wish(text: str, scene: Scene) -> Understanding | None:
    """What a sentence wants of the pictures; None when it is about something else."""
    for pattern, read in _READ:
        hit = pattern.match(text)
        if hit is not None:
            return read(hit, scene)
    if (_ADD.search(text) and not text.rstrip().endswith("?")) or _HOW_ADD.search(text):
        return Understanding("wish", (calls.AskForImages(),))
    return None


_HOW_ADD: Final = re.compile(rf"\b(?:how|where)\b.*\b(?:add|upload)\b.*\b{_NOUN}\b", re.IGNORECASE)


def which(hit: re.Match[str], scene: Scene) -> Picture | None:
    """The picture that a match of WHICH means; None when none fits."""
    told = hit.groupdict()
    if told.get("hero"):
        return next((one for one in scene.pictures if one.is_hero), None)
    if told.get("shows"):
        return _showing(str(told["shows"]), scene)
    if told.get("pronoun"):
        return scene.pictures[0] if len(scene.pictures) == 1 else None
    return numbered(str(told.get("ordinal") or told.get("number") or ""), scene)


def numbered(word: str, scene: Scene) -> Picture | None:
    """“second”, “2”, “last” as a picture."""
    plain = word.casefold()
    if plain in {"last", "latest", "newest"}:
        return scene.pictures[-1] if scene.pictures else None
    digits = re.match(r"\d{1,2}", plain)
    number = int(digits[0]) if digits else _ORDINALS.get(plain, 0)
    return scene.pictures[number - 1] if 0 < number <= len(scene.pictures) else None


def _showing(words: str, scene: Scene) -> Picture | None:
    wanted = content_stems(words)
    fits = [
        one
        for one in scene.pictures
        if wanted and wanted <= content_stems(f"{one.alt} {one.caption}")
    ]
    return fits[0] if len(fits) == 1 else None


def _none(scene: Scene) -> Understanding:
    """Which picture? Says what there is."""
    if not scene.pictures:
        return Understanding(
            "wish", (calls.AskForImages(),), says=_("There is no picture here yet.")
        )
    lines = "\n".join(
        f"{one.number}. {one.alt or one.caption or _('(without words yet)')}"
        + (f" ({_('hero')})" if one.is_hero else "")
        for one in scene.pictures
    )
    asks = _("Which picture do you mean? Say its number.")
    return Understanding("question", asks=f"{asks}\n\n{lines}")


def _hero(hit: re.Match[str], scene: Scene) -> Understanding:
    one = which(hit, scene)
    if one is None:
        return _none(scene)
    if one.is_hero:
        return Understanding(
            "wish", says=_("Picture %(n)d is the hero already.") % {"n": one.number}
        )
    return Understanding("wish", (calls.ReorderImages(hero=one.number),))


def _moved(hit: re.Match[str], scene: Scene) -> Understanding:
    one = which(hit, scene)
    if one is None:
        return _none(scene)
    rest = [other.number for other in scene.pictures if other.number != one.number]
    where = hit["where"].casefold()
    digits = re.search(r"\d+", where)
    if digits:
        at = max(0, min(int(digits[0]) - 1, len(rest)))
    else:
        at = len(rest) if re.search(r"last|end|back", where) else 0
    order = [*rest[:at], one.number, *rest[at:]]
    # what stands first on the page is the hero
    hero = one.number if at == 0 else None
    return Understanding("wish", (calls.ReorderImages(hero=hero, order=order),))


def _swapped(hit: re.Match[str], scene: Scene) -> Understanding:
    a, b = numbered(hit["a"], scene), numbered(hit["b"], scene)
    if a is None or b is None or a == b:
        return _none(scene)
    order = [one.number for one in scene.pictures]
    order[a.number - 1], order[b.number - 1] = b.number, a.number
    hero = order[0] if 1 in {a.number, b.number} and any(p.is_hero for p in (a, b)) else None
    return Understanding("wish", (calls.ReorderImages(hero=hero, order=order),))


def _ordered(hit: re.Match[str], scene: Scene) -> Understanding:
    wanted = list(dict.fromkeys(int(one) for one in re.findall(r"\d{1,2}", hit["order"])))
    if not wanted or max(wanted) > len(scene.pictures) or min(wanted) < 1:
        return _none(scene)
    rest = [one.number for one in scene.pictures if one.number not in wanted]
    return Understanding("wish", (calls.ReorderImages(hero=wanted[0], order=[*wanted, *rest]),))


def _described(hit: re.Match[str], scene: Scene) -> Understanding | None:
    one = which(hit, scene)
    if hit.groupdict().get("pronoun") and one is None:
        return None
    if one is None:
        return _none(scene)
    alt = _words(hit["text"])
    return Understanding("wish", (calls.DescribeImage(image=one.number, alt=alt),))


def _captioned(hit: re.Match[str], scene: Scene) -> Understanding:
    one = which(hit, scene)
    if one is None:
        return _none(scene)
    call = calls.DescribeImage(image=one.number, caption=_words(hit["text"]))
    return Understanding("wish", (call,))


def _words(text: str) -> str:
    plain = " ".join(text.split()).strip(" \"“”'").rstrip(".")
    return (plain[:1].upper() + plain[1:])[:300]


def _gallery(hit: re.Match[str], scene: Scene) -> Understanding:
    if not scene.pictures:
        return _none(scene)
    named = hit["which"] or ""
    words = re.findall(r"\w+", named)
    chosen = [one for word in words if (one := numbered(word, scene)) is not None]
    if not chosen or re.search(r"\ball\b", named):
        chosen = [one for one in scene.pictures if not one.is_hero] or list(scene.pictures)
    block = calls.BlockIn(type="gallery", images=[one.number for one in dict.fromkeys(chosen)])
    return Understanding("wish", (calls.UpdateBlocks(do="append", blocks=[block]),))


def _before_after(hit: re.Match[str], scene: Scene) -> Understanding:
    a, b = numbered(hit["a"], scene), numbered(hit["b"], scene)
    if a is None or b is None or a == b:
        return _none(scene)
    block = calls.BlockIn(type="before_after", images=[a.number, b.number])
    return Understanding("wish", (calls.UpdateBlocks(do="append", blocks=[block]),))


def _removed(_hit: re.Match[str], scene: Scene) -> Understanding:
    if not scene.pictures:
        return _none(scene)
    says = _("Pictures are taken away under “Pictures”, above; undo brings them back.")
    return Understanding("wish", says=says)


_READ: Final = (
    (_REMOVE, _removed),
    (_HERO, _hero),
    (_HERO_IS, _hero),
    (_BEFORE, _before_after),
    (_GALLERY, _gallery),
    (_SWAP, _swapped),
    (_ORDER, _ordered),
    (_FIRST, _moved),
    (_CAPTION, _captioned),
    (_ALT, _described),
    (_SHOWS, _described),
)


def pending_words(pending: Pending, text: str) -> Understanding:
    """The answer to “what is to be seen on picture 2?”."""
    number = int(pending.name or 1)
    call = calls.DescribeImage(image=number, alt=_words(text))
    return Understanding("wish", (call,))
