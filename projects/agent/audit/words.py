"""What the auditing conversation says by itself; the harshness changes the words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from projects.agent.audit.auditing import Audit
from projects.agent.audit.findings import Area, Finding, Severity
from projects.agent.create.questions import varied

GENTLE: Final = re.compile(
    r"\b(?:gentl\w+|kind(?:ly|er)?|soft\w*|easy on me|5\s*(?:/|of|out of)\s*10|milder)\b",
    re.IGNORECASE,
)
HARSH: Final = re.compile(
    r"\b(?:harsh\w*|brutal\w*|merciless\w*|hard on me|be (?:hard|tough|strict|blunt)|strict\w*"
    r"|8\s*(?:/|of|out of)\s*10|blunt\w*|no mercy)\b", re.IGNORECASE,
)  # fmt: skip
IMPLEMENT: Final = re.compile(
    r"\b(?:implement|apply|take (?:them |these |those |it |all )?up|carry (?:\w+ ){0,2}out"
    r"|put (?:\w+ ){0,2}into (?:the plan|practice)|do (?:these|them|those|all|number|\d)"
    r"|(?:fix|mend) (?:these|them|those|that|it|all|number|\d)|add (?:these|them|those))\b"
    r"|^\W*yes\b.{0,20}\bhelp\b",
    re.IGNORECASE,
)
_NUMBERS: Final = re.compile(r"(?<![\w.])\d{1,2}(?!\s*(?:/|of|days?|weeks?|%))\b")
_WOULD: Final[dict[int, str | Promise]] = {
    5: gettext_lazy("You could %(what)s."),
    7: gettext_lazy("I would %(what)s."),
    8: gettext_lazy("Do this: %(what)s."),
}
_LEADS: Final[dict[tuple[int, int], str | Promise]] = {
    (5, Severity.CRITICAL): gettext_lazy("Worth a second look before you go on: "),
    (5, Severity.SERIOUS): gettext_lazy("Worth a thought: "),
    (7, Severity.CRITICAL): gettext_lazy("This one matters most: "),
    (8, Severity.CRITICAL): gettext_lazy("This can sink the project: "),
    (8, Severity.SERIOUS): gettext_lazy("This is a real gap: "),
}
_RULES_OUT: Final = gettext_lazy("Tick what you want to take up below, and I put it before you as "
                                 "changes; nothing is changed before you approve it.")  # fmt: skip


def opening(name: str, seed: str) -> str:
    """Announces the reading and asks for the concern."""
    told = {"name": name}
    return varied(
        (
            _("I will read **%(name)s** as somebody who does not believe it yet: gaps, risks, what "
              "does not fit together. What worries you most about it?") % told,
            _("Let me go through **%(name)s** and look for what could trip it up. Before I start: "
              "which part are you least sure of?") % told,
            _("A frank look at **%(name)s**: what is missing, what contradicts itself, what may "
              "not hold. Where does your own doubt sit?") % told,
        ),
        seed,
    )  # fmt: skip


def chosen(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings that a wish to implement means: those numbered in it, else all with a change."""
    numbers = [int(one) for one in _NUMBERS.findall(text)]
    if numbers:
        return [findings[n - 1] for n in dict.fromkeys(numbers) if 1 <= n <= len(findings)]
    return [one for one in findings if one.fix is not None]


def put_before(waiting: int) -> str:
    """Says where the changes wait."""
    words = ngettext(
        "I have put %(n)d change before you in a conversation of its own. Nothing is different "
        "until you approve it there.",
        "I have put %(n)d changes before you in a conversation of their own. Nothing is different "
        "until you approve them there.",
        waiting,
    )
    return words % {"n": waiting}


def harshness_words(harshness: int) -> str:
    """How the setting is called."""
    names = {5: _("gentle, 5 of 10"), 7: _("frank, 7 of 10"), 8: _("hard, 8 of 10")}
    return names[harshness]


def overall(audit: Audit, harshness: int) -> str:
    """The judgement in two sentences."""
    grave = sum(one.severity == Severity.CRITICAL for one in audit.findings)
    serious = sum(one.severity == Severity.SERIOUS for one in audit.findings)
    if not audit.findings:
        return _("I find nothing that should stop you. That is rare.")
    if grave:
        words = {
            5: _("There is a good core here, and a few things deserve care before you go on."),
            7: _("There is something to build on, but as it stands it would not hold."),
            8: _("As it stands, this would fail. It can be mended, and here is where."),
        }
    elif serious > 2:
        words = {
            5: _("It stands on its feet; some parts want a closer look."),
            7: _("The plan holds in its core and has gaps that will cost you later."),
            8: _("Too much of this rests on hope. The gaps are plain to see."),
        }
    else:
        words = {
            5: _("This is in good shape; what follows is fine tuning."),
            7: _("This is in decent shape. What I have is worth an afternoon."),
            8: _("Decent, but not done. What is left is work, not thinking."),
        }
    return words[harshness]


def audit_text(audit: Audit, harshness: int, name: str) -> str:
    """The whole audit as Markdown: judgement, what works, findings, and a constructive end."""
    parts = [f"**{_('In short')}**\n\n{audit.overall or overall(audit, harshness)}"]
    parts.append("\n".join([f"**{_('What works')}**", "", *_strengths(audit)]))
    if audit.findings:
        parts.append(f"**{_('What I found')}**")
        parts += [finding_text(n, one, harshness) for n, one in enumerate(audit.findings, 1)]
    if audit.rest:
        words = ngettext(
            "I left out %(n)d smaller thing; ask for the rest when these are settled.",
            "I left out %(n)d smaller things; ask for the rest when these are settled.",
            len(audit.rest),
        )
        parts.append(words % {"n": len(audit.rest)})
    parts.append(closing(audit, name))
    return "\n\n".join(parts)


def _strengths(audit: Audit) -> list[str]:
    return [f"- {one.text}{_quotes(one.evidence[:1])}" for one in audit.strengths]


def finding_text(number: int, one: Finding, harshness: int) -> str:
    """One finding: what, by which words, a question, what to do."""
    lead = str(_LEADS.get((harshness, one.severity), ""))
    said = one.observation if not lead else one.observation[:1].lower() + one.observation[1:]
    if said[:1] in '“"' or (lead and one.observation[:1].isdigit()):
        said = one.observation
    head = f"{number}. **{one.area_name}, {one.severity_name}.** {lead}{said}"
    would = str(_WOULD[harshness]) % {"what": one.recommendation.rstrip(". ")}
    lines = [f"{head}{_quotes(one.evidence)}", "", f"   {one.question} {would}"]
    return "\n".join(lines)


def _quotes(evidence: list) -> str:  # type: ignore[type-arg] # of Evidence
    quotes = [" ".join(one.quote.split()) for one in evidence[:2] if one.quote.strip()]
    return "".join(f" *“{one.replace('*', '')}”*" for one in quotes)


def closing(audit: Audit, name: str) -> str:
    """Ends with what to do first, and how."""
    if not audit.findings:
        return _("Go on, and ask me again when something has changed.")
    first = audit.findings[0]
    words = _(
        "None of this speaks against **%(name)s**; most of it is an afternoon's work. If you do "
        "one thing, %(what)s."
    ) % {"name": name, "what": first.recommendation.rstrip(". ")}
    return f"{words} {_RULES_OUT}"


def about(number: int, one: Finding, harshness: int) -> str:
    """More on one finding."""
    belongs = one.dimension_name
    parts = [finding_text(number, one, harshness)]
    if belongs:
        parts.append(_("It belongs to %(dimension)s.") % {"dimension": belongs.lower()})
    if one.fix:
        parts.append(_("Tick it in the list, and I propose the change for your approval."))
    return "\n\n".join(parts)


def rest_text(rest: Sequence[Finding], told: int, harshness: int) -> str:
    """What was left out; its numbers go on behind those that were told."""
    if not rest:
        return _("There is no rest: that was all I found.")
    parts = [finding_text(told + n, one, harshness) for n, one in enumerate(rest, 1)]
    return "\n\n".join([_("The smaller things:"), *parts])


_NEXT: Final = (
    gettext_lazy("Understood. The next one: %(question)s"),
    gettext_lazy("I keep that in mind; the project itself stays as it is. And: %(question)s"),
    gettext_lazy("Good. Another one: %(question)s"),
    gettext_lazy("That helps. Then: %(question)s"),
)
_CLOSING: Final = (
    gettext_lazy("Good. What you want to take up you can tick above, now or later."),
    gettext_lazy("All right. Come back and say “audit again” when something has changed."),
)


def next_question(one: Finding, seed: str) -> str:
    """The next probing question."""
    return varied(_NEXT, seed) % {"question": one.question}


def ended(seed: str) -> str:
    """The person has nothing more to say."""
    return varied(_CLOSING, seed)


def all_asked() -> str:
    """Nothing is left to ask."""
    return _(
        "Those were my questions. Tick what you want to take up and press “Implement these”, or "
        "say “audit again” when something has changed."
    )


def gone() -> str:
    """The project is not there any more."""
    return _(
        "The project of this conversation is not there any more, so there is nothing to audit."
    )


def area_in(text: str) -> list[str]:
    """Areas that a text names."""
    cues = {
        Area.CONSISTENCY: r"consisten\w+|contradict\w*|fit together",
        Area.RISKS: r"risks?|go wrong|danger\w*|worr\w+",
        Area.FEASIBILITY: r"feasib\w+|realistic\w*|deadline|too much|workload|schedule|time",
        Area.MISSING: r"missing|forgot\w*|gaps?|overlook\w*",
        Area.COMPLETENESS: r"complete\w*|thin|vague",
    }
    return [
        area.value
        for area, pattern in cues.items()
        if re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE)
    ]
