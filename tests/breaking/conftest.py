"""A product whose database, Redis and processes a test may end as it likes, one by one."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from celery import Celery
from redis import Redis

from futura.embedded import addresses, daemons, folder
from tests.browser.conftest import chromium, open_page
from tests.scripted import ScriptedServer
from tests.stack import Stack

SHORT = (
    "MESSAGE_ANALYSIS", "TOOL_SELECTION", "GAP_ANALYSIS", "SUGGESTIONS", "EXTRACTION",
    "NORMALISATION", "DEDUPLICATION", "MATCH_SELECTION",
)  # fmt: skip
__all__ = ["chromium", "open_page"]


class BreakableStack(Stack):
    """Like the shared stacks, with services that nobody watches over; start them before `launch`.

    The product knows their addresses from its environment, as it would in production.
    """

    postgres: subprocess.Popen[bytes]
    redis: subprocess.Popen[bytes]

    def __init__(self, place: Path, scripted: ScriptedServer) -> None:
        super().__init__(place, scripted)
        self._services = folder.prepare(place)

    @property
    def environment(self) -> dict[str, str]:
        """With timeouts short enough to wait for."""
        return super().environment | {
            "DATABASE_URL": addresses.database_url(self.folder),
            "REDIS_URL": addresses.redis_url(self.folder),
            "FUTURA_URL": self.url,
            "SECRET_KEY": "only for tests " * 5,
            "FUTURA_LLM_BACKOFF_S": "0.05",
            "FUTURA_STAGE_RESPONSE_FIRST_TOKEN_S": "8",
            "FUTURA_STAGE_RESPONSE_IDLE_S": "8",
            **{f"FUTURA_STAGE_{name}_TOTAL_S": "8" for name in SHORT},
        }

    def pause(self, name: str) -> None:
        """Stops a process in its tracks, as a machine out of breath would."""
        self._running[name].send_signal(signal.SIGSTOP)

    def resume(self, name: str) -> None:
        """Lets it go on as if nothing had happened."""
        self._running[name].send_signal(signal.SIGCONT)

    def ask_to_end(self, name: str) -> subprocess.Popen[bytes]:
        """SIGTERM, without waiting; another process may be started in its place."""
        process = self._running.pop(name)
        process.terminate()
        return process

    def kill_at_once(self, name: str) -> None:
        """`kill` while Redis does not answer: its sign of life in there stays."""
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def logged(self, session_id: str) -> str:
        """The text of the newest reply as the event log has it for open pages."""
        with Redis(unix_socket_path=str(addresses.redis_socket(self.folder))) as client:
            entries = client.xrange(f"chat:{{{session_id}}}:log")
        events = [json.loads(fields[b"d"]) for _place, fields in entries]
        tokens = [event for event in events if "m" in event]
        last = [token for token in tokens if token["m"] == tokens[-1]["m"]]
        text = ""
        for token in last:
            assert token["o"] <= len(text), "a hole in the log"
            text = text[: token["o"]] + token["x"]
        return text

    def send_job(self, name: str, *arguments: str, queue: str = "jobs") -> None:
        """Hands a job to the workers, as the clock or another process would."""
        with Celery(broker=addresses.celery_url(addresses.redis_url(self.folder))) as sender:
            sender.send_task(name, args=arguments, queue=queue)

    def stop_postgres(self) -> None:
        """As a restart of the database server begins: every connection is cut."""
        daemons.stop(self.postgres, *daemons.ENDINGS["PostgreSQL"])

    def start_postgres(self) -> None:
        """Back, with everything that was committed."""
        self.postgres = daemons.start_postgres(self._services, durable=True)

    def stop_redis(self, *, keep: bool = True) -> None:
        """Gone; what it held goes too unless it is kept."""
        daemons.stop(self.redis, *daemons.ENDINGS["Redis"])
        if not keep:
            for part in self._services.redis.iterdir():
                shutil.rmtree(part) if part.is_dir() else part.unlink()

    def start_redis(self) -> None:
        """Back."""
        self.redis = daemons.start_redis(self._services, durable=True)

    def reap(self) -> None:
        """Lets time pass for runs that are being worked on, and has the reaper look at them."""
        self.rows(
            "UPDATE chat_run SET heartbeat_at = now() - interval '1 minute'"
            " WHERE status = 'running'"
        )
        self.send_job("chat.reap")

    def sweep(self) -> None:
        """Lets time pass for runs that wait, and has them announced again."""
        self.rows(
            "UPDATE chat_run SET created_at = created_at - interval '1 minute',"
            " enqueued_at = enqueued_at - interval '1 minute' WHERE status = 'queued'"
        )
        self.send_job("chat.sweep")

    def sweep_jobs(self) -> None:
        """Lets time pass for lists and lookups that are being made, and has them found again."""
        self.rows(
            "UPDATE tasks_surveyresponse SET updated_at = updated_at - interval '10 minutes',"
            " heartbeat_at = heartbeat_at - interval '10 minutes'"
        )
        self.rows("UPDATE tasks_lookup SET seen_at = seen_at - interval '10 minutes'")
        self.rows(
            "SELECT set_config('futura.ledger', txid_current()::text, true);"
            " UPDATE tasks_taskmatch SET updated_at = updated_at - interval '10 minutes'"
        )
        self.send_job("tasks.sweep")

    def python(self, code: str) -> str:
        """The output of a program with the product's settings."""
        return self._run(
            sys.executable,
            "-c",
            f"import django; django.setup()\n{code}",
            DJANGO_SETTINGS_MODULE="futura.settings",
        )


@pytest.fixture(scope="session")
def breakable() -> Iterator[BreakableStack]:
    """One for each process of the test run: the product, its services, the scripted model.

    Whatever died meanwhile: in the end the tables, which no test empties, are as the ledger says.
    Not called `stack`: modules of this folder may be spread over processes.
    """
    with ExitStack() as ending:
        place = Path(tempfile.mkdtemp(prefix="futura-breaking-"))
        ending.callback(shutil.rmtree, place, ignore_errors=True)
        stack = BreakableStack(place, ending.enter_context(ScriptedServer()))
        stack.start_postgres()
        ending.callback(stack.stop_postgres)
        stack.start_redis()
        ending.callback(stack.stop_redis)
        ending.callback(stack.close)
        stack.launch()
        yield stack
        stack.manage("ledger", "verify")


@pytest.fixture
def product(breakable: BreakableStack) -> Iterator[BreakableStack]:
    """Complete and well again after each test; the model plays the survey.

    What a test before made the model fail at is forgotten, or calls would be left out for a while.
    """
    assert breakable.scripted is not None
    breakable.scripted.reset()
    breakable.scripted.default_survey()
    with Redis(unix_socket_path=str(addresses.redis_socket(breakable.folder))) as client:
        for key in client.scan_iter("futura:breaker:*"):
            client.delete(key)
    yield breakable
    if breakable.postgres.poll() is not None:
        breakable.start_postgres()
    if breakable.redis.poll() is not None:
        breakable.start_redis()
    for name in ("web", "turns", "jobs"):
        breakable.start(name)
    breakable.scripted.reset()
