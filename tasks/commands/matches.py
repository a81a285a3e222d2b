"""The commands that settle which catalogue statement says a task; its activities follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from pydantic import Field

from futura.errors import BadInput, Conflict
from futura.limits import TASK_STATEMENT_CHARS
from onet.search import search
from tasks import activities, changes
from tasks.commands.base import TaskCommand, TaskList, match_of
from tasks.models import SurveyResponse, TaskMatch

NONE_OF_THESE: Final = "none"
SEARCH_RESULTS: Final = 8


class ChooseMatch(TaskCommand):
    """Takes a statement of the catalogue for a task, or none; a person's choice is final.

    The statement is one of the match's candidates, or of what a search for `words` gives.
    `version` is the match's.
    """

    name: ClassVar[str] = "choose_match"
    title: ClassVar[str | Promise] = gettext_lazy("Selected a match")

    candidate: str = Field(description="Id of a statement, or none.")
    words: str = Field("", description="What the catalogue was searched for.")
    reason: str = Field("", description="Shown beside the match.")

    def fill(self, tasks: TaskList) -> None:
        task = tasks.task(self.task)
        match = match_of(task)
        if self.version is not None and self.version != match.version:
            raise Conflict(_("The suggestions for this task have changed. Select again."))
        statement: Mapping[str, Any] | None = None
        if self.candidate == NONE_OF_THESE:
            status, confidence = TaskMatch.Status.NONE, TaskMatch.Confidence.NONE
            usual = _("You selected “None of these”.")
        else:
            status, confidence = TaskMatch.Status.MATCHED, TaskMatch.Confidence.HIGH
            usual = _("You selected this statement.")
            statement = self._statement(tasks.response, match)
        method = TaskMatch.Method.STAFF if tasks.is_review else TaskMatch.Method.PERSON
        values = changes.match_columns(
            status, statement, confidence=confidence, reason=self.reason or usual, method=method
        )
        if statement is not None and statement not in match.candidates:
            values["candidates"] = [*match.candidates, statement]
        tasks.update_match(task, values)
        if activities.follow(task, statement):
            tasks.update(task, *activities.FIELDS)

    def _statement(self, response: SurveyResponse, match: TaskMatch) -> Mapping[str, Any]:
        listed = statement_of(self.candidate, match.candidates)
        listed = listed or statement_of(self.candidate, search_results(response, self.words))
        if listed is None:
            raise BadInput(_("Select one of the statements in the list."), field="candidate")
        return listed


class RetryMatch(TaskCommand):
    """Looks a match up again that could not be looked up; any other stays as it is."""

    name: ClassVar[str] = "retry_match"
    title: ClassVar[str | Promise] = gettext_lazy("Requested a new match")

    def fill(self, tasks: TaskList) -> None:
        task = tasks.task(self.task, version=self.version)
        if match_of(task).status == TaskMatch.Status.FAILED:
            tasks.update_match(task, changes.WAITING)


def search_results(response: SurveyResponse, words: str) -> list[dict[str, Any]]:
    """What the catalogue has for other words, best first, as candidates of a match."""
    text = " ".join(words.replace("\x00", "").split())[:TASK_STATEMENT_CHARS]
    if not text:
        return []
    results = search(text, occupation_code=response.occupation_code, limit=SEARCH_RESULTS)
    return [candidate.as_json() for candidate in results.candidates]


def statement_of(
    statement_id: str, candidates: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    return next((row for row in candidates if row.get("task_id") == statement_id), None)
