"""What the model may do while talking over an audit; none of it changes the project."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, Field

from chat.assistant.toolset import Acting
from chat.assistant.working import Working
from chat.models import Session
from chat.operations.queries import waiting_count
from futura.errors import FuturaError
from futura.llm.tools import ToolRejected
from projects.models import Project
from projects.modes.audit import actions
from projects.modes.audit.auditing import computed, subject_of
from projects.modes.audit.implementing import put_before
from projects.modes.audit.models import Finding
from projects.modes.rows import ProjectRows, plan_of
from projects.modes.state import UPDATE, Harshness


@dataclass
class Wishes:
    """What the calls of a turn asked of the guide, done after the answer."""

    audits_again: bool = False
    harshness: Harshness | None = None
    concern: str = ""
    parts: list[dict[str, Any]] = field(default_factory=list)


class AuditAgain(BaseModel):
    """Audits the project as it stands now; the new list follows your answer."""

    harshness: Harshness | None = Field(None, description="5 gentle, 7 frank, 8 hard.")
    concern: str | None = Field(None, description="What to look at first, in the person's words.")


class Answered(BaseModel):
    """Notes that the person has answered a finding, in their words."""

    number: int = Field(description="Number of the finding in the list.")
    answer: str = Field(description="The person's own words.", max_length=2_000)


class Implement(BaseModel):
    """Puts findings before the person as changes that wait for approval."""

    numbers: list[int] = Field(min_length=1, max_length=50)


def tools_of(
    session_id: uuid.UUID, project: Project, rows: Sequence[Finding], wishes: Wishes
) -> list[Acting]:
    """The three, bound to the findings as they were numbered."""

    def named(numbers: Sequence[int]) -> list[Finding]:
        if any(not 1 <= number <= len(rows) for number in numbers):
            raise ToolRejected(f"There are findings 1 to {len(rows)}.")
        return [rows[number - 1] for number in dict.fromkeys(numbers)]

    def audit_again(given: AuditAgain, _working: Working, _call: str) -> str:
        wishes.audits_again = True
        wishes.harshness, wishes.concern = given.harshness, given.concern or ""
        return "It follows your answer."

    def mark_answered(given: Answered, _working: Working, _call: str) -> str:
        actions.settle(named([given.number])[0], given.answer)
        return "Noted."

    def implement(given: Implement, _working: Working, _call: str) -> str:
        try:
            opened = put_before(Session.objects.get(pk=session_id), project, named(given.numbers))
        except FuturaError as error:
            raise ToolRejected(str(error)) from error
        waiting = waiting_count(opened.pk)
        part = {"type": "opened", "session": str(opened.pk), "kind": UPDATE, "waiting": waiting}
        wishes.parts.append(part)
        return f"NOT DONE: {waiting} changes wait for the person's approval in a new conversation."

    return [
        Acting("audit_again", _about(AuditAgain), AuditAgain, audit_again),
        Acting("mark_answered", _about(Answered), Answered, mark_answered),
        Acting("implement_findings", _about(Implement), Implement, implement),
    ]


def _about(arguments: type[BaseModel]) -> str:
    return (arguments.__doc__ or "").strip()


def generate_project_audit(rows: ProjectRows) -> dict[str, Any]:
    """What can be computed, as plain values. Raises ToolRejected when the project is gone."""
    audit = computed(subject_of(plan_of(rows), rows.today, 7))
    return {
        "strengths": [text for text, _quote in audit.strengths],
        "findings": [
            {
                "area": one.area,
                "severity": one.get_severity_display(),
                "observation": one.observation,
                "evidence": [place["quote"] for place in one.evidence],
                "question": one.question,
                "recommendation": one.recommendation,
            }
            for one in audit.findings
        ],
    }
