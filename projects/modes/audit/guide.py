"""The guide of auditing conversations: begins with the audit, then talks the findings over."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text
from futura.errors import ModelUnavailable
from futura.text import shortened
from projects.modes.audit import actions, texts
from projects.modes.audit.auditing import STAGE, Audit, audited, computed, subject_of
from projects.modes.audit.models import Finding
from projects.modes.audit.prompts import TOOLS_VERSION, question_instructions
from projects.modes.audit.queries import findings_of
from projects.modes.audit.shapes import Subject
from projects.modes.audit.tools import Wishes, tools_of
from projects.modes.state import AUDIT, AuditState, Phase
from projects.modes.talking import Events, ReadingAnswer, ReadingGuide


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
        yield StageStarted(STAGE, _("Reading it along nine dimensions"))
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
            yield Text(_("No answer came. The findings stay in the list; try again in a moment."))
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
