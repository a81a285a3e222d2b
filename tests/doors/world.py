"""The world behind the access tests: two owners, their ids, every route, one way to knock."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from chat.commands.tokens import create_token
from chat.events.log import redis
from chat.models import Feedback, Message, Participant, Run, Session
from chat.operations.changes import Actor, Update
from chat.operations.models import Operation, OperationBatch
from chat.operations.review import propose
from chat.operations.undo import rehearse
from chat.staff.actions import mark_reviewed
from futura.llm.models import ModelCall
from projects.forecasting.actions import store
from projects.forecasting.models import Forecast
from projects.forecasting.results import Result, forecast
from projects.models import DraftTask, Note, Project, ProjectDraft, Task
from projects.modes.audit.models import Finding
from projects.portfolio.models import Entry, Experience, Portfolio, Source
from tasks.commands.edit import MergeTasks
from tasks.commands.matches import ChooseMatch
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tests import project_rows, todos
from tests.doors.campaigns import campaign_ids
from tests.doors.forms import EXEMPT, FORMS
from tests.doors.portfolios import BLOCK_ID, portfolio_ids
from tests.projects.forecasting.plans import plan
from tests.tasks import changing
from tests.tasks.pages.conftest import Survey, make_survey

SCRIPT = "<script>alert(1)</script>"
LONG = "long word " * 2_000
METHODS = ("get", "post", "patch", "put", "delete")
OF_PAGES = ("get", "post")
"""What a page is asked by; the API by all methods."""


@dataclass(frozen=True)
class Route:
    """One address of the product: its name, and the parameters in it."""

    name: str
    parameters: frozenset[str]

    def url(self, ids: Mapping[str, object]) -> str:
        return reverse(self.name, kwargs={key: ids[key] for key in self.parameters})

    @property
    def methods(self) -> tuple[str, ...]:
        """What it is asked by; by all methods, strangers knock at it when thorough."""
        return METHODS if self.name.startswith("api") else OF_PAGES


def _routes(within: URLResolver, spaces: tuple[str, ...] = ()) -> Iterator[Route]:
    for one in within.url_patterns:
        if isinstance(one, URLPattern):
            named = one.pattern.regex.groupindex
            parameters = frozenset(named) | frozenset(getattr(one.pattern, "converters", {}))
            yield Route(":".join([*spaces, one.name or ""]), parameters)
        else:
            yield from _routes(one, (*spaces, one.namespace) if one.namespace else spaces)


ROUTES = sorted(set(_routes(get_resolver())), key=lambda route: route.name)
OURS = [route for route in ROUTES if not route.name.startswith("admin:")]
MATRIX = [route for route in OURS if route.parameters and route.name not in EXEMPT]
OPEN = [route for route in OURS if not route.parameters]


@dataclass
class World:
    """A survey of alice's with a talk, cards, a stopped run; one of bob's; ids of both."""

    survey: Survey
    ids: dict[str, Any]
    bobs: dict[str, Any]
    clients: dict[str, Client] = field(default_factory=dict)


def _project_ids(owner: Participant) -> dict[str, Any]:
    """A project with two to-dos and a note, and a draft with a to-do."""
    actor = Actor(owner.pk)
    project = project_rows.create_project(actor=actor, values={"name": "Hidden shed"}).row
    todo, other = (
        todos.add(actor=actor, project=project, values={"title": title})
        for title in ("Hidden wood", "Hidden nails")
    )
    note = todos.add_note(actor=actor, project=project, values={"text": "Hidden note"}).row
    draft = project_rows.start_draft(actor=actor, values={"name": "Hidden boat"}).row
    rope = project_rows.add_draft_task(
        actor=actor, draft=draft, values={"title": "Hidden rope"}
    ).row
    talk = Session.objects.create(
        participant=owner,
        kind="project_update",
        title="Hidden talk",
        state={"project_id": str(project.pk)},
    )
    audit, finding, forecast = _read_only(owner, project)
    forecast_talk = Session.objects.create(
        participant=owner, kind="project_forecast", state={"project_id": str(project.pk)}
    )
    concierge = Session.objects.create(participant=owner, kind="concierge", title="Hidden day")
    return {
        "concierge_id": concierge.pk,
        "audit_id": audit.pk,
        "finding_id": finding.pk,
        "forecast_id": forecast.pk,
        "forecast_talk_id": forecast_talk.pk,
        "talk_id": talk.pk,
        "mode": "update",
        "project_id": project.pk,
        "todo_id": todo.row.pk,
        "batch_id": other.batch.pk,
        "operation_id": other.batch.operations.get().pk,
        "entity": "task",
        "entity_id": other.row.pk,
        "note_id": note.pk,
        "draft_id": draft.pk,
        "draft_task_id": rope.pk,
        "dimension": "core_goals_momentum",
    }


def _read_only(owner: Participant, project: Project) -> tuple[Session, Finding, Forecast]:
    """An audit with a finding, and a forecast."""
    fix = {"kind": "task", "values": {"title": "Hidden end"}}
    finding = Finding.objects.create(
        owner=owner, project=project, key="no-end", area="missing", severity=2, source="computed",
        observation="Hidden gap", question="When?", recommendation="set an end", fix=fix,
    )  # fmt: skip
    state = {"project_id": str(project.pk)}
    audit = Session.objects.create(participant=owner, kind="project_audit", state=state)
    inputs = plan()
    result = forecast(inputs, runs=100)
    assert isinstance(result, Result)
    return (
        audit,
        finding,
        store(project=project, inputs=inputs, result=result, situation="Hidden worry"),
    )


def _ids(survey: Survey) -> dict[str, Any]:
    session = survey.response.session
    card = {"id": "c-1", "statement": "Plan the week", "group": "workOutput", "display": 1}
    part = {"type": "suggestions", "cards": [card]}
    asked = Message.objects.create(
        session=session, seq=3, role="assistant", text="Is this yours?", parts=[part]
    )
    session.state = session.state | {"cards": [card]}
    session.save()
    run = Run.objects.create(
        session=session,
        message=session.messages.get(seq=2),
        status=Run.Status.STOPPED,
        state_before=session.state,
    )
    ModelCall.objects.create(
        created_at=run.created_at,
        session_id=session.pk,
        run_id=run.pk,
        stage="response",
        attempt=1,
        wire="responses",
        model_asked="gpt-4o",
        latency_ms=900,
        outcome="cancelled",
    )
    user_id = session.participant.user_id
    assert user_id is not None
    token, _text = create_token(user_id=user_id, name="Hidden", scopes=["todos:read"], days=30)
    return {
        "session_id": session.pk,
        "token_id": token.pk,
        "run_id": run.pk,
        "message_id": asked.pk,
        "answer_id": run.message_id,
        "task_id": survey.tasks[0].pk,
        **_project_ids(session.participant),
        **portfolio_ids(session.participant),
        **campaign_ids(session.participant),
    }


def make_world(alice, bob, participant_of, browser, **others: Any) -> World:
    """The world of these people; others get a browser only."""
    redis().flushall()
    survey = make_survey(participant_of(alice))
    world = World(survey, _ids(survey), _ids(make_survey(participant_of(bob))))
    people = {"alice": alice, "bob": bob, **others}
    world.clients = {name: browser(user) for name, user in people.items()}
    world.clients["nobody"] = browser()
    return world


def as_made(made: World) -> World:
    """A world whose browsers and rows in memory are a test's own."""
    clients: dict[str, Client] = {}
    for name, client in made.clients.items():
        clients[name] = Client()
        clients[name].cookies = deepcopy(client.cookies)
    return replace(made, survey=deepcopy(made.survey), clients=clients)


def stored() -> dict[str, str]:
    """A print of everything a person can own, by table, without what every visit may touch."""
    tables: list[Any] = [
        *(Participant, Message, Run, Feedback, SurveyResponse, WorkTask, TaskMatch),
        *(Project, ProjectDraft, DraftTask, Task, Note, OperationBatch),
        *(Portfolio, Entry, Experience, Source),
    ]
    rows = [f"SELECT '{table.__name__}', t::text FROM {table._meta.db_table} t" for table in tables]
    sessions = f"(SELECT id, status, state, participant_id FROM {Session._meta.db_table})"
    rows.append(f"SELECT 'Session', t::text FROM {sessions} t")
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT name, md5(string_agg(row, ' ' ORDER BY row))"
            f" FROM ({' UNION ALL '.join(rows)}) AS every(name, row) GROUP BY name"
        )
        return dict(cursor.fetchall())


def knock(client: Client, method: str, url: str, body: Mapping[str, Any] | None = None) -> Any:
    """One request as a page or program makes it; errors of a view are answers."""
    client.raise_request_exception = False
    sent = dict(body or {})
    if url.startswith("/api/") and method in {"post", "patch", "put", "delete"}:
        text = json.dumps(sent)
        return getattr(client, method)(url, text, content_type="application/json")
    asks_with = [sent] if method in {"get", "post"} else []
    answer = getattr(client, method)(url, *asks_with)
    if getattr(answer, "file_to_stream", None):
        answer.file_to_stream.close()  # a picture, which nobody looks at here
    return answer


def sent_to(world: World, name: str) -> dict[str, Any]:
    known = {"{new}": str(uuid.uuid4()), "{run_id}": str(world.ids["run_id"]),
             "{other_task}": str(world.survey.tasks[1].pk),
             "{todo_id}": str(world.ids["todo_id"]),
             "{entry_down}": f"down:{world.ids['entry_id']}", "{block}": BLOCK_ID,
             "{source_id}": str(world.ids["source_id"]),
             "{project_id}": str(world.ids["project_id"])}  # fmt: skip
    if name.startswith(("operations:", "staff_operations:")):
        known |= _of_operations(world)
    sent = {key: known.get(value, value) for key, value in FORMS[name].items()}
    if name.startswith("staff_tasks:"):
        return _of_review(world, sent)
    if name == "staff_people:people":
        sent["account"] = str(User.objects.get(username="newt").pk)
    if name == "survey:match":
        sent["match_version"] = str(world.survey.fresh(world.survey.tasks[0]).match.version)
    return sent


def _of_review(world: World, sent: dict[str, Any]) -> dict[str, Any]:
    """What the forms of a reviewer carry: versions, a correction, a task that was coded twice."""
    task = world.survey.fresh(world.survey.tasks[0])
    corrected = OperationBatch.objects.filter(actor="staff").order_by("-created_at").first()
    known = {"{match_version}": str(task.match.version), "{task}": str(task.pk),
             "{correction}": str(corrected.pk if corrected else uuid.uuid4())}  # fmt: skip
    return {key: known.get(value, value) for key, value in sent.items()}


def _for_review(world: World, name: str) -> None:
    """A correction to take back; a list that was reviewed."""
    rita, session = User.objects.get(username="rita"), world.survey.response.session
    if name == "staff_tasks:take_back":
        task_id = world.ids["task_id"]
        changing.correct(ChooseMatch, world.survey.response, rita, task=task_id, candidate="c2")
    if name == "staff_tasks:take_out":
        first, other, _ = (task.pk for task in world.survey.tasks)
        changing.correct(MergeTasks, world.survey.response, rita, task=first, others=[other])
    if name == "staff_tasks:code":
        mark_reviewed(user=rita, session=session)


def _waiting(world: World) -> dict[str, Any]:
    """A change of the to-do that waits for its owner."""
    change = Update("task", world.ids["entity_id"], {"title": "Hidden screws"})
    owner = world.survey.response.session.participant_id
    batch = propose(actor=Actor(owner, kind="agent"), changes=[change], reasons=["Asked."])
    return {"batch_id": batch.pk, "operation_id": batch.operations.get().pk}


def _of_operations(world: World) -> dict[str, str]:
    """What the forms of the changes carry: the plan that was shown, what waits."""
    batch = OperationBatch.objects.get(pk=world.ids["batch_id"])
    plan = rehearse(batch.owner_id, list(batch.operations.all()))
    waits = Operation.objects.select_related("payload").filter(status="pending").first()
    told = {"{digest}": plan.digest, "{shown}": f"{uuid.uuid4()}:0", "{operation}": ""}
    if waits is not None:
        told |= {"{shown}": f"{waits.pk}:{waits.payload.digest}", "{operation}": str(waits.pk)}
    return told


def ready_for(world: World, name: str) -> dict[str, Any]:
    """Ids for a form that is meant for something else than the stopped run of the world."""
    run = Run.objects.get(pk=world.ids["run_id"])
    reply = Message.objects.get(pk=world.ids["message_id"])
    if name in {"chat:regenerate", "chat:continue_run"}:
        done = name == "chat:regenerate"
        run.status = Run.Status.COMPLETED if done else Run.Status.STOPPED
        run.reply = reply
        run.save()
    if name.startswith("staff_tasks:"):
        _for_review(world, name)
    if name in {"operations:approve", "operations:reject", "operations:revise"}:
        return world.ids | _waiting(world)
    if name == "projects:from_survey":
        SurveyResponse.objects.update(submitted_at=timezone.now())
    if name == "sample:delete":
        world.clients["alice"].post("/sample/create")
    if name == "chat:edit":
        return world.ids | {"message_id": run.message_id}
    if name in {"chat:reword", "chat:remove"}:
        waiting = Message.objects.create(
            session=reply.session, seq=4, role="user", text="And more.", status="queued"
        )
        Run.objects.create(session=reply.session, message=waiting)
        return world.ids | {"message_id": waiting.pk}
    return world.ids


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is stored inside is gone afterwards."""
    redis().flushall()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
