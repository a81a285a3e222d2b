"""The guide of auditing conversations: begins with the audit, then talks the findings over."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from pydantic import BaseModel, Field

from chat.assistant.toolset import Acting, first_paragraph
from chat.assistant.working import Working
from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text
from chat.models import Session
from chat.operations.queries import waiting_count
from futura.errors import FuturaError, ModelUnavailable
from futura.llm.tools import ToolRejected
from futura.text import shortened
from projects.models import Project
from projects.modes.audit import actions, texts
from projects.modes.audit.auditing import STAGE, Audit, audited, computed, subject_of
from projects.modes.audit.checks import Subject
from projects.modes.audit.models import Finding
from projects.modes.audit.prompts import TOOLS_VERSION, question_instructions
from projects.modes.audit.queries import findings_of
from projects.modes.state import AUDIT, UPDATE, AuditState, Harshness, Phase
from projects.modes.talking import Events, ReadingAnswer, ReadingGuide


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
            opened = actions.put_before(
                Session.objects.get(pk=session_id), project, named(given.numbers)
            )
        except FuturaError as error:
            raise ToolRejected(str(error)) from error
        waiting = waiting_count(opened.pk)
        part = {"type": "opened", "session": str(opened.pk), "kind": UPDATE, "waiting": waiting}
        wishes.parts.append(part)
        return f"NOT DONE: {waiting} changes wait for the person's approval in a new conversation."

    return [
        Acting("audit_again", first_paragraph(AuditAgain), AuditAgain, audit_again),
        Acting("mark_answered", first_paragraph(Answered), Answered, mark_answered),
        Acting("implement_findings", first_paragraph(Implement), Implement, implement),
    ]


class _Answer(ReadingAnswer[AuditState]):
    """The audit first; later messages are the model's, and without one it is computed anew."""

    def events(self) -> Events:
        """The audit, or the talk about its findings."""
        memory = self.state.audit
        if memory.has_audited and self.turn.llm.is_configured:
            yield from self._talk()
            return
        if self.text and not memory.concern:
            memory.concern = self.text
            self.state.user_responses["concern"] = shortened(self.text)
        yield from self._audit()

    def _audit(self) -> Events:
        memory, project = self.state.audit, self.plan.project
        subject = subject_of(self.plan, self.rows.today, memory.harshness)
        audit = yield from self._findings(subject)
        difference = actions.store(project=project, audit=audit, subject=subject)
        rows = [one for one in findings_of(project) if one.is_standing]
        memory.has_audited = True
        memory.numbered = [one.key for one in rows]
        self.state.phase = Phase.CLARIFYING
        self.state.questions_asked += len(rows)
        yield Text(texts.audit_text(audit, rows, difference, memory.harshness, project.name))
        yield self._list()

    def _list(self) -> Part:
        return Part({"type": "findings", "project": str(self.plan.project.pk)})

    def _findings(self, subject: Subject) -> Generator[GuideEvent, None, Audit]:
        yield StageStarted(STAGE, _("Checking the nine dimensions"))
        why: dict[str, Any] = {}
        if self.turn.llm.is_configured:
            existing, concern = findings_of(self.plan.project), self.state.audit.concern
            try:
                audit = audited(subject, concern, existing, self.turn.llm, self.delimiter)
                yield StageDone(STAGE, "model", {"refused": audit.refused})
                return audit
            except ModelUnavailable as error:
                why = {"fallback": True, "because": error.reason}
        audit = computed(subject)
        yield StageDone(STAGE, "rules", {"findings": [one.key for one in audit.findings], **why})
        return audit

    def _talk(self) -> Events:
        memory, rows, wishes = self.state.audit, self._numbered(), Wishes()
        listed = "\n".join(
            f"{number}. [{row.status}, {row.source}] {row.observation} Asked: {row.question}"
            for number, row in enumerate(rows, start=1)
        )
        has_answered = yield from self.talk(
            instructions=question_instructions(self.delimiter, memory.harshness),
            records=self.delimiter.around("findings", listed), version=TOOLS_VERSION,
            acts=tools_of(self.turn.session_id, self.plan.project, rows, wishes),
        )  # fmt: skip
        yield from (Part(part) for part in wishes.parts)
        if wishes.audits_again:
            memory.harshness = wishes.harshness or memory.harshness
            memory.concern = wishes.concern or memory.concern
            yield Text("\n\n" if has_answered else "")
            yield from self._audit()
        elif not has_answered:
            yield Text(
                _("No reply arrived. The findings are still in the list. Try again in a moment.")
            )
            yield self._list()

    def _numbered(self) -> list[Finding]:
        """The findings in the order in which they were numbered last."""
        by_key = {one.key: one for one in findings_of(self.plan.project)}
        return [by_key[key] for key in self.state.audit.numbered if key in by_key]


class AuditGuide(ReadingGuide[AuditState]):
    """Reads the project critically at once; nothing of the project is changed."""

    kind = AUDIT
    state_model = AuditState
    answer = _Answer

    def merge_saved(
        self, *, before: Mapping[str, Any], saved: Mapping[str, Any], state: AuditState
    ) -> AuditState:
        """Keeps a harshness that was chosen on the page meanwhile."""
        was = (before.get("audit") or {}).get("harshness")
        now = (saved.get("audit") or {}).get("harshness")
        if now is not None and now != was:
            state.audit.harshness = now
        return state
