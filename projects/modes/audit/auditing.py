"""One audit: what is computed, and with a model what it finds; checked by structure."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

from django.utils.translation import gettext as _, ngettext
from pydantic import BaseModel, Field

from chat.assistant.delimiter import BUDGET, Delimiter, cut
from futura.llm.client import Llm
from futura.percent import whole_percent
from futura.text import locate
from projects.dimensions import BY_FIELD, FIELDS, DimensionName, covered
from projects.forecasting.results import Result
from projects.forecasting.wording import chance_line, outcome
from projects.models import Task
from projects.modes.audit.checks import Severity, computed_findings, new_task
from projects.modes.audit.models import Finding
from projects.modes.rows import NOTES_SHOWN, TASKS_SHOWN, TEXTS, Plan
from projects.modes.state import AuditMemory

STAGE: Final = "audit_findings"
EARLIER_SHOWN: Final = 60
DETAILS_CHARS: Final = 500
DATES: Final = "dates"
_FIGURES: Final = re.compile(r"\d+")
Evidence = dict[str, str]
TONES: Final = {
    5: "5 of 10: warm and careful; name what matters, leave the small things out",
    7: "7 of 10: honest and direct, never discouraging",
    8: "8 of 10: hard; spare nothing, but stay with the matter and never with the person",
}


class Quoted(BaseModel):
    """Words of the project, copied exactly, and where they stand."""

    source: str = Field(description="Name of the block, such as core_goals_momentum or t3.")
    words: str


class AuditFinding(BaseModel):
    """One thing to point out."""

    area: Literal["completeness", "consistency", "risks", "feasibility", "missing"]
    dimension: DimensionName | None
    severity: Literal["minor", "serious", "critical"]
    observation: str
    quotes: list[Quoted] = Field(max_length=3)
    question: str
    recommendation: str = Field(description="One concrete step, as a sentence of its own.")
    task: str | None = Field(None, description="Title of a to-do that would mend it.")
    continues: str | None = Field(None, description="Key of the earlier finding that this is.")


class AuditStrength(BaseModel):
    """Something that works, with the words that show it."""

    text: str
    quote: Quoted


class AuditAnswer(BaseModel):
    """The whole audit."""

    VERSION: ClassVar[str] = "audit-findings-4"

    overall: str = Field(description="Two sentences: the judgement.")
    strengths: list[AuditStrength] = Field(max_length=4)
    findings: list[AuditFinding] = Field(max_length=14)
    mended: list[str] = Field(
        default_factory=list, description="Keys of earlier findings that the project now settles."
    )


INSTRUCTIONS: Final = (
    "You are asked to read a project as an experienced, critical friend would. Look along all "
    "nine dimensions for five things: what is incomplete; what does not fit together (goals and "
    "means, dates and tasks, money, people); which risks there are and whether they have an "
    "answer; whether it can be done at all; what is missing that nobody thought of. Every "
    "finding rests on words of the project, its dates, to-dos or notes: copy them exactly, with "
    "the name of the block they stand in. Only that something is absent may go without words, and "
    "then under a dimension that says nothing at all. Do not repeat what has been computed. "
    "Where an earlier finding still holds, give its key; where the project now settles one, name "
    "its key as mended; one that was answered is not brought up again unless the answer does not "
    "hold, then with its key; one that was dismissed never is. A question is one that makes them "
    "think (“what if …”), a recommendation one concrete step. First say what works, with its "
    "words. What the person worries about comes first. Write in the language of the worry, or "
    "else of the project, and use no figure that does not stand in the material. Tone: {tone}. "
    "Today is {today:%A, %Y-%m-%d}."
)


@dataclass
class Audit:
    """Everything that one audit says; its findings are not stored yet.

    `strengths` are (text, quote or ""). `continued` and `mended` are keys of earlier findings that
    the model named as still there and as settled; `refused` counts what the checks left out, by
    reason.
    """

    strengths: list[tuple[str, str]]
    findings: list[Finding]
    overall: str = ""
    continued: set[str] = field(default_factory=set)
    mended: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


def computed(plan: Plan) -> Audit:
    """What can be computed: no text is judged. What works is told by figures, too."""
    strengths = []
    if number := covered(plan.row):
        words = ngettext(
            "%(n)d of the nine dimensions is described.",
            "%(n)d of the nine dimensions are described.",
            number,
        )
        strengths.append(words % {"n": number})
    result = plan.result
    if isinstance(result, Result) and (result.on_time or 0) >= 0.75:
        words = _("The end date is met in %(percent)d of 100 simulated runs.")
        strengths.append(words % {"percent": whole_percent(result.on_time or 0)})
    done = sum(task.status == Task.Status.COMPLETED for task in plan.tasks)
    if done:
        words = ngettext(
            "%(n)d of %(all)d to-dos is done.", "%(n)d of %(all)d to-dos are done.", done
        )
        strengths.append(words % {"n": done, "all": len(plan.tasks)})
    strengths = strengths or [_("The project is described and can be reviewed.")]
    return Audit([(text, "") for text in strengths], list(computed_findings(plan)))


def audited(plan: Plan, memory: AuditMemory, llm: Llm, delimiter: Delimiter) -> Audit:
    """What is computed, and what the model finds. Raises ModelUnavailable."""
    base = computed(plan)
    own = Finding.objects.filter(project=plan.row, source=Finding.Source.MODEL)
    earlier = own.order_by("-last_audit_at", *Finding.BY_GRAVITY)[:EARLIER_SHOWN]
    lines = [f"{item.key}: {item.observation} ({state_of(item)})" for item in earlier]
    records = [
        *_texts(plan),
        ("figures", _figures(plan)),
        ("computed already", "\n".join(finding.observation for finding in base.findings)),
        ("earlier findings", "\n".join(lines)),
        ("worry", memory.concern),
    ]
    about = INSTRUCTIONS.format(tone=TONES[memory.harshness], today=plan.today)
    answer = llm.structured(STAGE, delimiter.prompt(about, records, budget=BUDGET), AuditAnswer)
    audit = _checked(answer, plan, base, {item.key for item in earlier})
    used = len(audit.findings) - len(base.findings) + len(audit.strengths)
    llm.checked(STAGE, used=used, refused=audit.refused)
    return audit


def _checked(answer: AuditAnswer, plan: Plan, base: Audit, earlier: set[str]) -> Audit:
    audit = Audit([], list(base.findings), answer.overall.strip())
    for answered in answer.findings:
        places = [_located(quote, plan) for quote in answered.quotes]
        evidence = [place for place in places if place is not None]
        if reason := _refusal(answered, plan, evidence):
            audit.refused[reason] += 1
            continue
        if any(item.observation == answered.observation.strip() for item in audit.findings):
            continue
        keys = [item.key for item in audit.findings]
        finding = _finding(answered, evidence, earlier.difference(keys))
        audit.continued |= {finding.key} & {answered.continues}
        while finding.key in keys:  # another one that rests on the same words
            finding.key += "+"
        audit.findings.append(finding)
    for strength in answer.strengths:
        place = _located(strength.quote, plan)
        if place is None:
            audit.refused["quote not found"] += 1
        elif strength.text.strip():
            words = place.get("displayed", place["quote"])
            audit.strengths.append((strength.text.strip(), words))
    audit.strengths = audit.strengths or base.strengths
    audit.mended = [key for key in answer.mended if key in earlier]
    return audit


def _refusal(finding: AuditFinding, plan: Plan, evidence: Sequence[Evidence]) -> str:
    """Why a finding is left out; that something is absent needs no words where a dimension says
    nothing at all.
    """
    if len(evidence) < len(finding.quotes):
        return "quote not found"
    if not finding.observation.strip():
        return "empty"
    is_absent = finding.dimension in BY_FIELD and not plan.texts[str(finding.dimension)].strip()
    return "" if evidence or is_absent else "no quote"


def _finding(finding: AuditFinding, evidence: list[Evidence], earlier: set[str]) -> Finding:
    title = (finding.task or "").strip()[:200]
    return Finding(
        key=finding.continues if finding.continues in earlier else _key_of(finding, evidence),
        area=finding.area,
        severity=Severity[finding.severity.upper()],
        observation=finding.observation.strip(),
        question=finding.question.strip(),
        recommendation=finding.recommendation.strip(),
        dimension=finding.dimension or "",
        evidence=evidence,
        fix=new_task(title) if title else None,
        source=Finding.Source.MODEL,
    )


def _key_of(finding: AuditFinding, evidence: Sequence[Evidence]) -> str:
    """The same for a finding of the same area that rests on the same words of the same fields."""
    words = [f"{item['field']} {item['quote']}" for item in evidence]
    parts = [finding.area, finding.dimension or "", *words]
    return "model-" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _texts(plan: Plan) -> Iterable[tuple[str, str]]:
    texts = plan.texts
    yield from ((name, texts[name]) for name in (*TEXTS, DATES))
    for number, task in enumerate(plan.tasks[:TASKS_SHOWN], start=1):
        facts, details = texts[f"task:{task.pk}:facts"], task.details
        lines = [f"{task.title} [{task.status}]", facts, cut(details, DETAILS_CHARS, "the to-do")]
        yield f"t{number}", "\n".join(filter(None, lines))
    if len(plan.tasks) > TASKS_SHOWN:
        yield "to-dos", f"[cut: {TASKS_SHOWN} of {len(plan.tasks)}]"
    for number, note in enumerate(plan.notes[:NOTES_SHOWN], start=1):
        yield f"n{number}", texts[f"note:{note.pk}"]


def _displayed(name: str, plan: Plan) -> Evidence:
    """What stands for a quote of days and the like, which are written for the model: a title."""
    if name == DATES:
        return {"displayed": ""}
    title = name.removesuffix(":facts")
    return {} if title == name else {"displayed": plan.texts[f"{title}:title"]}


def state_of(finding: Finding) -> str:
    """What has become of a finding, for a prompt."""
    if finding.status != Finding.Status.ANSWERED:
        return finding.status
    return f"answered: {finding.answer}" if finding.answer else "dismissed"


def _figures(plan: Plan) -> str:
    result = plan.result
    empty = [name for name in FIELDS if not plan.texts[name].strip()]
    lines = [f"Nothing is said on: {', '.join(empty)}" if empty else ""]
    if isinstance(result, Result):
        lines.append(outcome(plan.inputs, result.realistic))
        lines.append(chance_line(plan.inputs, result))
    return "\n".join(filter(None, lines))


def _located(quote: Quoted, plan: Plan) -> Evidence | None:
    """Where quoted words stand with their figures: in the block that was named, else anywhere; None
    nowhere. Days are much alike, and another day is no quote of one.
    """
    task = plan.refs.get(quote.source)
    named = f"task:{task.pk}:" if task is not None else quote.source
    texts = sorted(plan.texts.items(), key=lambda text: not text[0].startswith(named))
    for name, text in texts:
        if span := locate(quote.words, text) if text else None:
            words = text[slice(*span)]
            if _FIGURES.findall(words) == _FIGURES.findall(quote.words):
                return {"field": name, "quote": words, **_displayed(name, plan)}
    return None
