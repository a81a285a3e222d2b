"""One audit: what is computed, and with a model what it finds; checked by structure."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.assistant.delimiter import Delimiter
from futura.llm.client import Llm
from futura.percent import whole_percent
from projects.completeness import covered
from projects.dimensions import BY_FIELD, FIELDS
from projects.forecasting.results import Result, forecast
from projects.forecasting.telling import chance_line, outcome
from projects.models import Task
from projects.modes.audit.feasibility import feasibility
from projects.modes.audit.models import Finding
from projects.modes.audit.plan_checks import contradictions, missing
from projects.modes.audit.prompts import AuditAnswer, AuditFinding, AuditInput, audit_messages
from projects.modes.audit.shapes import TEXTS, Evidence, Severity, Subject, located, new_task
from projects.modes.rows import Plan

STAGE: Final = "audit_findings"
HARSHNESS: Final = (5, 7, 8)
TASKS_SHOWN: Final = 80
DETAILS_CHARS: Final = 500


@dataclass
class Audit:
    """Everything that one audit says; its findings are not stored yet.

    `strengths` are (text, quote or ""). `mended` are keys that the model found settled; `refused`
    counts what the checks left out, by reason.
    """

    strengths: list[tuple[str, str]]
    findings: list[Finding]
    overall: str = ""
    mended: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


def subject_of(plan: Plan, today: dt.date, harshness: int) -> Subject:
    """What is audited, with the forecast computed."""
    return Subject(
        project=plan.project,
        tasks=plan.tasks,
        snapshot=plan.snapshot,
        inputs=plan.inputs,
        result=forecast(plan.inputs),
        today=today,
        harshness=harshness if harshness in HARSHNESS else 7,
    )


def computed(subject: Subject) -> Audit:
    """What can be computed: no text is judged."""
    findings = [*contradictions(subject), *feasibility(subject), *missing(subject)]
    return Audit(strengths_of(subject), findings)


def strengths_of(subject: Subject) -> list[tuple[str, str]]:
    """What works, by figures: dimensions described, a plan that holds, work that is done."""
    found = []
    if number := covered(subject.project):
        words = ngettext(
            "%(n)d of the nine dimensions is described.",
            "%(n)d of the nine dimensions are described.",
            number,
        )
        found.append(words % {"n": number})
    result = subject.result
    if isinstance(result, Result) and (result.on_time or 0) >= 0.75:
        words = _("The end date holds in %(percent)d of 100 simulated courses.")
        found.append(words % {"percent": whole_percent(result.on_time or 0)})
    done = sum(task.status == Task.Status.COMPLETED for task in subject.tasks)
    if done:
        words = ngettext(
            "%(n)d of %(all)d to-dos is done.", "%(n)d of %(all)d to-dos are done.", done
        )
        found.append(words % {"n": done, "all": len(subject.tasks)})
    found = found or [_("The project is written down, so it can be looked at.")]
    return [(text, "") for text in found]


def audited(
    subject: Subject, concern: str, existing: Sequence[Finding], llm: Llm, delimiter: Delimiter
) -> Audit:
    """What is computed, and what the model finds. Raises ModelUnavailable."""
    base = computed(subject)
    earlier = {one.key: one for one in existing if one.source == Finding.Source.MODEL}
    given = AuditInput(
        texts=tuple(_texts(subject)),
        figures=_figures(subject),
        computed="\n".join(one.observation for one in base.findings),
        earlier="\n".join(f"{o.key}: {o.observation} ({o.status})" for o in earlier.values()),
        concern=concern,
        harshness=subject.harshness,
        today=subject.today.isoformat(),
    )
    answer = llm.structured(
        STAGE, audit_messages(given, delimiter), AuditAnswer, prompt_version=AuditAnswer.VERSION
    )
    audit = checked(answer, subject, base, set(earlier))
    used = len(audit.findings) - len(base.findings) + len(audit.strengths)
    llm.checked(STAGE, used=used, refused=audit.refused)
    return audit


def checked(answer: AuditAnswer, subject: Subject, base: Audit, earlier: set[str]) -> Audit:
    """The answer's findings with their words located, beside the computed ones."""
    audit = Audit([], list(base.findings), answer.overall.strip())
    for given in answer.findings:
        places = [located(one.words, one.source, subject) for one in given.quotes]
        evidence = [place for place in places if place is not None]
        if reason := _refusal(given, subject, evidence):
            audit.refused[reason] += 1
            continue
        finding = _finding(given, evidence, earlier)
        if all(finding.key != one.key for one in audit.findings):
            audit.findings.append(finding)
    for strength in answer.strengths:
        place = located(strength.quote.words, strength.quote.source, subject)
        if place is None:
            audit.refused["quote not found"] += 1
        elif strength.text.strip():
            audit.strengths.append((strength.text.strip(), place["quote"]))
    audit.strengths = audit.strengths or base.strengths
    audit.mended = [key for key in answer.mended if key in earlier]
    return audit


def _refusal(given: AuditFinding, subject: Subject, evidence: Sequence[Evidence]) -> str:
    """Why a finding is left out; that something is absent needs no words where a dimension says
    nothing at all.
    """
    if len(evidence) < len(given.quotes):
        return "quote not found"
    if not given.observation.strip():
        return "empty"
    is_absent = given.dimension in BY_FIELD and not subject.text(str(given.dimension)).strip()
    return "" if evidence or is_absent else "no quote"


def _finding(given: AuditFinding, evidence: list[Evidence], earlier: set[str]) -> Finding:
    title = (given.task or "").strip()[:200]
    return Finding(
        key=given.continues if given.continues in earlier else key_of(given, evidence),
        area=given.area,
        severity=Severity[given.severity.upper()],
        observation=given.observation.strip(),
        question=given.question.strip(),
        recommendation=given.recommendation.strip().rstrip("."),
        dimension=given.dimension or "",
        evidence=evidence,
        fix=new_task(title) if title else None,
        source=Finding.Source.MODEL,
    )


def key_of(given: AuditFinding, evidence: Sequence[Evidence]) -> str:
    """The same for a finding of the same area that rests on the same words of the same fields."""
    words = [f"{one['field']} {one['quote']}" for one in evidence]
    parts = [given.area, given.dimension or "", *words]
    return "model-" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _texts(subject: Subject) -> Iterable[tuple[str, str]]:
    yield from ((name, subject.text(name)) for name in TEXTS)
    for ref, task in list(subject.snapshot.refs.items())[:TASKS_SHOWN]:
        days = f" (due {task.due_date})" if task.due_date else ""
        details = task.details[:DETAILS_CHARS]
        if len(task.details) > DETAILS_CHARS:
            details += f" [cut here: {len(task.details)} characters in all]"
        yield ref, f"{task.title}{days}\n{details}"


def _figures(subject: Subject) -> str:
    result = subject.result
    empty = [name for name in FIELDS if not subject.text(name).strip()]
    lines = [f"Nothing is said on: {', '.join(empty)}" if empty else ""]
    if isinstance(result, Result):
        lines.append(outcome(subject.inputs, result.realistic))
        lines.append(chance_line(subject.inputs, result))
    return "\n".join(filter(None, lines))
