"""Completeness: which of the nine dimensions say too little, or say themselves that they do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.agent.audit.findings import Area, Finding, Fix, Severity, Subject, quoted
from projects.agent.audit.sentences import sentences_of
from projects.completeness import Level
from projects.dimensions import DIMENSIONS

Words = str | Promise


@dataclass(frozen=True)
class Gap:
    """What the want of a dimension leads to, what to ask, and what to do."""

    consequence: Words
    question: Words
    recommendation: Words
    task: Words


GAPS: Final[Mapping[str, Gap]] = {
    "core_integrity_ideals": Gap(
        gettext_lazy("Nobody can tell when this is good enough."),
        gettext_lazy("By what would a stranger see that it has succeeded?"),
        gettext_lazy("write down two or three signs of success, and what must not suffer for them"),
        gettext_lazy("Write down what success looks like"),
    ),
    "core_people_bonds": Gap(
        gettext_lazy("Who does what, and who has to agree, is left to chance."),
        gettext_lazy("Who would be surprised to learn of this project, and should not be?"),
        gettext_lazy("name who works on it, who decides, and who has to be told"),
        gettext_lazy("Name who works on it, decides, and is told"),
    ),
    "core_goals_momentum": Gap(
        gettext_lazy("Without milestones nobody notices when it stops moving."),
        gettext_lazy("What must be true a month from now for this to be on its way?"),
        gettext_lazy("set three milestones, each with a day"),
        gettext_lazy("Set three milestones, each with a day"),
    ),
    "core_meaning_identity": Gap(
        gettext_lazy("When it gets hard, nothing here says why to go on."),
        gettext_lazy("What if it were never done: who would miss it?"),
        gettext_lazy("write one sentence on why it matters, and to whom"),
        gettext_lazy("Write one sentence on why it matters"),
    ),
    "core_reality_understanding": Gap(
        gettext_lazy("Without the present state there is nothing to measure progress against."),
        gettext_lazy("How is it done today, and what exactly is wrong with that?"),
        gettext_lazy("describe the present state and its limits in figures where you can"),
        gettext_lazy("Describe how it is done today"),
    ),
    "core_trust_safeguards": Gap(
        gettext_lazy("Nothing here prepares for what may go wrong."),
        gettext_lazy("What if the person you count on most is gone for a month?"),
        gettext_lazy("list the three worst things that could happen, and your answer to each"),
        gettext_lazy("List what could go wrong, with an answer to each"),
    ),
    "core_opportunity_freedom": Gap(
        gettext_lazy("Only one way is described; that the others were weighed cannot be seen."),
        gettext_lazy("What if this way turned out to be closed: which is the next best?"),
        gettext_lazy("name one alternative, and the sign on which you would take it"),
        gettext_lazy("Name one alternative, and when to take it"),
    ),
    "core_power_resources": Gap(
        gettext_lazy("Whether time, money and hands suffice cannot be judged."),
        gettext_lazy("How many hours a week are really free for this, and whose?"),
        gettext_lazy("put figures to time, money and hands"),
        gettext_lazy("Put figures to time, money and hands"),
    ),
    "core_harmony_integration": Gap(
        gettext_lazy("Nothing here would tell you early that it goes wrong."),
        gettext_lazy("When do you next look at it, with whom, and what do you look at?"),
        gettext_lazy("fix a day on which you look at progress, and the one figure you look at"),
        gettext_lazy("Fix a day and a figure for looking at progress"),
    ),
}
# the level up to which a dimension counts as too thin, by harshness
THIN: Final = {5: Level.OPEN, 7: Level.START, 8: Level.PARTLY}
_OPEN: Final = re.compile(
    r"\b(?:tbd|tbc|todo|to be (?:decided|confirmed|defined)|(?:still|yet) (?:open|unclear)"
    r"|not (?:yet )?(?:sure|decided|known|clear)|undecided|unknown|no idea"
    r"|(?:do not|don['’]t) know)\b|\?\s*$", re.IGNORECASE,
)  # fmt: skip


def completeness(subject: Subject) -> Iterator[Finding]:
    """Thin dimensions, the ones that are always asked first, and sentences left open."""
    for dimension in DIMENSIONS:
        standing = subject.standing(dimension.field)
        if standing.level <= THIN[subject.harshness] and not standing.is_left_open:
            yield _thin(subject, dimension.field)
        yield from _left_open(subject, dimension.field)


def _thin(subject: Subject, name: str) -> Finding:
    standing, gap = subject.standing(name), GAPS[name]
    text = subject.text(name)
    told = {"name": standing.dimension.name, "consequence": gap.consequence}
    if standing.level == Level.OPEN:
        words = _("Nothing is said on %(name)s. %(consequence)s")
    else:
        words = _("%(name)s is only begun. %(consequence)s")
    is_needed = standing.dimension.is_always_asked
    severity = Severity.SERIOUS if is_needed or standing.level == Level.OPEN else Severity.MINOR
    if is_needed and standing.level == Level.OPEN:
        severity = Severity.CRITICAL
    return Finding(
        id=f"thin-{name}",
        area=Area.COMPLETENESS,
        severity=severity if standing.level < Level.PARTLY else Severity.MINOR,
        observation=words % told,
        question=str(gap.question),
        recommendation=str(gap.recommendation),
        dimension=name,
        evidence=[quoted(name, text, 0, len(text))] if text.strip() else [],
        fix=Fix(kind="task", values={"title": str(gap.task), "details": str(gap.question)}),
    )


def _left_open(subject: Subject, name: str) -> Iterator[Finding]:
    """One finding for all that a dimension leaves open."""
    text = subject.text(name)
    found = [one for one in sentences_of(text) if _OPEN.search(one.text)]
    if not found:
        return
    first = found[0].text.rstrip(".?! ")
    yield Finding(
        id=f"open-{name}",
        area=Area.COMPLETENESS,
        severity=Severity.SERIOUS if len(found) > 1 else Severity.MINOR,
        observation=_("%(name)s says itself that something is not decided.")
        % {"name": subject.standing(name).dimension.name},
        question=_("What keeps you from deciding it, and until when can it wait?"),
        recommendation=_("give the open question a day by which it is answered"),
        dimension=name,
        evidence=[quoted(name, text, one.start, one.end) for one in found[:3]],
        fix=Fix(kind="task", values={"title": _("Decide: %(what)s") % {"what": first[:150]}}),
    )
