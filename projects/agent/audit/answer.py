"""One message of an auditing conversation: the concern is heard, the audit told and talked over."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.guides import (
    GuideEvent,
    Part,
    StageDone,
    StageStarted,
    StateChanged,
    Text,
    Turn,
    Utterance,
)
from chat.memory import assemble
from chat.models import Session
from chat.operations.queries import waiting_count
from futura.errors import FuturaError, ModelUnavailable
from futura.llm.tools import ToolRejected
from futura.text import words as words_of
from projects.agent import tools
from projects.agent.audit import words
from projects.agent.audit.auditing import Audit, audited, subject_of
from projects.agent.audit.findings import Finding, Subject
from projects.agent.audit.implementing import put_before
from projects.agent.audit.prompts import TOOLS_VERSION, question_instructions
from projects.agent.audit.reading import STAGE, audited_with_model
from projects.agent.audit.state import AuditState
from projects.agent.closing import checked
from projects.agent.fencing import fence_of
from projects.agent.readers import plan_of
from projects.agent.state import UPDATE, Phase, shortened
from projects.agent.toolbox import ToolBox
from projects.language import answers, cues
from projects.models import Project

Events = Iterator[GuideEvent]
_AGAIN: Final = re.compile(
    r"\b(?:audit|review|look|read|check)(?: it| this| at it)? (?:again|anew|once more)\b"
    r"|\bre-?audit\b", re.IGNORECASE,
)  # fmt: skip
_REST: Final = re.compile(
    r"\b(?:the rest|(?:the )?(?:others?|smaller (?:ones|things))|what did you leave out"
    r"|what else)\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"(?:\b(?:number|finding|point|no\.?)\s*|#|^\W*)(\d{1,2})\b", re.IGNORECASE
)
_MORE: Final = re.compile(
    r"\b(?:more|explain|why|what do you mean|elaborate|example)\b", re.IGNORECASE
)


class Auditing:
    """One message being answered. Nothing is written: findings are kept in the conversation."""

    def __init__(self, turn: Turn[AuditState], message: Utterance) -> None:
        self.turn = turn
        self.state = turn.state
        self.memory = turn.state.audit
        self.text = message.text.strip()
        self.box = ToolBox.of(turn)
        self.fence = fence_of(turn)
        self.state.turns += 1
        self.seed = f"{turn.session_id}:{self.state.turns}"

    def events(self) -> Events:
        """The answer."""
        try:
            plan = plan_of(self.box)
        except ToolRejected:
            yield Text(words.gone())
            return
        is_new_tone = self._hear_tone()
        if not self.memory.has_audited or is_new_tone or _AGAIN.search(self.text):
            self._hear_concern()
            yield from self._tell(subject_of(plan, self.box.today, self.memory.harshness))
        elif _REST.search(self.text) and len(self.text.split()) <= 8:
            yield from self._tell_rest()
        elif words.IMPLEMENT.search(self.text) and self.memory.findings:
            yield from self._implement(plan.project)
        else:
            yield from self._talk()
        yield StateChanged("agent")

    def _hear_tone(self) -> bool:
        """Whether the message asks for another harshness."""
        before = self.memory.harshness
        if words.GENTLE.search(self.text):
            self.memory.harshness = 5
        elif words.HARSH.search(self.text):
            self.memory.harshness = 8
        return self.memory.harshness != before

    def _hear_concern(self) -> None:
        memory = self.memory
        dimension = cues.dimension_named(words_of(self.text))
        focus = [*([dimension] if dimension else []), *words.area_in(self.text)]
        memory.focus = focus or memory.focus
        if not memory.concern:
            memory.concern = self.text
            self.state.user_responses["concern"] = shortened(self.text)

    # The audit --------------------------------------------------------------------------------
    def _tell(self, subject: Subject) -> Events:
        audit = yield from self._audit(subject)
        memory = self.memory
        memory.findings, memory.has_audited, memory.asked = audit.findings, True, 0
        memory.rest = audit.rest
        self.state.phase = Phase.CLARIFYING
        self.state.questions_asked += len(audit.findings)
        yield Text(words.audit_text(audit, memory.harshness, subject.project.name))
        if audit.findings:
            yield Part(part_of(audit.findings, memory.harshness))

    def _tell_rest(self) -> Events:
        memory = self.memory
        rest, told = memory.rest, len(memory.findings)
        yield Text(words.rest_text(rest, told, memory.harshness))
        if rest:
            memory.findings, memory.rest = [*memory.findings, *rest], []
            yield Part(part_of(memory.findings, memory.harshness))

    def _audit(self, subject: Subject) -> Generator[GuideEvent, None, Audit]:
        yield StageStarted(STAGE, _("Reading it along nine dimensions"))
        memory = self.memory
        if not self.turn.llm.is_configured:
            found = audited(subject, memory.focus)
            yield StageDone(STAGE, "rules", {"findings": [one.id for one in found.findings]})
            return found
        try:
            found, dropped = audited_with_model(
                subject, memory.concern, memory.focus, self.turn.llm, self.fence
            )
        except ModelUnavailable as error:
            yield StageDone(STAGE, "rules", {"fallback": True, "because": error.reason})
            return audited(subject, memory.focus)
        yield StageDone(STAGE, "model", {"dropped": dropped, "kept": len(found.findings)})
        return found

    # Talking it over --------------------------------------------------------------------------
    def _talk(self) -> Events:
        found = self._named()
        if answers.is_closing(self.text):
            yield Text(words.ended(self.seed))
            return
        if found is not None and (_MORE.search(self.text) or len(self.text) < 40):
            number, one = found
            yield Text(words.about(number, one, self.memory.harshness))
            return
        if self.turn.llm.is_configured:
            said = yield from self._answered()
            if said:
                yield Text(said)
                return
        yield Text(self._next())

    def _implement(self, project: Project) -> Events:
        """“Implement 1 and 3”: they wait for approval in a conversation of their own."""
        wanted = words.chosen(self.text, self.memory.findings)
        audit = Session.objects.get(pk=self.turn.session_id)
        try:
            made = put_before(audit, project, wanted)
        except FuturaError as error:
            yield Text(str(error))
            return
        waiting = waiting_count(made.pk)
        yield Text(words.put_before(waiting))
        yield Part({"type": "opened", "session": str(made.pk), "kind": UPDATE, "waiting": waiting})

    def _named(self) -> tuple[int, Finding] | None:
        said = _NUMBER.search(self.text)
        number = int(said[1]) if said else 0
        findings = self.memory.findings
        return (number, findings[number - 1]) if 1 <= number <= len(findings) else None

    def _next(self) -> str:
        """The next probing question, by rules."""
        memory = self.memory
        memory.asked += 1
        if memory.asked < len(memory.findings):
            return words.next_question(memory.findings[memory.asked], self.seed)
        self.state.phase = Phase.COMPLETED
        return words.all_asked()

    def _answered(self) -> Generator[GuideEvent, None, str]:
        findings = "\n".join(
            f"{n}. {one.observation} Asked: {one.question}"
            for n, one in enumerate(self.memory.findings, start=1)
        )
        instructions = question_instructions(self.fence, self.memory.harshness)
        messages = assemble(
            self.turn.context,
            instructions=instructions,
            state=self.fence.around("findings", findings),
        )
        yield StageStarted("agent_tools", _("Thinking it over"))
        try:
            said = tools.answered(self.turn.llm, messages, self.box, TOOLS_VERSION)
        except ModelUnavailable as error:
            yield StageDone("agent_tools", "rules", {"fallback": True, "because": error.reason})
            return ""
        yield StageDone("agent_tools", "model")
        return checked(said, [], secret=instructions) if said else ""


def part_of(findings: Sequence[Finding], harshness: int) -> dict[str, Any]:
    """The findings as they are kept with the message that told them."""
    return {
        "type": "findings",
        "harshness": harshness,
        "items": [one.model_dump(mode="json") for one in findings],
    }
