"""What an answer is, besides its content: vague, “I don't know”, a wish about the talk."""

from __future__ import annotations

import re
from typing import Final

from futura.text import content_stems, words

_UNKNOWN: Final = re.compile(
    r"^\W*(?:(?:hmm+|uh+|well|honestly|sorry|oh|um+)[\s,.]+)*(?:i\s+)?(?:really\s+|just\s+|still\s+)?"
    r"(?:do\s?n[o'’]?t\s+(?:really\s+)?know|dunno|have\s+no\s+idea|no\s+idea|no\s+clue|not\s+sure"
    r"|unsure|can[’']?t\s+say|couldn[’']?t\s+say|haven[’']?t\s+(?:really\s+)?thought|have\s+not\s+thought"
    r"|tbd|to\s+be\s+decided|skip(?:\s+(?:it|this|that))?|pass|n/?a|next(?:\s+question)?|later"
    r"|not\s+decided|undecided|no\s+answer|i'?m\s+not\s+sure|i’m\s+not\s+sure|i\s+am\s+not\s+sure)\b"
    r"(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_VAGUE: Final = re.compile(
    r"^\W*(?:(?:it|that)\s+(?:should|would|will)\s+be\s+)?(?:just\s+|probably\s+|maybe\s+|hopefully\s+"
    r"|i guess\s+|i think\s+)*(?:something|some\s?things?|stuff|various(?:\s+things)?|a few(?:\s+things)?"
    r"|some(?:\s+of\s+it)?|a bit|a lot|lots|many(?:\s+things)?|several|the usual(?:\s+\w+)?|usual stuff"
    r"|it depends|depends|maybe|perhaps|possibly|soon|sometime|some day|someday|eventually|whenever"
    r"|as soon as possible|asap|good|great|nice|fine|well|better|ok(?:ay)?|normal|standard|enough"
    r"|not much|not many|not a lot|a little|whatever|anything|things|people|some people|everyone|everybody"
    r"|the best|happy(?:\s+\w+)?|successful|to be successful|works?\s+well|good\s+quality|it\s+works)"
    r"(?:\s+(?:i guess|i think|probably|really|maybe|or so|hopefully))*\W*$",
    re.IGNORECASE,
)
_ASK_ME: Final = re.compile(
    r"\b(?:ask|quiz|interview)\s+me\s+(?:(?:some\s?thing|more|again|a\s+question)\s+)?(?:about|on|regarding)"
    r"\s+(?P<what>[^.!?\n]{2,80})"
    r"|\b(?:let'?s|let’s|can we|could we|i(?:'d| would) like to|i want to)\s+(?:talk|speak)\s+(?:more\s+)?"
    r"(?:about|on)\s+(?P<talk>[^.!?\n]{2,80})",
    re.IGNORECASE,
)  # fmt: skip
_SPECIFIC: Final = re.compile(
    r"\d|(?<=[a-z,;:] )[A-Z][a-z]+|\b(?:me|myself|none|nobody|no one|nothing)\b"
)


def is_unknown(text: str) -> bool:
    """“I don't know”, “skip”, without an answer behind it."""
    found = _UNKNOWN.match(text)
    return found is not None and len(content_stems(found["rest"])) < 4


def is_vague(text: str) -> bool:
    """An answer that could be anybody's: no number, no name, nothing one could hold on to."""
    if _SPECIFIC.search(text):
        return False
    return bool(_VAGUE.match(text)) or (len(words(text)) <= 4 and len(content_stems(text)) <= 1)


_CLOSING: Final = re.compile(
    r"^\W*(?:(?:great|good|perfect|fine|ok(?:ay)?|nice|cool|no(?:pe)?|all\s+right|alright)[\s,.!]+)*"
    r"(?:thanks?(?:\s+you)?(?:\s+(?:so\s+|very\s+)?much|\s+a\s+lot)?|thx|cheers|bye|goodbye|see\s+you"
    r"|that(?:'s|’s|\s+is|\s+was|\s+will\s+be)\s+(?:it|all|everything|enough)(?:\s+for\s+(?:now|today))?"
    r"|nothing\s+(?:else|more)|not\s+(?:now|yet|today)|all\s+(?:good|done|set)|(?:i'?m|i’m|we'?re|we’re)\s+(?:done|good)"
    r"|no(?:pe|thing)?)"
    r"(?:[\s,.!]+(?:thanks?(?:\s+you)?|bye|that(?:'s|’s|\s+is)\s+(?:it|all)|for\s+now|else))*\W*$",
    re.IGNORECASE,
)  # fmt: skip


_GREETING: Final = re.compile(
    r"^\W*(?:hi|hello|hey|hiya|good\s+(?:morning|afternoon|evening|day)|greetings|moin)(?:\s+(?:there|futura|all"
    r"|again))?(?:[\s,.!]+(?:how\s+are\s+you(?:\s+(?:today|doing))?|nice\s+to\s+meet\s+you))?\W*$",
    re.IGNORECASE,
)


def is_greeting(text: str) -> bool:
    """Only says hello."""
    return bool(_GREETING.match(text))


def is_closing(text: str) -> bool:
    """Has nothing more to say: “no”, “thanks”, “that’s all for now”."""
    return bool(_CLOSING.match(text))


def asked_about(text: str) -> str:
    """What somebody wants to be asked about (“ask me about the risks”); empty for no such wish."""
    found = _ASK_ME.search(text)
    return (found["what"] or found["talk"]).strip() if found else ""
