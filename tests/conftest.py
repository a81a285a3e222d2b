"""Fixtures that every test may use."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import connection, connections
from django.test import Client
from django.test.utils import override_settings
from django.utils import translation
from redis import Redis

from chat.identity import Identity
from chat.models import Participant, Run
from chat.operations.changes import Actor, Create
from chat.operations.execute import execute
from chat.operations.registry import operable
from chat.runs import lease_renewal
from chat.runs.perform import perform
from futura import garbage, roles
from futura.celery import app
from futura.embedded.addresses import POOL_SIZE
from futura.llm import loop, server, shared, stages
from tests import extent
from tests.flush import quick_flush
from tests.scripted import ScriptedServer
from tests.signing_in import sign_in
from tests.spread import rank
from tests.stack import Stack, running_stack
from tests.tables import put_starter_catalogue

ASKED_FOR: Final = {"bench", "breaking"}
"""Folders of tests, each of which has the mark of its name."""


@pytest.fixture
def scripted(settings) -> Iterator[ScriptedServer]:
    """A scripted model API that the gateway talks to; nothing is scripted at first.

    Ports come again: what the breaker remembers of an earlier server at this address is dropped.
    """
    with ScriptedServer() as server:
        with Redis.from_url(settings.REDIS_URL) as redis:
            for key in redis.scan_iter("futura:breaker:*"):
                redis.delete(key)
        settings.OPENAI_BASE_URL = server.base_url
        settings.OPENAI_API_KEY = "sk-scripted-secret"
        settings.LLM_BACKOFF_S = 0.001  # a call that is tried again is so at once
        yield server
        loop.shutdown()


@pytest.fixture(autouse=True)
def _no_saved_server(monkeypatch) -> None:
    """No test finds the model server that an earlier one saved; none reads whether there is one.

    Nor is Redis left alone for seconds because it was slow once in another test.
    """
    monkeypatch.setattr(server, "_known", server.Known(mark="0", look_at=math.inf))
    monkeypatch.setattr(shared, "_away_until", 0.0)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Requests leave the language of their person to the thread: no later test speaks it."""
    yield
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture(scope="session")
def django_db_modify_db_settings_xdist_suffix() -> None:
    """Each process of a test run has a PostgreSQL of its own: one name will do."""


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker) -> Iterator[None]:
    """The test database, which threads of finished event loops must not keep from going.

    A pool that was opened before leads to the product's database: a new one is opened.
    """
    database: Any = connections["default"]
    with django_db_blocker.unblock():
        database.close()
        database.close_pool()
        emptying = ExitStack()
        emptying.enter_context(quick_flush())
    yield
    emptying.close()
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Hashes cost a second each by design; not here."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def _quick_logins() -> Iterator[None]:
    """`force_login` writes one row; Django's own way takes eight queries, of which none is ours."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "force_login", sign_in)
        yield


@pytest.fixture(autouse=True)
def _roomy_pool() -> Iterator[None]:
    """A new pool of connections when threads of finished event loops have kept too many.

    Channels' communicator leaves the connections of its application open on purpose, and
    their threads end with the test's loop, which nobody tells the pool.
    """
    yield
    database: Any = connections["default"]
    stats = database.pool.get_stats()
    if stats.get("pool_size", 0) - stats.get("pool_available", 0) > POOL_SIZE // 2:
        database.close()
        database.close_pool()


def pytest_configure(config: pytest.Config) -> None:
    """Tells the tests whether this is the everyday suite."""
    extent.configure(config)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What only runs when it is asked for is not even read every day."""
    folder = collection_path.name
    return (folder in ASKED_FOR and f"not {folder}" in config.option.markexpr) or None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Laws are tried every day with some examples, with more when thorough."""
    extent.include_law(item)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest modules come first, what drives one of the product's stacks last."""
    items.sort(key=rank)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """All jobs are there, and garbage is looked for as seldom as in a worker."""
    app.loader.import_default_modules()
    gc.collect()
    garbage.look_seldom()
    gc.enable()


@pytest.fixture
def starter(db) -> None:
    """The starter catalogue is loaded."""
    put_starter_catalogue()


def make_person(name: str, **more: Any) -> User:
    """Without a password, whose hashing costs a second: sign in with `force_login`."""
    return User.objects.create_user(name, f"{name}@example.org", first_name=name.title(), **more)


@pytest.fixture
def alice(db) -> User:
    """Owns what the test is about."""
    return make_person("alice")


@pytest.fixture
def bob(db) -> User:
    """Another person with things of their own."""
    return make_person("bob")


@pytest.fixture
def charlie(db) -> User:
    """A stranger; every door is tried as charlie."""
    return make_person("charlie")


@pytest.fixture
def stan(db) -> User:
    """Staff, with every role."""
    person = make_person("stan", is_staff=True)
    person.groups.add(*Group.objects.filter(name__in=roles.ROLES))
    return person


@pytest.fixture
def participant_of() -> Callable[[User], Participant]:
    """The participant that owns a user's things, made when there is none."""
    return lambda user: Identity(user_id=user.pk).participant()


@pytest.fixture
def identity_for() -> Callable[[User], Identity]:
    """A signed-in user as actions and queries know them."""

    def identity(user: User) -> Identity:
        owned = Participant.objects.filter(user=user).values_list("pk", flat=True)
        return Identity(user_id=user.pk, user_participant_ids=tuple(owned))

    return identity


@pytest.fixture
def owner(alice: User, participant_of: Callable[[User], Participant]) -> Participant:
    """Alice, as one who owns things."""
    return participant_of(alice)


@pytest.fixture
def me(alice: User, owner: Participant, identity_for: Callable[[User], Identity]) -> Identity:
    """Alice, as one who asks and acts."""
    return identity_for(alice)


@pytest.fixture
def actor(alice: User, owner: Participant) -> Actor:
    """Alice, as the ledger knows her."""
    return Actor(owner.pk, user_id=alice.pk)


@pytest.fixture
def make(actor: Actor) -> Callable[..., Any]:
    """Makes one row by an operation, alice's unless told otherwise, and returns it."""

    def make_one(entity: str, who: Actor | None = None, **values: Any) -> Any:
        change = Create(entity, values)
        batch = execute(actor=who or actor, changes=[change])
        assert batch.status == "completed", batch.operations.get().error
        return operable(entity).model._default_manager.get(pk=change.id)

    return make_one


@pytest.fixture
def browser() -> Callable[..., Client]:
    """A new browser: anonymous, or signed in as the given user."""

    def open_browser(user: User | None = None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return open_browser


@pytest.fixture(scope="session")
def _queues() -> Iterator[list[Any]]:
    """The queues of the broker, over one connection for all tests."""
    with app.connection_for_read() as broker, broker.channel() as channel:
        yield [app.amqp.queues[name](channel) for name in ("turns", "jobs")]


@pytest.fixture
def drain(_queues: list[Any], db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Does all waiting work here and now, by the real functions: commit hooks, broker, runs.

    `drain()` returns how many jobs and runs it did. Works with `db` (hooks are run although
    nothing is ever committed) and with `transactional_db`.
    """
    if connection.in_atomic_block:  # a heart beats in a connection that does not see these runs
        monkeypatch.setattr(lease_renewal, "BEAT_S", math.inf)
    for queue in _queues:
        queue.declare()
        queue.purge()

    def one_job() -> bool:
        for queue in _queues:
            message = queue.get(no_ack=True)
            if message is not None:
                args, kwargs, _embed = message.payload
                app.tasks[message.headers["task"]](*args, **kwargs)
                return True
        return False

    def work() -> int:
        done = 0
        while True:
            while connection.in_atomic_block and connection.run_on_commit:
                connection.run_on_commit.pop(0)[1]()
            if one_job():
                done += 1
                continue
            waiting = Run.objects.filter(status=Run.Status.QUEUED).order_by("created_at")
            run = waiting.first()
            if run is None:
                return done
            perform(run.pk)
            done += 1

    return work


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """The real product as real processes in basic mode (see tests/stack.py)."""
    with running_stack() as running:
        yield running


class PatientStack(Stack):
    """No call of the model is given up: on a busy machine an answer may take its time."""

    @property
    def environment(self) -> dict[str, str]:
        limits = ("FIRST_TOKEN_S", "IDLE_S", "TOTAL_S")
        names = [name.upper() for name in stages.all_stages()]
        patience = {f"FUTURA_STAGE_{name}_{limit}": "300" for name in names for limit in limits}
        return super().environment | patience


@pytest.fixture(scope="session")
def model_stack() -> Iterator[Stack]:
    """The real product with the scripted model server behind it, as `model_stack.scripted`."""
    with (
        ScriptedServer() as server,
        running_stack(make=lambda folder: PatientStack(folder, server)) as running,
    ):
        yield running
