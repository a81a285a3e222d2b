"""Wishes about the work as a whole: draft, layout, check, publish, undo, help, what there is."""

from __future__ import annotations

import re
from typing import Any, Final

from projects.portfolio.builder import calls
from projects.portfolio.builder.calls import Call
from projects.portfolio.builder.understanding.shapes import Scene, Understanding

_IT: Final = r"(?:it|this|that|the\s+(?:entry|project|page|piece|story|whole\s+thing|text|description)|everything|all)"
_STEPS: Final[tuple[tuple[str, str], ...]] = (
    (
        "undo",
        (
            rf"^(?:undo|revert|take\s+back|roll\s+back)(?:\s+(?:{_IT}|the\s+last\s+(?:change|one|step)))?(?:\s+back)?$"
            rf"|^(?:take|put|change|set)\s+(?:it|that|this)\s+back(?:\s+again)?$|^back\s+again$"
        ),
    ),
    (
        "unpublish",
        (
            rf"^(?:unpublish|hide|withdraw)(?:\s+{_IT})?(?:\s+again)?$|^take\s+{_IT}\s+(?:offline|down|off(?:\s+the\s+(?:web|page|internet))?)(?:\s+again)?$"
            rf"|^make\s+{_IT}\s+(?:private|a\s+draft)(?:\s+again)?$"
        ),
    ),
    (
        "publish",
        (
            rf"^(?:publish|release)(?:\s+{_IT})?(?:\s+(?:now|then|please|already))*$|^(?:put|bring|get)\s+{_IT}\s+(?:online|live|on(?:to)?\s+(?:the\s+)?(?:page|web|portfolio|internet))$"
            rf"|^(?:make|let)\s+{_IT}\s+(?:be\s+)?(?:public|visible)$|^go\s+live$"
        ),
    ),
    (
        "validate",
        (
            rf"^(?:validate|may|can)\s+(?:i\s+publish\s+)?{_IT}$|^can\s+(?:i|we|it|this)\s+(?:be\s+)?publish(?:ed)?(?:\s+{_IT})?(?:\s+now|\s+already)?$"
            rf"|^is\s+{_IT}\s+ready(?:\s+to\s+(?:be\s+)?publish(?:ed)?)?$"
        ),
    ),
    (
        "check",
        (
            rf"^(?:(?:check|review|proof\s?read|look\s+over|go\s+over|read)\s+(?:through\s+)?{_IT}(?:\s+(?:over|through))?(?:\s+(?:for\s+me|before\s+\w+\s+publish\w*|again|now|once\s+more))*"
            rf"|check|what(?:'s|’s|\s+is)\s+(?:still\s+)?(?:missing|left|wrong)(?:\s+(?:in|with|from)\s+{_IT})?|what\s+(?:else\s+)?(?:is|does\s+it)\s+(?:still\s+)?(?:need(?:ed|s)?|lack\w*)"
            rf"|how\s+(?:good\s+is|does)\s+{_IT}(?:\s+look)?|what\s+(?:could|can|should)\s+(?:be\s+better|i\s+improve|be\s+improved)|how\s+can\s+i\s+improve\s+{_IT})$"
        ),
    ),
    (
        "draft",
        (
            rf"^(?:(?:write|generate|draft|make|create|compose|prepare|give\s+me)\s+(?:me\s+)?(?:{_IT}\s+up|up\s+{_IT}|(?:a|the|me\s+a|the\s+portfolio)\s+(?:first\s+)?(?:draft|text|content|story|case\s+study|description)(?:\s+now|\s+of\s+it)?"
            rf"|(?:{_IT})\s+(?:better|nicer|tidier|into\s+(?:a\s+)?(?:text|story|draft))|{_IT}|the\s+portfolio\s+content\s+now|content)|write\s+up|tidy\s+(?:{_IT}\s+)?up|tidy\s+{_IT}|polish\s+{_IT}|clean\s+{_IT}\s+up)(?:\s+(?:now|then|please))*$"
        ),
    ),
    (
        "layout",
        (
            rf"^(?:lay\s+{_IT}\s+out|lay\s+out\s+{_IT}|(?:propose|suggest|make|compose|try|show\s+me|do|find|give\s+me)\s+(?:me\s+)?(?:a|the|another|some)\s+(?:better\s+)?lay\s?out(?:\s+for\s+{_IT})?"
            rf"|arrange\s+(?:{_IT}|the\s+(?:blocks|page))|lay\s?out(?:\s+{_IT})?|(?:re)?order\s+(?:the\s+)?(?:blocks|sections))(?:\s+(?:now|then|please|better|nicely|again))*$"
        ),
    ),
    (
        "preview",
        rf"^(?:show|open|let\s+me\s+see|see)\s+(?:me\s+)?(?:the\s+)?(?:(?:live\s+)?preview|page|result|how\s+{_IT}\s+looks(?:\s+now)?|{_IT})$|^preview$|^how\s+does\s+{_IT}\s+look(?:\s+now)?$",
    ),
    (
        "status",
        (
            rf"^(?:what\s+(?:do\s+(?:you|we)\s+have|have\s+(?:you|we)\s+got|did\s+you\s+(?:note|write(?:\s+down)?)|do\s+you\s+know)(?:\s+(?:so\s+far|already|down|now))*"
            rf"|(?:summari[sz]e|sum\s+up|recap)(?:\s+{_IT})?(?:\s+so\s+far)?|where\s+(?:are|were)\s+we|what(?:'s|’s|\s+is)\s+(?:in\s+)?(?:it|there)(?:\s+so\s+far|\s+now)|(?:show|tell|give)\s+me\s+(?:what\s+(?:you|we)\s+have|the\s+facts|a\s+summary)(?:\s+so\s+far)?)$"
        ),
    ),
    (
        "more",
        r"^(?:ask\s+(?:me\s+)?(?:more|another|again|the\s+next|something(?:\s+else)?|away|on)(?:\s+questions?|\s+one)?|(?:go|carry|keep)\s+on(?:\s+asking)?|continue(?:\s+(?:the\s+interview|asking))?|what\s+else(?:\s+do\s+you\s+(?:need|want\s+to\s+know))?|more\s+questions|interview\s+me|go\s+ahead(?:\s+and\s+ask)?)$",
    ),
    (
        "help",
        r"^(?:help(?:\s+me)?|what\s+can\s+(?:you|i)\s+(?:do|say|ask)(?:\s+(?:here|for\s+me|now))?|how\s+does\s+this\s+work|what\s+(?:is|are)\s+(?:this|you)|what\s+should\s+i\s+(?:say|do|write)(?:\s+(?:here|now|first|next))?|what\s+(?:now|next|comes\s+next))$",
    ),
)
_RE: Final = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _STEPS)
_REGENERATE: Final = re.compile(
    r"^(?:(?:re)?(?:write|word|phrase|generate|do|think\s+of|suggest|propose|give\s+me|find|make|try|come\s+up\s+with|shorten|improve)(?:\s+(?:me|up|again))*)\s+"
    r"(?:(?:a|an|the|my|another|some)\s+)?(?:(?P<how>better|new|other|different|shorter|longer|catchier|punchier|plainer|simpler|good|fresh|nicer)\s+)?"
    r"(?P<what>title|headline|name|summary|one[- ]liner|(?:seo|search|meta)\s+(?:title|description|texts?)|description\s+for\s+search(?:\s+engines)?)s?(?:\s+(?:for\s+(?:it|this)|again|anew|shorter|please))*$"
    r"|^(?:another|a\s+(?:better|new|different|shorter|catchier))\s+(?P<what2>title|headline|name|summary|(?:seo|search)\s+(?:title|description))(?:\s+please)?$"
    r"|^(?:shorten|improve)\s+the\s+(?P<what3>title|summary)$",
    re.IGNORECASE,
)


def step_wish(text: str, scene: Scene) -> Understanding | None:
    """What a sentence wants done with the whole; None when it is about something else."""
    plain = text.strip(" .!?…").strip()
    name = next((name for name, pattern in _RE if pattern.match(plain)), "")
    if (
        name == "check"
        and scene.open
        and not text.rstrip().endswith("?")
        and len(plain.split()) > 6
    ):
        return None
    if name:
        return _step(name, scene)
    hit = _REGENERATE.match(plain)
    if hit is not None:
        what = (hit["what"] or hit["what2"] or hit["what3"]).casefold()
        section: Any = _section(what)
        return Understanding("wish", (calls.Regenerate(section=section, wish=plain[:300]),))
    return None


def _section(what: str) -> str:
    if "search" in what or "seo" in what or "meta" in what:
        return "seo_title" if "title" in what else "seo_description"
    return "summary" if what.startswith(("summary", "one")) else "title"


def _step(name: str, _scene: Scene) -> Understanding:
    if name in {"status", "more", "help"}:
        kind: Any = name
        return Understanding(kind)
    return Understanding("wish", (_CALLS[name],))


_CALLS: Final[dict[str, Call]] = {
    "undo": calls.Undo(),
    "unpublish": calls.Publish(public=False),
    "publish": calls.Publish(),
    "validate": calls.Validate(),
    "check": calls.CheckReady(),
    "draft": calls.Generate(),
    "layout": calls.Compose(),
    "preview": calls.Preview(),
}


def deep_wanted(text: str) -> frozenset[str]:
    """Names of the slower tools that a message asks for, sentence by sentence."""
    found = set()
    for part in re.split(r"(?<=[.!?])\s+|\n+|,\s*(?:and\s+|then\s+)?|\s+and\s+(?:then\s+)?", text):
        plain = re.sub(
            r"^(?:please|now|then|ok(?:ay)?|and|can\s+you|could\s+you)\W+",
            "",
            part.strip(" .!?…"),
            flags=re.IGNORECASE,
        )
        name = next((name for name, pattern in _RE if pattern.match(plain)), "")
        call = _CALLS.get(name)
        if isinstance(call, calls.DEEP):
            found.add(call.tool)
    return frozenset(found)
