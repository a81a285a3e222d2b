"""The command that opens another conversation: a project's, a survey, a portfolio entry."""

from __future__ import annotations

import uuid
from typing import ClassVar, Final, Literal

from django.db import transaction
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, Field

from chat.commands.base import Act, Scope
from chat.commands.scope import OwnScope
from chat.commands.tokens import scopes_for_talk
from chat.models import Participant
from futura.errors import BadInput
from projects import hooks, words
from projects.concierge.snapshot import surveys_of
from projects.hooks import Handover
from projects.models import Project
from projects.modes import starting
from projects.modes.state import CREATE

Talk = Literal[
    "project_create", "project_update", "project_audit", "project_forecast", "survey",
    "portfolio_builder",
]  # fmt: skip
SURVEY: Final = "survey"
PORTFOLIO: Final = "portfolio_builder"
TEXT_CHARS: Final = 20_000
NOT_BEGUN: Final[dict[str, str | Promise]] = {
    SURVEY: gettext_lazy("Enter your job title to start a survey"),
    PORTFOLIO: gettext_lazy("Describe your work to start a portfolio entry"),
}
"""What is said where the page asks something first."""


class Opened(BaseModel):
    """Another conversation that begins or goes on, and its page.

    Without `session_id` nothing was begun: the page asks something first.
    """

    kind: Talk
    url: str
    title: str = ""
    session_id: uuid.UUID | None = None


class StartConversation(Act):
    """Opens the conversation made for a new project, for updating, auditing or forecasting one,
    for a survey of the person's work, or for an entry of their portfolio.

    Updating, auditing and forecasting need a project. `says` is what it begins with, in the
    person's words. A survey that is under way goes on where it is.
    """

    name: ClassVar[str] = "start_conversation"
    area: ClassVar[str] = "projects"

    kind: Talk
    project: uuid.UUID | None = Field(None, description="Id of one of the person's projects.")
    says: str | None = Field(None, max_length=TEXT_CHARS, description="What it begins with.")

    def scopes(self) -> frozenset[str]:
        """Also those of the conversation: what is said there may change things there."""
        return super().scopes() | (scopes_for_talk(self.kind, "POST") or set())

    def act(self, scope: Scope) -> Opened:
        """Opens it. Raises NotInScope, BadInput, TooLong."""
        with transaction.atomic():  # what is refused leaves no participant behind
            others = isinstance(scope, OwnScope) and scope.has_untrusted_text
            return self.opened(scope, has_others_words=others)

    def opened(
        self, scope: Scope, *, has_others_words: bool, key: uuid.UUID | None = None
    ) -> Opened:
        """The same, where `says` may be other people's words; the same `key` opens the same."""
        if self.kind == SURVEY:
            return self._survey(scope)
        project = scope.get(Project, self.project) if self.project else None
        participant = Participant.objects.get(pk=scope.actor.owner_id)
        text = (self.says or "").strip()
        if self.kind == PORTFOLIO:
            handover = Handover(
                participant=participant, owner_ids=scope.owner_ids, project=project,
                says="" if project else text, key=key, has_others_words=has_others_words,
            )  # fmt: skip
            place = hooks.hand_over(PORTFOLIO, handover)
            return Opened(
                kind=PORTFOLIO, url=place.url, title=place.title, session_id=place.session_id
            )
        others = bool(text) and has_others_words
        if self.kind == CREATE:
            session = starting.start_create(
                participant=participant, first_text=text, is_opened_with_others=others
            )
        elif project is None:
            raise BadInput(_("Choose a project."), field="project")
        else:
            session = starting.start_about(
                participant=participant, project=project, first_text=text,
                mode=self.kind.removeprefix("project_"), is_opened_with_others=others,
            )  # fmt: skip
        return opened_talk(self.kind, session.pk, project)

    def _survey(self, scope: Scope) -> Opened:
        """One that is open goes on; else the page that begins one."""
        talking = [one for one in surveys_of(scope.owner_ids) if one.is_talking]
        if not talking or (self.says or "").strip():
            return Opened(kind=SURVEY, url=reverse("survey:start"))
        first = talking[0]
        url = reverse("survey:chat", args=[first.id])
        return Opened(kind=SURVEY, url=url, title=first.title, session_id=first.id)

    def sentence(self, scope: Scope) -> str:
        """“Open: Update, “Garden””. Raises NotInScope."""
        kind = str(words.CONVERSATION[self.kind])
        if self.project is None:
            return _("Open: %(kind)s") % {"kind": kind}
        named = {"kind": kind, "name": scope.get(Project, self.project).name}
        return _("Open: %(kind)s, “%(name)s”") % named


def opened_talk(kind: Talk, session_id: uuid.UUID, project: Project | None) -> Opened:
    """A conversation about a project, or about one that is to be."""
    url = reverse("projects:agent_talk", args=[session_id])
    return Opened(kind=kind, url=url, title=project.name if project else "", session_id=session_id)
