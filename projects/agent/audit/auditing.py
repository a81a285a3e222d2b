"""The audit by rules: every rule over the subject, the strongest findings, what works, in order."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import BaseModel, Field

from projects.agent.audit.findings import Area, Evidence, Finding, Severity, Subject, is_grounded
from projects.agent.audit.findings import quoted as quote_of
from projects.agent.audit.rules.completeness import completeness
from projects.agent.audit.rules.consistency import consistency
from projects.agent.audit.rules.feasibility import feasibility
from projects.agent.audit.rules.missing import missing
from projects.agent.audit.rules.risks import ANSWER, RISK, risks
from projects.agent.audit.sentences import sentences_of
from projects.agent.readers import Plan
from projects.completeness import Level
from projects.completeness import completeness as standings_of
from projects.forecasting.results import Result, forecast
from projects.forecasting.wording import percent
from projects.models import Task

RULES: Final = (consistency, risks, feasibility, missing, completeness)
HARSHNESS: Final = (5, 7, 8)
# how many findings are told, and the least severity, by harshness
TOLD: Final = {5: 6, 7: 10, 8: 14}
LEAST: Final = {5: Severity.SERIOUS, 7: Severity.MINOR, 8: Severity.MINOR}
FEW: Final = 3


class Strength(BaseModel):
    """Something that works, with the words that show it where there are any."""

    text: str
    evidence: list[Evidence] = Field(default_factory=list)


class Audit(BaseModel):
    """Everything that an audit says."""

    strengths: list[Strength]
    findings: list[Finding]
    rest: list[Finding] = Field(default_factory=list)
    overall: str = ""


def subject_of(plan: Plan, today: dt.date, harshness: int) -> Subject:
    """What is audited, with the forecast computed."""
    return Subject(
        project=plan.project,
        tasks=plan.tasks,
        picture=plan.picture,
        inputs=plan.inputs,
        standings=tuple(standings_of(plan.project)),
        result=forecast(plan.inputs),
        today=today,
        harshness=harshness if harshness in TOLD else 7,
        needs={one.id: one.depends_on for one in plan.inputs.tasks},
    )


def audited(subject: Subject, focus: Sequence[str] = ()) -> Audit:
    """The audit by rules; `focus` are dimensions or areas to put first."""
    found = [one for rule in RULES for one in rule(subject)]
    return chosen(subject, found, strengths_of(subject), focus)


def chosen(
    subject: Subject,
    found: Sequence[Finding],
    strengths: Sequence[Strength],
    focus: Sequence[str] = (),
) -> Audit:
    """The findings that are told: grounded, the gravest first, as many as the harshness allows."""
    grounded = [one for one in found if all(is_grounded(e, subject) for e in one.evidence)]
    ordered = sorted(grounded, key=lambda one: (not _is_in(one, focus), -one.severity))
    harsh = [one for one in ordered if one.severity >= LEAST[subject.harshness]]
    kept = harsh if len(harsh) >= FEW else ordered[:FEW]
    told = kept[: TOLD[subject.harshness]]
    rest = [one for one in ordered if one not in told]
    return Audit(strengths=list(strengths), findings=told, rest=rest)


def _is_in(finding: Finding, focus: Sequence[str]) -> bool:
    return finding.dimension in focus or finding.area in focus


def strengths_of(subject: Subject) -> list[Strength]:
    """What works: complete dimensions, answered risks, a plan that holds, work that is done."""
    found = [*_complete(subject), *_answered(subject), *_planned(subject), *_done(subject)]
    if not found:
        words = _("You have put it into words, so that it can be looked at. Most plans never are.")
        found = [Strength(text=words)]
    return found[:4]


def _complete(subject: Subject) -> list[Strength]:
    whole = [one for one in subject.standings if one.level == Level.COMPLETE]
    if not whole:
        return []
    names = ", ".join(str(one.dimension.name) for one in whole[:4])
    first = whole[0].dimension.field
    text = subject.text(first)
    sentence = next(sentences_of(text), None)
    evidence = [quote_of(first, text, sentence.start, sentence.end)] if sentence else []
    words = ngettext("%(names)s is well described.", "%(names)s are well described.", len(whole))
    return [Strength(text=words % {"names": names}, evidence=evidence)]


def _answered(subject: Subject) -> list[Strength]:
    name = "core_trust_safeguards"
    text = subject.text(name)
    for one in sentences_of(text):
        if RISK.search(one.text) and ANSWER.search(one.text):
            evidence = [quote_of(name, text, one.start, one.end)]
            return [
                Strength(text=_("A risk is named together with its answer."), evidence=evidence)
            ]
    return []


def _planned(subject: Subject) -> list[Strength]:
    result = subject.result
    if not isinstance(result, Result) or (result.on_time or 0) < 0.75:
        return []
    words = _("The end date holds in %(percent)d of 100 simulated courses.")
    return [Strength(text=words % {"percent": percent(result.on_time or 0)})]


def _done(subject: Subject) -> list[Strength]:
    done = sum(task.status == Task.Status.COMPLETED for task in subject.tasks)
    if not done:
        return []
    told = {"n": done, "all": len(subject.tasks)}
    words = ngettext(
        "%(n)d of %(all)d tasks is done: it is moving.",
        "%(n)d of %(all)d tasks are done: it is moving.",
        done,
    )
    return [Strength(text=words % told)]


def by_area(findings: Sequence[Finding]) -> dict[Area, int]:
    """How many findings there are in each area."""
    return {area: sum(one.area == area for one in findings) for area in Area}
