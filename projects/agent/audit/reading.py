"""The audit with the model: only findings whose words stand in the project are kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from futura.llm.client import Llm
from projects.agent.audit.auditing import Audit, Strength, audited, chosen
from projects.agent.audit.findings import (
    TEXTS,
    Area,
    Evidence,
    Finding,
    Fix,
    Severity,
    Subject,
    quoted,
)
from projects.agent.audit.prompts import (
    AuditAnswer,
    AuditFinding,
    AuditInput,
    Quoted,
    audit_messages,
)
from projects.agent.closing import checked
from projects.agent.fencing import Fence
from projects.completeness import Level
from projects.forecasting.results import Result
from projects.forecasting.telling import chance_line, outcome

STAGE: Final = "audit_findings"
LEAST_WORDS: Final = 2
TASKS_SHOWN: Final = 80
_SEVERITY: Final = {
    "minor": Severity.MINOR,
    "serious": Severity.SERIOUS,
    "critical": Severity.CRITICAL,
}
# what the rules compute and a model cannot know better
_COMPUTED: Final = frozenset({Area.FEASIBILITY, Area.CONSISTENCY})


def audited_with_model(
    subject: Subject, concern: str, focus: Sequence[str], llm: Llm, fence: Fence
) -> tuple[Audit, int]:
    """The audit in the model's findings joined to the computed ones; how many were dropped.

    Raises ModelUnavailable.
    """
    by_rules = audited(subject, focus)
    computed = [one for one in by_rules.findings if one.area in _COMPUTED]
    given = AuditInput(
        texts=tuple(_texts(subject)),
        figures=_figures(subject),
        computed="\n".join(one.observation for one in computed),
        concern=concern,
        harshness=subject.harshness,
        today=subject.today.isoformat(),
    )
    answer = llm.structured(
        STAGE, audit_messages(given, fence), AuditAnswer, prompt_version=AuditAnswer.VERSION
    )
    found, dropped = grounded(answer.findings, subject)
    strengths = list(_strengths(answer, subject)) or by_rules.strengths
    told = chosen(subject, [*computed, *_unlike(found, computed)], strengths, focus)
    if not found:
        return by_rules, dropped
    return told.model_copy(update={"overall": checked(answer.overall, [])}), dropped


def _texts(subject: Subject) -> Iterable[tuple[str, str]]:
    yield from ((name, subject.text(name)) for name in TEXTS)
    for ref, task in list(subject.picture.refs.items())[:TASKS_SHOWN]:
        days = f" (due {task.due_date})" if task.due_date else ""
        yield ref, f"{task.title}{days}\n{task.details[:500]}"


def _figures(subject: Subject) -> str:
    result = subject.result
    lines = [f"{one.dimension.field}: {one.word}" for one in subject.standings]
    if isinstance(result, Result):
        lines.append(outcome(subject.inputs, result.realistic))
        lines.append(chance_line(subject.inputs, result))
    return "\n".join(filter(None, lines))


def grounded(answers: Sequence[AuditFinding], subject: Subject) -> tuple[list[Finding], int]:
    """The findings whose every quote stands in the project, and how many were dropped."""
    kept = [one for n, given in enumerate(answers) if (one := _finding(n, given, subject))]
    return kept, len(answers) - len(kept)


def _finding(number: int, given: AuditFinding, subject: Subject) -> Finding | None:
    evidence = [located(one, subject) for one in given.quotes]
    if None in evidence or not given.observation.strip() or not given.recommendation.strip():
        return None
    if not evidence and not _is_absent(given, subject):
        return None
    title = (given.task or "").strip()[:200]
    return Finding(
        id=f"model-{number}",
        area=Area(given.area),
        severity=_SEVERITY[given.severity],
        observation=given.observation.strip(),
        question=given.question.strip(),
        recommendation=given.recommendation.strip().rstrip("."),
        dimension=given.dimension or "",
        evidence=[one for one in evidence if one is not None],
        fix=Fix(kind="task", values={"title": title}) if title else None,
        by="model",
    )


def _is_absent(given: AuditFinding, subject: Subject) -> bool:
    """That something is absent needs no words, where next to nothing is said."""
    if given.area not in {Area.COMPLETENESS, Area.MISSING} or given.dimension is None:
        return False
    return subject.standing(given.dimension).level <= Level.START


def located(given: Quoted, subject: Subject) -> Evidence | None:
    """Where the quoted words stand: in the block that was named, else anywhere; None nowhere."""
    if len(given.words.split()) < LEAST_WORDS and given.source not in subject.picture.refs:
        return None
    for name, text in sorted(_places(subject), key=lambda one: one[0] != _named(given, subject)):
        if span := _span(given.words, text):
            return quoted(name, text, *span)
    return None


def _named(given: Quoted, subject: Subject) -> str:
    task = subject.picture.refs.get(given.source)
    return f"task:{task.pk}:title" if task is not None else given.source


def _places(subject: Subject) -> Iterable[tuple[str, str]]:
    yield from ((name, subject.text(name)) for name in TEXTS)
    for task in subject.tasks:
        yield f"task:{task.pk}:title", task.title
        yield f"task:{task.pk}:details", task.details


def _span(words: str, text: str) -> tuple[int, int] | None:
    """The words in the text, whatever the case, the spaces and the kind of quotation marks."""
    plain = words.strip().strip("\"“”'‘’ ").rstrip(".…")
    if not plain or not text:
        return None
    parts = [re.escape(one).replace("’", "['’]").replace("'", "['’]") for one in plain.split()]
    found = re.search(r"\s+".join(parts), text, re.IGNORECASE)
    return found.span() if found else None


def _strengths(answer: AuditAnswer, subject: Subject) -> Iterable[Strength]:
    for one in answer.strengths:
        evidence = located(one.quote, subject)
        if evidence is not None and one.text.strip():
            yield Strength(text=one.text.strip(), evidence=[evidence])


def _unlike(found: Sequence[Finding], computed: Sequence[Finding]) -> list[Finding]:
    """The model's findings without those that rest on the words of a computed one."""
    taken = {(one.area, e.field, e.start) for one in computed for e in one.evidence}
    return [
        one for one in found if not any((one.area, e.field, e.start) in taken for e in one.evidence)
    ]
