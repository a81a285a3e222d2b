"""Who gets through which door, for every address there is, and what bad input does behind it.

The matrix is made from the URL configuration: a new route with ids it knows is covered at once; one
with other ids, or a form without its fields in `FORMS`, fails until it is listed here.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib import admin
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import transaction
from django.test import AsyncClient, Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from chat.events.connection import redis
from chat.models import Message, Participant, Run, Session
from futura.asgi import application
from futura.urls import websocket_urlpatterns
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tests.tasks.pages.conftest import Survey, make_survey

METHODS = ("get", "post", "patch", "put", "delete")
IDS = {"session_id", "run_id", "message_id", "task_id"}
STAFF = {"staff:session"}
# Routes with other parameters, and why no id of a person's thing is behind them.
EXEMPT = {
    "account_confirm_email": "the key in a mail is the secret itself",
    "account_reset_password_from_key": "the key in a mail is the secret itself",
}


@dataclass(frozen=True)
class Route:
    """One address of the product: its name, and the parameters in it."""

    name: str
    parameters: frozenset[str]

    def url(self, ids: Mapping[str, object]) -> str:
        return reverse(self.name, kwargs={key: ids[key] for key in self.parameters})


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
    ids: dict[str, uuid.UUID]
    bobs: dict[str, uuid.UUID]
    clients: dict[str, Client] = field(default_factory=dict)


def _ids(survey: Survey) -> dict[str, uuid.UUID]:
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
    return {
        "session_id": session.pk,
        "run_id": run.pk,
        "message_id": asked.pk,
        "task_id": survey.tasks[0].pk,
    }


def _world(alice, bob, participant_of, browser, **others: Any) -> World:
    redis().flushall()
    survey = make_survey(participant_of(alice))
    world = World(survey, _ids(survey), _ids(make_survey(participant_of(bob))))
    people = {"alice": alice, "bob": bob, **others}
    world.clients = {name: browser(user) for name, user in people.items()}
    world.clients["nobody"] = browser()
    return world


@pytest.fixture
def world(alice, bob, charlie, stan, participant_of, browser) -> World:
    return _world(alice, bob, participant_of, browser, charlie=charlie, stan=stan)


@pytest.fixture
def committed(transactional_db, world) -> World:
    """The same, visible to other threads too (asynchronous views read in their own)."""
    same: World = world
    return same


def stored() -> dict[str, list[Any]]:
    """Everything a person can own, without what every visit may touch."""
    tables: list[Any] = [Participant, Message, Run, SurveyResponse, WorkTask, TaskMatch]
    rows = {table.__name__: list(table.objects.order_by("pk").values()) for table in tables}
    sessions = Session.objects.order_by("pk").values("id", "status", "state", "participant_id")
    return rows | {"Session": list(sessions)}


def knock(client: Client, method: str, url: str, body: Mapping[str, Any] | None = None) -> Any:
    """One request as a page or program makes it; errors of a view are answers."""
    client.raise_request_exception = False
    sent = dict(body or {})
    if url.startswith("/api/") and method in {"post", "patch", "put", "delete"}:
        text = json.dumps(sent)
        return getattr(client, method)(url, text, content_type="application/json")
    if method in {"get", "post"}:
        return getattr(client, method)(url, sent)
    return getattr(client, method)(url)


# The matrix -------------------------------------------------------------------------------------


def test_every_route_with_an_id_is_known_to_the_matrix():
    strange = {route.name for route in MATRIX if not route.parameters <= IDS}
    assert strange == set(), "teach IDS the new parameter, or list the route in EXEMPT with why"
    assert len(MATRIX) > 25
    known = {route.name for route in OURS}
    assert set(EXEMPT) | STAFF <= known


@pytest.mark.parametrize("who", ["bob", "charlie", "nobody", "stan"])
def test_strangers_find_nothing_behind_any_address(committed, who):
    world, client = committed, committed.clients[who]
    before, wrong = stored(), []
    for route in MATRIX:
        if route.name in STAFF:
            continue
        for method in METHODS:
            sent = {"text": "in", "statement": "Steal", "to": "up", "sure": "yes", "card": "c-1"}
            answer = knock(client, method, route.url(world.ids), sent)
            if answer.status_code not in {404, 405}:
                wrong.append((route.name, method, answer.status_code))
            elif answer.status_code == 404 and "Clean data" in answer.content.decode():
                wrong.append((route.name, method, "tells what it hides"))
    assert wrong == []
    assert stored() == before


@pytest.mark.parametrize(
    "route", [r for r in MATRIX if len(r.parameters) > 1], ids=lambda r: r.name
)
def test_bobs_own_session_is_no_way_to_what_is_alices(world, route):
    before = stored()
    ids = world.ids | {"session_id": world.bobs["session_id"]}
    sent = {"statement": "Steal", "statements": "a b\nc d", "to": "up", "candidate": "none",
            "card": "c-1", "others": [str(world.bobs["task_id"])], "time_share": "3"}  # fmt: skip
    for method in METHODS:
        answer = knock(world.clients["bob"], method, route.url(ids), sent)
        assert answer.status_code in {404, 405}, method
    assert stored() == before


@pytest.mark.parametrize("route", MATRIX, ids=lambda r: r.name)
def test_owners_get_in_and_unknown_or_malformed_ids_are_404(world, route):
    client = world.clients["stan" if route.name in STAFF else "alice"]
    answers = {}
    for method in METHODS:
        answers[method] = knock(client, method, route.url(world.ids)).status_code
        assert answers[method] != 500, method
    if route.name != "chat:events":  # reads in a thread of its own; see the test of streams
        assert set(answers.values()) - {404, 405}, answers
    for parameter in route.parameters:
        unknown = route.url(world.ids | {parameter: uuid.uuid4()})
        malformed = route.url(world.ids).replace(str(world.ids[parameter]), "not-an-id")
        for url in (unknown, malformed):
            for method in METHODS:
                status = knock(client, method, url).status_code
                assert status in {404, 405}, (method, url)
        assert knock(client, "get", malformed).status_code == 404


@pytest.mark.parametrize("route", [r for r in MATRIX if r.name in STAFF], ids=lambda r: r.name)
def test_staff_pages_are_for_staff(world, route):
    url = route.url(world.ids)
    assert knock(world.clients["stan"], "get", url).status_code == 200
    for who in ("alice", "bob", "charlie"):
        assert knock(world.clients[who], "get", url).status_code == 404
    answer = knock(world.clients["nobody"], "get", url)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("route", OPEN, ids=lambda r: r.name)
def test_addresses_without_an_id_never_break_and_reading_makes_no_rows(world, route):
    for who, client in world.clients.items():
        before = stored()
        for method in ("get", "patch", "put", "delete", "head", "options"):
            status = knock(client, method, route.url({})).status_code
            assert status != 500, (who, method)
        assert stored() == before


def test_the_admin_lets_no_stranger_near_a_row(world):
    people = {who: world.clients[who] for who in ("alice", "charlie", "nobody", "stan")}
    for model in admin.site._registry:
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        key = model._base_manager.values_list("pk", flat=True).first() or uuid.uuid4()
        for action in ("change", "delete", "history"):
            url = reverse(f"{base}_{action}", args=[key])
            for who, client in people.items():
                for method in METHODS:
                    status = knock(client, method, url).status_code
                    # the first door leads to signing in; staff without the right is refused
                    wanted = {302, 403, 404, 405} if who == "stan" else {302}
                    assert status in wanted, (url, who, method)


# Sockets and streams ----------------------------------------------------------------------------


async def _closing_code(client: Client, session_id: uuid.UUID) -> int | None:
    """What a socket is told: its close code, None when it is let in."""
    cookies = "; ".join(f"{name}={one.value}" for name, one in client.cookies.items())
    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver")]
    if cookies:
        headers.append((b"cookie", cookies.encode()))
    socket = WebsocketCommunicator(application, f"/ws/session/{session_id}/?view=chat", headers)
    connected, code = await socket.connect(timeout=20)
    if not connected:
        refused: int | None = code
        return refused
    try:
        told = await socket.receive_output(timeout=20)
        return told.get("code") if told["type"] == "websocket.close" else None
    finally:
        await socket.disconnect(timeout=20)


async def test_sockets_let_in_owners_only(committed):
    assert [str(one.pattern) for one in websocket_urlpatterns] == ["ws/session/<uuid:session_id>/"]
    world = committed
    for who, code in {
        "alice": None, "bob": 4404, "charlie": 4404, "stan": 4404, "nobody": 4401,
    }.items():  # fmt: skip
        told = await _closing_code(world.clients[who], world.ids["session_id"])
        assert told == code, who
    assert await _closing_code(world.clients["alice"], uuid.uuid4()) == 4404


async def test_streams_are_for_owners_only(committed):
    url = reverse("chat:events", args=[committed.ids["session_id"]])
    for who, status in {
        "alice": 200, "bob": 404, "charlie": 404, "stan": 404, "nobody": 404,
    }.items():  # fmt: skip
        client = AsyncClient()
        client.cookies = committed.clients[who].cookies
        answer: Any = await client.get(url)
        assert answer.status_code == status, who
        if status == 200:
            first = await anext(aiter(answer.streaming_content))
            assert b"event: snapshot" in first
            assert b"I clean data and write reports." in first
        answer.close()


async def test_a_socket_from_another_site_is_refused(committed):
    headers = [(b"origin", b"http://evil.example"), (b"host", b"testserver")]
    path = f"/ws/session/{committed.ids['session_id']}/"
    socket = WebsocketCommunicator(application, path, headers)
    connected, _code = await socket.connect(timeout=20)
    assert not connected


async def test_nothing_that_a_socket_is_sent_breaks_it(committed):
    world = committed
    cookie = world.clients["alice"].cookies[settings.SESSION_COOKIE_NAME].value
    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver"),
               (b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode())]  # fmt: skip
    path = f"/ws/session/{world.ids['session_id']}/?view=chat"
    count = database_sync_to_async(Message.objects.count)
    before = await count()
    frames = [
        "null", "[]", "{", '"x"', "1e999", '{"type": "drop"}', '{"type": ["send"]}',
        '{"type": "send"}', '{"type": "send", "text": 5}', '{"type": "send", "text": ["a"]}',
        '{"type": "send", "text": "x", "client_id": "no"}', '{"type": "stop", "run": {"a": 1}}',
        json.dumps({"type": "send", "text": "x" * 20_000}), '{"type":"send","text":"\\u0000"}',
        json.dumps({"type": "stop", "run": str(world.bobs["run_id"])}),
    ]  # fmt: skip
    for frame in frames:
        socket = WebsocketCommunicator(application, path, headers)
        assert (await socket.connect(timeout=20))[0]
        await socket.receive_from(timeout=20)
        await socket.send_to(text_data=frame)
        await socket.send_to(text_data='{"type": "drop"}')  # answered when the first one was
        told = await asyncio.wait_for(socket.receive_from(timeout=20), 20)
        assert "composer-note" in told, frame
        await socket.disconnect(timeout=20)
    assert await count() == before


# Bad input --------------------------------------------------------------------------------------

SCRIPT = "<script>alert(1)</script>"
LONG = "long word " * 2_000
BAD = {
    "script": SCRIPT, "long": LONG, "nul": "a\x00b", "only nul": "\x00", "words": "abc",
    "negative": "-1", "huge": "1e999", "nan": "NaN", "digits": "٣٣", "line": "a\r\nX-Evil: 1",
    "rtl": "\u202eevil", "empty": "",
}  # fmt: skip
OPEN_TEXT = {"text", "statement", "statements", "title", "initial_tasks", "ai_tools"}
CLOSED = {
    "client_id", "run", "card", "occupation", "others", "to", "version", "time_share", "ai_level",
    "candidate", "match_version",
}  # fmt: skip
MAY_BE_EMPTY = {"client_id", "run", "version", "match_version", "time_share", "ai_level",
                "occupation", "ai_tools", "initial_tasks"}  # fmt: skip
# The fields of every form, as a person would send them.
FORMS: dict[str, dict[str, Any]] = {
    "chat:claim": {"next": "/account"},
    "chat:send": {"text": "I plan the week.", "client_id": "{new}"},
    "chat:stop": {"run": "{run_id}"},
    "chat:draft": {"text": "half a tho"},
    "chat:transcribe": {},
    "chat:stop_run": {},
    "chat:retry_run": {},
    "survey:start": {"title": "Baker", "occupation": "none", "initial_tasks": "I bake bread."},
    "survey:cards": {"card": "c-1", "add": "1"},
    "survey:finish": {},
    "survey:add": {"statement": "Order paper"},
    "survey:balance": {},
    "survey:edit": {"statement": "Clean the data", "version": "1"},
    "survey:split": {"statements": "Clean data\nSort data", "version": "1"},
    "survey:merge": {"statement": "Do both", "others": "{other_task}", "version": "1"},
    "survey:move": {"to": "down"},
    "survey:delete": {},
    "survey:restore": {},
    "survey:rate": {"time_share": "10", "ai_level": "some", "ai_tools": "Excel", "version": "1",
                    "keep": ""},
    "survey:match": {"candidate": "c2", "match_version": "0", "again": ""},
    "survey:submit": {"sure": "yes"},
    "survey:delete_answers": {},
    "account_login": {"login": "alice", "password": "four quiet sheep"},
    "account_signup": {"email": "eve@example.org", "password1": "four quiet sheep on ice",
                       "password2": "four quiet sheep on ice"},
    "account_logout": {},
    "account_reset_password": {"email": "eve@example.org"},
    "account_change_password": {"oldpassword": "x", "password1": "four quiet sheep on ice",
                                "password2": "four quiet sheep on ice"},
    "account_set_password": {"password1": "four quiet sheep on ice",
                             "password2": "four quiet sheep on ice"},
    "account_email": {"email": "new@example.org", "action_add": ""},
    "account_reauthenticate": {"password": "x"},
    "account_confirm_login_code": {"code": "123456"},
    "account_inactive": {},
}  # fmt: skip
ACCOUNTS = {name for name in FORMS if name.startswith("account_")}


def _sent(world: World, name: str) -> dict[str, Any]:
    known = {"{new}": str(uuid.uuid4()), "{run_id}": str(world.ids["run_id"]),
             "{other_task}": str(world.survey.tasks[1].pk)}  # fmt: skip
    sent = {key: known.get(value, value) for key, value in FORMS[name].items()}
    if name == "survey:match":
        sent["match_version"] = str(world.survey.fresh(world.survey.tasks[0]).match.version)
    return sent


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is stored inside is gone afterwards."""
    redis().flushall()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _is_told(answer: Any) -> bool:
    """Whether a refusal says something that a person or program can use."""
    body = answer.content.decode()
    if answer.headers.get("Content-Type", "").startswith("application/json"):
        return bool(json.loads(body)["error"]["message"])
    return any(mark in body for mark in ("<h1", "field__error", 'class="notice', "toast"))


def test_every_form_has_its_fields_listed(world):
    unlisted = []
    for route in OURS:
        if route.name in FORMS or route.name in EXEMPT or route.name.startswith("api:"):
            continue
        with undone():
            if knock(world.clients["alice"], "post", route.url(world.ids)).status_code != 405:
                unlisted.append(route.name)
    # these answer a POST like a GET
    assert set(unlisted) <= {
        "healthz", "readyz",
        "account_email_verification_sent", "account_reset_password_done",
        "account_reset_password_from_key_done",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(FORMS) - ACCOUNTS - {"chat:transcribe"}))
def test_a_form_as_meant_is_taken(world, name):
    call_command("onet_load", "--starter", verbosity=0)
    with undone():
        route = next(one for one in OURS if one.name == name)
        if name == "chat:transcribe":
            body = {"audio": SimpleUploadedFile("a.webm", b"sound", "audio/webm")}
            assert (
                knock(world.clients["alice"], "post", route.url(world.ids), body).status_code == 503
            )
            return
        if name == "survey:restore":
            knock(world.clients["alice"], "post", route.url(world.ids).replace("restore", "delete"))
        answer = knock(world.clients["alice"], "post", route.url(world.ids), _sent(world, name))
        assert answer.status_code in {200, 204, 302, 303}


FIELDS = [(name, key) for name, form in sorted(FORMS.items()) for key in form]


@pytest.mark.parametrize(("name", "key"), FIELDS)
def test_bad_values_are_refused_with_a_word_and_leave_nothing(world, name, key):
    url = next(one for one in OURS if one.name == name).url(world.ids)
    client = world.clients["nobody" if name in {"survey:start", "account_signup"} else "alice"]
    values: dict[str, Any] = {
        **BAD,
        "a file": SimpleUploadedFile("x.txt", b"bytes", "text/plain"),
        "twice": ["abc", SCRIPT],
        "missing": None,
    }
    for what, value in values.items():
        sent = _sent(world, name) | {key: value}
        if value is None:
            del sent[key]
        with undone():
            before = stored()
            answer = knock(client, "post", url, sent)
            status, body = answer.status_code, answer.content.decode(errors="replace")
            assert status < 500, what
            assert "<script>alert" not in body, what
            if status >= 400:
                assert _is_told(answer), what
                assert stored() == before, what
                continue
            if (key in OPEN_TEXT and what == "long" and name != "chat:draft") or (
                key in CLOSED and not _may_pass(key, what)
            ):
                pytest.fail(f"{what} was taken: {status}")
            if what in {"script", "twice"}:
                _pages_show_no_script(world)


def _may_pass(key: str, what: str) -> bool:
    """Values that are not bad there: nothing chosen, or a number in other digits."""
    if (key, what) == ("time_share", "digits"):
        return True
    return what in {"missing", "empty", "a file"} and key in MAY_BE_EMPTY | {"card"}


def _pages_show_no_script(world: World) -> None:
    for page in ("chat", "tasks", "complete"):
        answer = world.clients["alice"].get(world.survey.url(page))
        assert "<script>alert" not in answer.content.decode()
    # in the account's list of surveys, too
    assert "<script>alert" not in world.clients["alice"].get("/account").content.decode()


QUERIES = {
    "survey:titles": ("title",), "survey:occupations": ("title",), "survey:start": ("title",),
    "survey:tasks": ("edit", "split", "merge"), "chat:events": ("after",),
    "api:titles": ("q", "limit"), "api:match": ("q", "occupation"),
    "staff:sessions": ("q", "kind", "status", "since", "until", "page"),
    "staff:session": ("show",), "account_login": ("next",), "account_signup": ("next",),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name, keys in QUERIES.items() for key in keys]
)
def test_bad_words_in_an_address_never_break_a_page(world, name, key):
    call_command("onet_load", "--starter", verbosity=0)
    url = next(one for one in OURS if one.name == name).url(world.ids)
    client = world.clients["stan" if name.startswith("staff:") else "alice"]
    client.raise_request_exception = False
    for what, value in BAD.items():
        good = {"q": "nurse"} if name.startswith("api:") else {}
        answer = client.get(url, good | {key: value})
        assert answer.status_code < 500, what
        if not answer.streaming and "html" in answer.headers.get("Content-Type", ""):
            assert "<script>alert" not in answer.content.decode(), what
    assert client.get(f"{url}?{key}=%ED%A0%80%FF").status_code < 500


def test_a_refused_start_leaves_no_participant(world):
    call_command("onet_load", "--starter", verbosity=0)
    before = stored()
    client = world.clients["nobody"]
    for sent in (
        {"title": "", "occupation": "none"},
        {"title": "x" * 300, "occupation": "none"},
        {"title": "Baker", "occupation": "99-9999.99"},
        {"title": "Baker", "occupation": "none", "initial_tasks": LONG},
        {"title": "\x00", "occupation": "none"},
        {"title": "Baker\x00", "occupation": "\x00"},
    ):
        answer = knock(client, "post", "/survey", sent)
        assert answer.status_code == 422, sent
        assert stored() == before
        assert "futura_participant" not in answer.cookies


# Sent is sent -----------------------------------------------------------------------------------


def test_after_sending_nothing_of_it_can_be_changed(committed):
    world, client = committed, committed.clients["alice"]
    assert knock(client, "post", world.survey.url("submit"), {"sure": "yes"}).status_code == 302
    before, taken = stored(), []
    harmless = {
        "chat:claim", "chat:draft", "chat:stop", "chat:stop_run", "chat:transcribe",
        "survey:start", "survey:finish", "survey:submit", "survey:delete_answers",
    }  # fmt: skip
    for name in sorted(set(FORMS) - ACCOUNTS - harmless):
        url = next(one for one in OURS if one.name == name).url(world.ids)
        if knock(client, "post", url, _sent(world, name)).status_code != 409:
            taken.append(name)
    said = {"action": "message", "sessionId": str(world.ids["session_id"]), "message": "One more."}
    picked = {"sessionId": str(world.ids["session_id"]), "selectedSuggestionIds": ["c-1"]}
    for method, body in (("post", said), ("patch", picked)):
        if knock(client, method, "/api/chat", body).status_code != 409:
            taken.append(f"api {method}")
    for name in ("survey:finish", "survey:submit"):
        url = next(one for one in OURS if one.name == name).url(world.ids)
        knock(client, "post", url, {"sure": "yes"})
    assert taken == []
    assert stored() == before


# The JSON API -----------------------------------------------------------------------------------

START = {"action": "start", "jobTitle": "Baker"}


def _bodies(session_id: object) -> list[Any]:
    """Bodies that are wrong in one way each."""
    say = {"action": "message", "sessionId": str(session_id), "message": "I bake."}
    wrong: list[Any] = [None, 1, "x", [], {}, {"action": "drop"}, {"action": ["start"]}]
    wrong += [{k: v for k, v in START.items() if k != key} for key in START]
    values: list[Any] = [5, None, [], {}, True, "", "   ", "\x00", "x" * 300, LONG]
    for bad in values:
        wrong.append(START | {"jobTitle": bad})
        if bad is not None:  # nothing told, or too short to be too long
            wrong += [START | {"initialTasks": bad}] if not isinstance(bad, str) else []
            wrong += [START | {"occupationCode": bad}] if bad != "" else []
        if bad != "x" * 300:
            wrong.append(say | {"message": bad})
        wrong.append(say | {"sessionId": bad})
    wrong += [
        START | {"initialTasks": LONG},
        START | {"jobtitle": "a typo"},
        START | {"occupationCode": SCRIPT},
        say | {"clientId": "no id"},
        say | {"role": "assistant"},
        {k: v for k, v in say.items() if k != "message"},
    ]
    return wrong


def test_wrong_json_is_refused_in_one_shape_and_leaves_nothing(committed):
    world, client = committed, committed.clients["alice"]
    client.raise_request_exception = False
    before = stored()
    texts = [json.dumps(body) for body in _bodies(world.ids["session_id"])]
    texts += ["", "{", "\x00", '{"action": "start", "jobTitle": "\ud800"}', "[" * 5_000, "NaN"]
    for text in texts:
        for method in ("post", "patch"):
            data = text.encode("utf-8", "surrogatepass")
            answer = getattr(client, method)("/api/chat", data, content_type="application/json")
            assert 400 <= answer.status_code < 500, (method, text[:80], answer.status_code)
            assert answer.json()["error"]["message"]
            redis().flushall()
    assert stored() == before


def test_the_json_api_asks_for_json_from_here(committed):
    client = committed.clients["alice"]
    plain = client.post("/api/chat", json.dumps(START), content_type="text/plain")
    assert plain.status_code == 415
    elsewhere = client.post(
        "/api/chat", json.dumps(START), content_type="application/json",
        headers={"Origin": "http://evil.example"},
    )  # fmt: skip
    assert elsewhere.status_code == 403


@pytest.mark.parametrize("who", ["bob", "charlie", "nobody", "stan"])
def test_a_strangers_session_in_a_body_is_not_found(committed, who):
    client, before = committed.clients[who], stored()
    session_id = str(committed.ids["session_id"])
    said = {"action": "message", "sessionId": session_id, "message": "Hello"}
    picked = {"sessionId": session_id, "selectedSuggestionIds": []}
    assert knock(client, "post", "/api/chat", said).status_code == 404
    assert knock(client, "patch", "/api/chat", picked).status_code == 404
    assert stored() == before
