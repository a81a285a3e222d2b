"""What can be read of surveys: the list of them, and one with its tasks."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, ClassVar

from pydantic import BaseModel, RootModel

from chat.commands.base import Query, Scope
from tasks import queries
from tasks.export import response_as_json


class SurveyLine(BaseModel):
    """A survey in a list; `status` is the step it stands at."""

    id: uuid.UUID
    job_title: str
    status: str
    tasks: int
    updated_at: datetime


class SurveysOut(BaseModel):
    """A person's surveys, last touched first, the 50 newest."""

    surveys: list[SurveyLine]


class SurveyOut(RootModel[dict[str, Any]]):
    """A survey as its export has it: job, occupation, step, tasks with their matches."""


class ListSurveys(Query):
    """Lists surveys, last touched first."""

    name: ClassVar[str] = "list_surveys"
    area: ClassVar[str] = "surveys"

    def read(self, scope: Scope) -> SurveysOut:
        responses: list[Any] = list(queries.responses_of(scope.identity))
        return SurveysOut(
            surveys=[
                SurveyLine(
                    id=response.pk,
                    job_title=response.job_title,
                    status=response.step,
                    tasks=response.task_count,
                    updated_at=response.session.updated_at,
                )
                for response in responses
            ]
        )


class ReadSurvey(Query):
    """Reads a survey with its tasks: statement, quote, match, time and AI use of each."""

    name: ClassVar[str] = "read_survey"
    area: ClassVar[str] = "surveys"

    survey: uuid.UUID

    def read(self, scope: Scope) -> SurveyOut:
        response = queries.response_for(scope.identity, self.survey)
        return SurveyOut(response_as_json(response, queries.tasks_of(response)))
