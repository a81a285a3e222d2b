"""What the two reading modes, audit and forecast, share: the plan they read, and their phases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from django.utils.functional import Promise

from chat.assistant import cards
from chat.models import Message, Session
from chat.presenters import Rendered
from futura.llm.tools import ToolRejected
from projects.agent.presenters import AgentPresenter
from projects.agent.state import Phase
from projects.agent.toolbox import Picture, ToolBox
from projects.forecasting.inputs import Inputs
from projects.forecasting.queries import widening_for
from projects.forecasting.snapshot import inputs_of
from projects.models import Project, Task


@dataclass(frozen=True)
class Plan:
    """A conversation's project as it stands: rows for words, inputs for figures."""

    project: Project
    tasks: tuple[Task, ...]
    picture: Picture
    inputs: Inputs


def plan_of(box: ToolBox) -> Plan:
    """Reads the project. Raises ToolRejected when it is gone."""
    picture = box.picture()
    project = picture.row
    if not isinstance(project, Project):
        raise ToolRejected("There is no project in this conversation.")
    tasks = tuple(one for one in picture.tasks if isinstance(one, Task))
    inputs = inputs_of(project, tasks, today=box.today)
    widening, _projects = widening_for(project.owner_id)
    return Plan(project, tasks, picture, replace(inputs, widening=widening))


class ReadingPresenter(AgentPresenter):
    """A mode with phases of its own."""

    changes_things = False
    phases: ClassVar[Mapping[str, str | Promise]] = {}

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """The ledger's line under an answer, and what all modes show."""
        if part.get("type") == cards.TYPE:
            return cards.rendered(part, session)
        return super().part(part, message=message, session=session)

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """The same in words, for exports."""
        if part.get("type") == cards.TYPE:
            return cards.in_words(part)
        return super().part_words(part, message=message)

    def phase(self, session: Session, *, oob: bool = True) -> Rendered:
        """The line that says where the conversation stands."""
        now = session.state.get("phase", Phase.GATHERING)
        at = list(self.phases).index(now) if now in self.phases else 0
        words = enumerate(self.phases.values())
        steps = [(word, place <= at, place == at) for place, word in words]
        context: dict[str, Any] = {"steps": steps, "session": session, "oob": oob}
        context |= {"mode": self.mode, "title": session.title or self.name}
        return Rendered("projects/agent/_phase.html", context)
