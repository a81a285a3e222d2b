"""JSON for programs: the survey's conversation and its tasks, in the spec's shapes and names."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any, Literal

from channels.db import database_sync_to_async
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from ninja import Field, Router, Status

from chat import actions as chat_actions, queries as chat_queries, rates
from chat.api import Camel
from chat.identity import identity_of
from chat.models import Run
from chat.sse import NoAnswer, wait_for_run
from futura import limits, parameters
from futura.errors import Conflict
from onet import queries as onet
from onet.candidates import CatalogueKind
from tasks import queries
from tasks.actions import start_pipeline, start_survey, submit
from tasks.campaigns.journey import fixed_words
from tasks.export import task_as_json
from tasks.interview.cards import select
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse
from tasks.stretches import place_of

WAIT_S = 30
"""How long `POST /api/chat` waits for the answer before it says 202."""

router = Router(tags=["Work survey"])


class Start(Camel):
    """Begins a conversation."""

    action: Literal["start"]
    job_title: str
    occupation_code: str | None = None
    initial_tasks: str | None = None


class Say(Camel):
    """Sends one message; the same `clientId` twice is one message."""

    action: Literal["message"]
    session_id: uuid.UUID
    message: str
    client_id: uuid.UUID | None = None


class Selection(Camel):
    """Replaces the selected suggestion cards."""

    session_id: uuid.UUID
    selected_suggestion_ids: list[str] = Field(max_length=100)


class SpokenOut(Camel):
    """What the assistant said."""

    role: Literal["assistant"] = "assistant"
    content: str


class SuggestionOut(Camel):
    """A suggestion card."""

    id: str
    statement: str
    gwa_category: str


class QuoteOut(Camel):
    """A stretch of a message: [start, end) characters."""

    message_id: str
    start: int
    end: int


class ExtractedTaskOut(Camel):
    """A task as the person said it, the message it came from, and where its words stand in it."""

    raw: str
    source_message_id: str | None = None
    quote: QuoteOut | None = None


class StateOut(Camel):
    """Where the conversation stands."""

    turn_count: int
    estimated_task_count: int
    user_engagement: str
    gwa_coverage: dict[str, str]
    week_percent: int | None = Field(
        None,
        description="About how much of a week like the person's is on the list, in steps of ten; "
        "nothing without an occupation or with too little to go by.",
    )


class ChatOut(Camel):
    """The answer to a start or a message; `catalogue` is where cards and matches come from."""

    session_id: uuid.UUID
    catalogue: CatalogueKind | None = None
    message: SpokenOut
    suggestions: list[SuggestionOut] | None = None
    should_show_suggestions: bool
    is_complete: bool
    extracted_tasks: list[ExtractedTaskOut]
    tool_used: str | None = None
    basic_mode: bool = Field(description="Whether rules stood in for the model.")
    updated_state: StateOut


class PendingOut(Camel):
    """The answer takes longer; follow the log, or ask again later."""

    session_id: uuid.UUID
    run_id: uuid.UUID
    status: str
    events_url: str


class SelectionOut(Camel):
    """The selection as it now stands."""

    session_id: uuid.UUID
    selected_suggestion_ids: list[str]
    updated_state: StateOut


class TasksOut(Camel):
    """`status` is the pipeline's step; a task is the spec's TaskWithData with quote and match.

    `catalogue` is the one in use; each match names its own, `onet` or `starter`. Statements of the
    starter catalogue have a `statementId` and no `onetTaskId`.
    """

    status: str
    catalogue: CatalogueKind | None
    submitted_at: datetime | None = Field(description="Since then the list can only be read.")
    tasks: list[dict[str, Any]]


@router.post(
    "/chat",
    response={200: ChatOut, 202: PendingOut},
    by_alias=True,
    exclude_none=True,
    summary="Start a survey, or say something in it",
)
async def post_chat(
    request: HttpRequest, payload: Annotated[Start | Say, Field(discriminator="action")]
) -> HttpResponse:
    """Answers when the turn is done; after 30 seconds 202 with the run to follow.

    An anonymous start sets the participant's cookie, which later calls must carry.
    """
    run = await database_sync_to_async(_take, thread_sensitive=False)(request, payload)
    run = await wait_for_run(run.pk, timeout_s=WAIT_S)
    answer: ChatOut | PendingOut
    if run.is_open:
        url = reverse("api:session_events", args=[run.session_id])
        answer = PendingOut(
            session_id=run.session_id, run_id=run.pk, status=run.status, events_url=url
        )
    else:
        catalogue = await database_sync_to_async(onet.catalogue)()
        answer = _answer(run, catalogue.kind)
    values = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
    return JsonResponse(values, status=202 if run.is_open else 200)


@router.patch(
    "/chat", response=SelectionOut, by_alias=True, summary="Replace the selected suggestion cards"
)
def patch_chat(request: HttpRequest, payload: Selection) -> SelectionOut:
    """Ids that were never shown are refused; a selection is counted once, with the next message."""
    session = chat_queries.session_for(identity_of(request), payload.session_id)
    select(session=session, ids=payload.selected_suggestion_ids)
    session.refresh_from_db()
    state = SurveyState.model_validate(session.state)
    return SelectionOut(
        session_id=session.pk,
        selected_suggestion_ids=state.selected_suggestion_ids,
        updated_state=StateOut.model_validate(state),
    )


@router.get(
    "/survey/{uuid:session_id}/tasks",
    response=TasksOut,
    by_alias=True,
    summary="Tasks of a survey",
)
def get_tasks(request: HttpRequest, session_id: uuid.UUID) -> TasksOut:
    """The list as it stands; poll while `status` is not `done` or a `matchStatus` is `pending`."""
    return _list_of(queries.response_for(identity_of(request), session_id))


@router.post(
    "/survey/{uuid:session_id}/tasks",
    response={202: TasksOut},
    by_alias=True,
    summary="Make the task list of a survey",
)
def post_tasks(request: HttpRequest, session_id: uuid.UUID) -> Status[TasksOut]:
    """From what was said so far, as Finish does on the page; then poll the same address. The end
    of a conversation does it by itself (`toolUsed` is `proceed`), an offer to end it does not.

    Asked again, it adds what was said since. Send an empty JSON object.
    """
    response = queries.response_for(identity_of(request), session_id)
    if words := fixed_words(response):
        raise Conflict(words)
    start_pipeline(response.pk)
    response.refresh_from_db()
    return Status(202, _list_of(response))


@router.post(
    "/survey/{uuid:session_id}/submit",
    response=TasksOut,
    by_alias=True,
    summary="Submit the task list of a survey",
)
def post_submit(request: HttpRequest, session_id: uuid.UUID) -> TasksOut:
    """For good: it can be read afterwards, not changed. Submitting twice changes nothing.

    Shares that do not add up to 100 and tasks without AI use are submitted as they are; an empty
    list is not (400), nor one that is still being made or whose campaign is over (409, the first
    with `retry`). Send an empty JSON object.
    """
    return _list_of(submit(response=queries.response_for(identity_of(request), session_id)))


def _list_of(response: SurveyResponse) -> TasksOut:
    return TasksOut(
        status=response.step,
        catalogue=onet.catalogue().kind,
        submitted_at=response.submitted_at,
        tasks=[task_as_json(task) for task in queries.tasks_of(response)],
    )


def _take(request: HttpRequest, payload: Start | Say) -> Run:
    """Stores what was sent; the run that will answer it."""
    identity = identity_of(request)
    if isinstance(payload, Say):
        session = chat_queries.session_for(identity, payload.session_id)
        return chat_actions.send_message(
            identity=identity,
            session=session,
            text=payload.message,
            client_id=payload.client_id,
        )
    with transaction.atomic():  # what is refused leaves no participant behind
        response = start_survey(
            participant=identity.participant(),
            job_title=payload.job_title,
            occupation_code=payload.occupation_code,
            initial_tasks=payload.initial_tasks,
            language=parameters.language(request.headers.get("Accept-Language", "")),
        )
        rates.check(limits.START, identity)  # what cannot be used is not counted
    return Run.objects.filter(session_id=response.pk).earliest("created_at")


def _answer(run: Run, catalogue: CatalogueKind | None) -> ChatOut:
    """The spec's response for a run that is over, with session and reply loaded.

    Raises NoAnswer when there is no answer to show.
    """
    if run.reply is None or run.status in {Run.Status.FAILED, Run.Status.INTERRUPTED}:
        raise NoAnswer(run)
    state = SurveyState.model_validate(run.session.state)
    parts = {str(part.get("type")): part for part in run.reply.parts}
    cards = parts.get("suggestions", {}).get("cards")
    return ChatOut(
        session_id=run.session_id,
        catalogue=catalogue,
        message=SpokenOut(content=run.reply.text),
        suggestions=[
            SuggestionOut(id=card["id"], statement=card["statement"], gwa_category=card["group"])
            for card in cards
        ]
        if cards
        else None,
        should_show_suggestions=bool(cards),
        is_complete=state.is_complete,
        extracted_tasks=[
            ExtractedTaskOut(
                raw=mention.text,
                source_message_id=mention.message_id or None,
                quote=QuoteOut(message_id=mention.message_id, start=place[0], end=place[1])
                if (place := place_of(mention))
                else None,
            )
            for mention in state.mentioned_activities
        ],
        tool_used=parts.get("turn", {}).get("tool"),
        basic_mode=run.basic_mode,
        updated_state=StateOut.model_validate(state),
    )
