"""The commands of visitors' questions that nothing answered: answer, dismiss, put back."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from pydantic import Field

from chat.commands.base import Rejected, Scope
from chat.operations.base import OperableModel
from chat.operations.changes import Change, Update
from chat.operations.models import OperationBatch
from futura.errors import BadInput
from futura.limits import required_text
from projects.portfolio import undecided
from projects.portfolio.commands.base import RowCommand
from projects.portfolio.contact import find_contacts
from projects.portfolio.models import OpenQuestion

ANSWER_CHARS: Final = 4_000
Status = OpenQuestion.Status


class ContactsUndecided(BadInput):
    """Contact data that nobody decided about, or something that must be there first."""


class _QuestionCommand(RowCommand):
    model: ClassVar[type[OperableModel]] = OpenQuestion

    def _update(self, scope: Scope, **values: Any) -> list[Change]:
        question = self.row(scope)
        return [Update("portfolio_question", question.pk, values, question.version)]


class AnswerQuestion(_QuestionCommand):
    """Answers a visitor's question. Approved, both join what visitors are told from."""

    name: ClassVar[str] = "answer_question"
    wish: ClassVar[str] = noop("Answer “%(row)s”")

    answer: str
    is_approved: bool = Field(True, description="False stores it for later.")
    shows_contacts: bool = Field(False, description="Contact data in it may become public.")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope, BadInput, TooLong, ContactsUndecided."""
        text = required_text(self.answer, limit=ANSWER_CHARS, field="answer")
        if not self.is_approved:
            return self._update(scope, answer=text, status=Status.OPEN, answered_at=None)
        question = self.row(scope)
        if question.reply_to:
            raise Rejected(_("This is a message to you. Answer it by mail."))
        contacts = find_contacts(f"{question.question}\n{text}")
        if contacts and not self.shows_contacts:
            named = {"found": ", ".join(contact.text for contact in contacts)}
            text = _("This would make contact data public: %(found)s.") % named
            raise ContactsUndecided(text, field="answer")
        return self._update(scope, answer=text, status=Status.ANSWERED, answered_at=timezone.now())

    def carry_out(self, scope: Scope, cause: Any = None) -> OperationBatch:
        """With it the owner's word that contact data in it may be shown."""
        batch = super().carry_out(scope, cause)
        if self.is_approved and self.shows_contacts and batch.finished_at:
            question = self.row(scope)
            undecided.clear(question.portfolio_id, undecided.keys_in([question]))
        return batch

    @property
    def ledger_title(self) -> str:
        """“Approved an answer”."""
        return _("Approved an answer") if self.is_approved else _("Stored an answer for later")


class DismissQuestion(_QuestionCommand):
    """Puts a question away; an approved answer to it is taken out of what visitors are told."""

    name: ClassVar[str] = "dismiss_question"
    done: ClassVar[str] = noop("Dismissed a question")
    wish: ClassVar[str] = noop("Dismiss “%(row)s”")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope."""
        return self._update(scope, status=Status.DISMISSED)


class ReopenQuestion(_QuestionCommand):
    """Puts a question back among those without an answer."""

    name: ClassVar[str] = "reopen_question"
    done: ClassVar[str] = noop("Put a question back")
    wish: ClassVar[str] = noop("Put “%(row)s” back")

    def plan(self, scope: Scope) -> list[Change]:
        """One update. Raises NotInScope."""
        return self._update(scope, status=Status.OPEN, answered_at=None)


COMMANDS: Final = (AnswerQuestion, DismissQuestion, ReopenQuestion)
