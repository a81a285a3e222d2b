"""What a project is called and in short about, as far as its own words say."""

from __future__ import annotations

import re
from typing import Final

from projects.language.sentences import sentences

_CALLED: Final = re.compile(
    r"\b(?:called|named|titled|call(?:ing)?\s+it|name\s+it|working\s+title(?:\s+is)?"
    r"|name\s+(?:is|will\s+be))\s*:?\s+(?:[\"'“‘](?P<quoted>[^\"”’\n]{2,80})[\"'”’]"
    r"|(?P<plain>(?:[A-Z0-9][\w&'’-]*)(?:\s+(?:[A-Z0-9][\w&'’-]*|of|the|and|for|&)){0,6}))"
)
_MAKING: Final = re.compile(
    r"\b(?:(?:i|we)(?:'m|’m|'re|’re|\s+am|\s+are)?\s+)?(?:(?:want|need|plan|would\s+like|hope|am\s+going"
    r"|are\s+going|going|trying|thinking)\s+(?:to|of)\s+|(?:'d|’d)\s+like\s+to\s+|let'?s\s+)?"
    r"(?P<verb>build(?:ing)?|creat(?:e|ing)|mak(?:e|ing)|launch(?:ing)?|start(?:ing)?(?:\s+up)?"
    r"|develop(?:ing)?|design(?:ing)?|writ(?:e|ing)|plan(?:ning)?|organi[sz](?:e|ing)|set(?:ting)?\s+up"
    r"|open(?:ing)?|run(?:ning)?|renovat(?:e|ing)|redo(?:ing)?|prepar(?:e|ing)|learn(?:ing)?|train(?:ing)?"
    r"|mov(?:e|ing)|migrat(?:e|ing)|replac(?:e|ing)|automat(?:e|ing)|publish(?:ing)?|record(?:ing)?"
    r"|redesign(?:ing)?|rebuild(?:ing)?|found(?:ing)?|sell(?:ing)?|host(?:ing)?)\s+"
    r"(?:(?:a|an|the|my|our|some)\s+)?(?:(?:new|small|little|simple|nice)\s+)?"
    r"(?P<what>[^\s,.;:!?\n()]+(?:\s+[^\s,.;:!?\n()]+){0,7})",
    re.IGNORECASE,
)
_STOPS: Final = re.compile(
    r"\s+(?:for|that|which|who|to|with|so|because|where|when|and|but|in|by|on|at|from|before|after"
    r"|until|since|as|it|they|we|i|this|next|using|via|about|into|during|while|is|are|has|have)\b.*$",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
_PLAIN_VERBS: Final = frozenset(
    "build building create creating make making launch launching start starting develop developing"
    .split()
)  # fmt: skip
_INFINITIVES: Final = {
    "writing": "write", "planning": "plan", "organising": "organise", "organizing": "organize",
    "setting up": "set up", "opening": "open", "running": "run", "renovating": "renovate",
    "designing": "design", "preparing": "prepare", "learning": "learn", "training": "train",
    "moving": "move", "migrating": "migrate", "replacing": "replace", "automating": "automate",
    "publishing": "publish", "recording": "record", "redesigning": "redesign",
    "rebuilding": "rebuild", "founding": "found", "selling": "sell", "hosting": "host",
}  # fmt: skip
NAME_CHARS: Final = 60
_LEAD_IN: Final = re.compile(
    r"^(?:(?:so|well|hi|hello|hey|ok|okay)[\s,!.]+)*(?:(?:my|our|the)\s+(?:project|plan|idea)\s+is\s+(?:to\s+)?"
    r"|(?:i|we)(?:\s+(?:want|need|plan|hope|have|would\s+like|am\s+going|are\s+going)|'d\s+like|’d\s+like)\s+to\s+)?",
    re.IGNORECASE,
)  # fmt: skip


def name_in(text: str, *, only_given: bool = False) -> str:
    """A name for the project: the one that is given, else what is being made; "" for none.

    “Building a fitness app for tracking workouts” is a “Fitness app”; “renovating the kitchen” is
    “Renovate the kitchen”.
    """
    given = _CALLED.search(text)
    if given:
        return (given["quoted"] or given["plain"]).strip(" .,")[:NAME_CHARS]
    if only_given:
        return ""
    made = _MAKING.search(text)
    if made:
        what = _STOPS.sub("", f" {made['what']}").strip(" .,-'’\"")
        verb = " ".join(made["verb"].lower().split())
        if what and verb in _PLAIN_VERBS:
            return _capital(what)
        if what:
            article = re.search(r"\b(?:the|my|our|a|an)\s+$", made.group(0)[: made.start("what")
                                - made.start()], re.IGNORECASE)  # fmt: skip
            between = article.group(0).lower() if article else ""
            return _capital(f"{_INFINITIVES.get(verb, verb)} {between}{what}")
    first = next((one.text for one in sentences(text)), "")
    words = _LEAD_IN.sub("", first).split()
    return _capital(" ".join(words[:6]).strip(" .,;:!?")) if words else ""


def _capital(text: str) -> str:
    cut = text if len(text) <= NAME_CHARS else text[:NAME_CHARS].rsplit(" ", 1)[0]
    return cut[:1].upper() + cut[1:]
