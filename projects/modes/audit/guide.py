"""The guide of auditing conversations: begins with the audit, then talks the findings over."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from pydantic import BaseModel, Field

from chat.assistant.toolset import Acting, Toolset, first_paragraph
from chat.assistant.working import Working
from chat.guides import GuideEvent, Part, Text, Turn
from chat.models import Session
from chat.operations.queries import waiting_count
from futura.errors import FuturaError
from futura.llm.tools import ToolRejected
from futura.text import quoted, shortened
from projects.modes.audit import findings
from projects.modes.audit.auditing import STAGE, TONES, Audit, audited, computed, state_of
from projects.modes.audit.checks import Severity
from projects.modes.audit.findings import Difference, findings_of
from projects.modes.audit.models import Finding
from projects.modes.basic import Tap, taps_of
from projects.modes.rows import records_of
from projects.modes.state import AUDIT, UPDATE, AuditState, Harshness, Phase
from projects.modes.talking import Answer, Events, ProjectGuide, reading_tools, staged, talk

TOOLS_VERSION: Final = "audit-tools-3"
INSTRUCTIONS: Final = (
    "You have audited a project; now you answer about it. Stay with the findings and the "
    "project's own words, ask back where an answer is thin, and acknowledge what settles a "
    "finding. You cannot change the project. With a tool you can audit again (also in another "
    "tone or with another focus), note that a finding is answered when the person has "
    "answered it, and put findings before them as changes to approve when they ask for that. "
    "Four short sentences at most, at most one question, in the language of the person's last "
    "message. Tone: {tone}. Today is {today:%A, %Y-%m-%d}."
)


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


class _Answer(Answer[AuditState]):
    """The audit first; later messages are the model's, and without one it is computed anew."""

    again: AuditAgain | None = None  # asked for by a call, done after the answer

    def __init__(self, turn: Turn[AuditState]) -> None:
        super().__init__(turn)
        self.plan = self.rows.plan()
        self.opened: list[Part] = []
        self.implemented: list[Implement] = []

    def events(self) -> Events:
        memory, message = self.state.audit, self.turn.message
        is_again = message is not None and Tap.AGAIN in taps_of(message, has_model=True)
        if memory.has_audited and self.llm.is_configured and not is_again:
            yield from self._talk()
            return
        if self.text and not memory.concern and not is_again:
            memory.concern = self.text
            self.state.user_responses["concern"] = shortened(self.text)
        yield from self._audit()

    def _audit(self) -> Events:
        memory, project = self.state.audit, self.plan.row
        audit = yield from self._findings()
        difference = findings.store(plan=self.plan, audit=audit)
        rows = [finding for finding in findings_of(project) if finding.is_standing]
        memory.has_audited = True
        memory.numbered = [row.key for row in rows]
        self.state.phase = Phase.CLARIFYING
        self.state.questions_asked += len(rows)
        yield Text(audit_text(audit, rows, difference, memory.harshness, project.name))
        yield self._list()

    def _list(self) -> Part:
        return Part({"type": "findings", "project": str(self.plan.row.pk)})

    def _findings(self) -> Generator[GuideEvent, None, Audit]:
        audit = yield from staged(
            self.llm,
            STAGE,
            _("Checking the nine dimensions"),
            lambda: audited(self.plan, self.state.audit, self.llm, self.delimiter),
            lambda audit: {"refused": audit.refused},
        )
        return audit or computed(self.plan)

    def _talk(self) -> Events:
        memory, rows = self.state.audit, self._numbered()
        listed = "\n".join(
            f"{number}. [{row.get_severity_display()}, {row.source}, {state_of(row)}] "
            f"{row.observation}{_quotes(row.quotes)} Asked: {row.question} "
            f"Recommended: {row.recommendation}"
            for number, row in enumerate(rows, start=1)
        )
        assistant = yield from talk(
            self.turn,
            Toolset((*reading_tools(self.rows), *self._acts(rows)), self.rows.scope),
            label=_("Thinking"),
            instructions=INSTRUCTIONS.format(tone=TONES[memory.harshness], today=self.plan.today),
            records=[("findings", listed), *records_of(self.plan), *self.files],
            version=TOOLS_VERSION,
        )
        has_answered = assistant is not None and bool(assistant.text.strip())
        yield from self.opened
        if self.again is not None:
            memory.harshness = self.again.harshness or memory.harshness
            memory.concern = self.again.concern or memory.concern
            yield Text("\n\n" if has_answered else "")
            yield from self._audit()
        elif not has_answered:
            yield Text(
                _("No reply arrived. The findings are still in the list. Try again in a moment.")
            )
            yield self._list()

    def _acts(self, rows: Sequence[Finding]) -> list[Acting]:

        def named(numbers: Sequence[int]) -> list[Finding]:
            if any(not 1 <= number <= len(rows) for number in numbers):
                raise ToolRejected(f"There are findings 1 to {len(rows)}.")
            return [rows[number - 1] for number in dict.fromkeys(numbers)]

        def audit_again(arguments: AuditAgain, _working: Working, _call: str) -> str:
            self.again = arguments
            return "It follows your answer."

        def mark_answered(arguments: Answered, working: Working, _call: str) -> str:
            if working.is_tainted:  # nobody would review it
                raise ToolRejected("NOT DONE: only the person's own words answer a finding.")
            findings.settle(named([arguments.number])[0], arguments.answer)
            return "Noted."

        def implement(arguments: Implement, _working: Working, _call: str) -> str:
            if arguments in self.implemented:
                raise ToolRejected("These are before the person already.")
            audit = Session.objects.get(pk=self.turn.session_id)
            try:
                opened = findings.put_before(audit, self.plan.row, named(arguments.numbers))
            except FuturaError as error:
                raise ToolRejected(str(error)) from error
            waiting = waiting_count(opened.pk)
            part = {"type": "opened", "session": str(opened.pk), "kind": UPDATE, "waiting": waiting}
            self.opened.append(Part(part))
            self.implemented.append(arguments)
            return (
                f"NOT DONE: {waiting} changes wait for the person's approval in a new conversation."
            )

        return [
            Acting("audit_again", first_paragraph(AuditAgain), AuditAgain, audit_again),
            Acting("mark_answered", first_paragraph(Answered), Answered, mark_answered),
            Acting("implement_findings", first_paragraph(Implement), Implement, implement),
        ]

    def _numbered(self) -> list[Finding]:
        """The findings in the order in which they were numbered last."""
        by_key = {item.key: item for item in findings_of(self.plan.row)}
        return [by_key[key] for key in self.state.audit.numbered if key in by_key]


class AuditGuide(ProjectGuide[AuditState]):
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


_WOULD: Final[dict[int, str | Promise]] = {
    5: gettext_lazy("You could %(what)s."),
    7: gettext_lazy("I would %(what)s."),
    8: gettext_lazy("Do this: %(what)s."),
}
HARSHNESS_WORDS: Final[dict[int, str | Promise]] = {
    5: gettext_lazy("gentle, 5 of 10"),
    7: gettext_lazy("frank, 7 of 10"),
    8: gettext_lazy("hard, 8 of 10"),
}


def audit_text(
    audit: Audit,
    standing: Sequence[Finding],
    difference: Difference | None,
    harshness: int,
    name: str,
) -> str:
    """The whole audit as Markdown: judgement, what changed, what works, findings."""
    parts = ["**" + _("In short") + f"**\n\n{audit.overall or overall(standing)}"]
    if difference is not None:
        parts.append("**" + _("Since the last audit") + f"**\n\n{since(difference)}")
    lines = [f"- {text}{_quotes([quote])}" for text, quote in audit.strengths]
    parts.append("\n".join(["**" + _("What works") + "**", "", *lines]))
    if standing:
        parts.append("**" + _("What I found") + "**")
        parts += [finding_text(n, entry, harshness) for n, entry in enumerate(standing, 1)]
    parts.append(closing(standing, name))
    return "\n\n".join(parts)


def overall(standing: Sequence[Finding]) -> str:
    if not standing:
        return _("The computed checks found no problem with the plan.")
    grave = sum(item.severity == Severity.CRITICAL for item in standing)
    words = ngettext(
        "%(n)d finding is open, %(grave)d of it critical.",
        "%(n)d findings are open, %(grave)d of them critical.",
        len(standing),
    )
    return words % {"n": len(standing), "grave": grave}


def since(difference: Difference) -> str:
    values = {name: len(difference[name]) for name in ("added", "recurring", "mended", "standing")}
    words = _("%(added)d new, %(recurring)d recurring, %(mended)d fixed, %(standing)d still open.")
    fixed = _("Fixed: %(finding)s")
    lines = [f"- {fixed % {'finding': finding.observation}}" for finding in difference["mended"]]
    return "\n".join([words % values, "", *lines]).rstrip()


def finding_text(number: int, row: Finding, harshness: int) -> str:
    source = _("computed") if row.source == Finding.Source.COMPUTED else _("from the texts")
    labels = [str(Finding.Area(row.area).label), row.get_severity_display(), source]
    if row.status == Finding.Status.RECURRING:
        labels.append(_("recurring"))
    would = ""
    if row.source == Finding.Source.MODEL:
        would = capfirst(row.recommendation)
    elif row.recommendation:
        would = str(_WOULD[harshness]) % {"what": row.recommendation}
    head = f"{number}. **{', '.join(labels)}.** {row.observation}{_quotes(row.quotes)}"
    return "\n".join([head, "", f"   {row.question} {would}".rstrip()])


def _quotes(quotes: Sequence[str]) -> str:
    normalized = [" ".join(quote.split()).replace("*", "") for quote in quotes]
    return "".join(f" *{quoted(quote)}*" for quote in normalized if quote)


def closing(standing: Sequence[Finding], name: str) -> str:
    if not standing:
        return _("Audit again when something has changed.")
    return _(
        "None of these findings stops **%(name)s**. Select below what to act on: it becomes "
        "changes for your approval. Answer or dismiss the others. Which one do you want to "
        "talk about?"
    ) % {"name": name}
