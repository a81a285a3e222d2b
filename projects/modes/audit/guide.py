"""The guide of auditing conversations: begins with the audit, then talks the findings over."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.assistant.delimiter import delimiter_of
from chat.guides import GuideEvent, Part, StageDone, StageStarted, StateChanged, Text, Turn
from futura.errors import ModelUnavailable
from futura.llm.tools import ToolRejected
from futura.text import shortened
from projects.modes.audit import actions, texts
from projects.modes.audit.auditing import STAGE, Audit, audited, computed, subject_of
from projects.modes.audit.models import Finding
from projects.modes.audit.prompts import TOOLS_VERSION, question_instructions
from projects.modes.audit.queries import findings_of
from projects.modes.audit.shapes import Severity, Subject
from projects.modes.audit.state import AuditState
from projects.modes.audit.tools import Wishes, tools_of
from projects.modes.plan import plan_of
from projects.modes.rows import ProjectRows
from projects.modes.state import AUDIT, Phase
from projects.modes.talking import answer_with_tools

Events = Iterator[GuideEvent]
# how many findings are written out, and the least severity of these, by harshness
TOLD: Final = {5: 6, 7: 10, 8: 14}
LEAST: Final = {5: Severity.SERIOUS, 7: Severity.MINOR, 8: Severity.MINOR}
FEW: Final = 3


class AuditGuide:
    """Reads the project critically at once; nothing of the project is changed."""

    kind = AUDIT
    state_model = AuditState

    def respond(self, turn: Turn[AuditState]) -> Iterator[GuideEvent]:
        """The audit, or the answer to a message."""
        try:
            yield from _Answer(turn).events()
        except ToolRejected:
            yield Text(texts.gone())

    def ended(self, session_id: uuid.UUID) -> None:
        """Auditing conversations do not end: one audits again when something has changed."""

    def merge_saved(
        self, *, before: Mapping[str, Any], saved: Mapping[str, Any], state: AuditState
    ) -> AuditState:
        """Keeps a harshness that was chosen on the page meanwhile."""
        was = (before.get("audit") or {}).get("harshness")
        now = (saved.get("audit") or {}).get("harshness")
        if now is not None and now != was:
            state.audit.harshness = now
        return state


class _Answer:
    """One message being answered."""

    def __init__(self, turn: Turn[AuditState]) -> None:
        self.turn = turn
        self.state = turn.state
        self.memory = turn.state.audit
        self.text = turn.message.text.strip() if turn.message else ""
        self.rows = ProjectRows.of(turn)
        self.delimiter = delimiter_of(turn)
        self.plan = plan_of(self.rows)

    def events(self) -> Events:
        """The audit first; later messages are the model's, and without one it is computed anew."""
        if self.turn.message is not None:
            self.state.turns += 1
        if not self.memory.has_audited or not self.turn.llm.is_configured:
            if self.text and not self.memory.concern:
                self.memory.concern = self.text
                self.state.user_responses["concern"] = shortened(self.text)
            yield from self._audit()
        else:
            yield from self._talk()
        yield StateChanged("agent")

    # The audit --------------------------------------------------------------------------------
    def _audit(self) -> Events:
        subject = subject_of(self.plan, self.rows.today, self.memory.harshness)
        audit = yield from self._findings(subject)
        difference = actions.store(project=self.plan.project, audit=audit, subject=subject)
        rows = actions.in_order([one for one in findings_of(self.plan.project) if one.is_standing])
        told = self._told(rows)
        self.memory.has_audited = True
        self.memory.numbered = [one.key for one in rows]
        self.state.phase = Phase.CLARIFYING
        self.state.questions_asked += len(rows)
        yield Text(
            texts.audit_text(
                audit, rows, difference, harshness=self.memory.harshness, told=told,
                name=self.plan.project.name,
            )
        )  # fmt: skip
        yield Part({"type": "findings", "project": str(self.plan.project.pk)})

    def _told(self, rows: list[Finding]) -> int:
        """How many are written out: the grave ones, at least a few, at most as the tone says."""
        harshness = self.memory.harshness
        grave = sum(one.severity >= LEAST[harshness] for one in rows)
        return min(max(grave, FEW), TOLD[harshness], len(rows))

    def _findings(self, subject: Subject) -> Generator[GuideEvent, None, Audit]:
        yield StageStarted(STAGE, _("Reading it along nine dimensions"))
        if not self.turn.llm.is_configured:
            audit = computed(subject)
            yield StageDone(STAGE, "rules", {"findings": [one.key for one in audit.findings]})
            return audit
        existing = findings_of(self.plan.project)
        try:
            audit = audited(subject, self.memory.concern, existing, self.turn.llm, self.delimiter)
        except ModelUnavailable as error:
            yield StageDone(STAGE, "rules", {"fallback": True, "because": error.reason})
            return computed(subject)
        yield StageDone(STAGE, "model", {"refused": audit.refused})
        return audit

    # Talking it over --------------------------------------------------------------------------
    def _talk(self) -> Events:
        rows = self._numbered()
        listed = "\n".join(
            f"{number}. [{row.status}, {row.source}] {row.observation} Asked: {row.question}"
            for number, row in enumerate(rows, start=1)
        )
        wishes = Wishes()
        has_answered = yield from answer_with_tools(
            self.turn, self.rows,
            instructions=question_instructions(self.delimiter, self.memory.harshness),
            state=self.delimiter.around("findings", listed), version=TOOLS_VERSION,
            acts=tools_of(self.turn.session_id, self.plan.project, rows, wishes),
        )  # fmt: skip
        yield from (Part(part) for part in wishes.parts)
        if wishes.audits_again:
            self.memory.harshness = wishes.harshness or self.memory.harshness
            self.memory.concern = wishes.concern or self.memory.concern
            if has_answered:
                yield Text("\n\n")
            yield from self._audit()
        elif not has_answered:
            yield Text(_("No answer came. The findings stay in the list; try again in a moment."))
            yield Part({"type": "findings", "project": str(self.plan.project.pk)})

    def _numbered(self) -> list[Finding]:
        """The findings in the order in which they were numbered last."""
        by_key = {one.key: one for one in findings_of(self.plan.project)}
        return [by_key[key] for key in self.memory.numbered if key in by_key]
