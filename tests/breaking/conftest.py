"""A product whose database, Redis and processes a test may end as it likes, one by one."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
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
    """Like the shared stacks, with services that nobody watches over.

    The product knows their addresses from its environment, as it would in production.
    """

    def __init__(self, place: Path, scripted: ScriptedServer) -> None:
        super().__init__(place, scripted)
        self._services = folder.prepare(place)
        self.postgres = daemons.start_postgres(self._services, durable=True)
        self.redis = daemons.start_redis(self._services, durable=True)

    @property
    def environment(self) -> dict[str, str]:
        """With timeouts short enough to wait for."""
        return super().environment | {
            "DATABASE_URL": addresses.database_url(self.folder),
            "REDIS_URL": addresses.redis_url(self.folder),
            "FUTURA_URL": self.url,
            "SECRET_KEY": "only for tests " * 5,
            "FUTURA_LLM_BACKOFF_S": "0.05",
            "FUTURA_STAGE_RESPONSE_FIRST_TOKEN_S": "3",
            "FUTURA_STAGE_RESPONSE_IDLE_S": "3",
            **{f"FUTURA_STAGE_{name}_TOTAL_S": "4" for name in SHORT},
        }

    def stop_postgres(self) -> None:
        """As a restart of the database server begins: every connection is cut."""
        daemons.stop_postgres(self.postgres)

    def start_postgres(self) -> None:
        """Back, with everything that was committed."""
        self.postgres = daemons.start_postgres(self._services, durable=True)

    def stop_redis(self, *, keep: bool = True) -> None:
        """Gone; what it held goes too unless it is kept."""
        daemons.stop_redis(self.redis)
        if not keep:
            for part in self._services.redis.iterdir():
                shutil.rmtree(part) if part.is_dir() else part.unlink()

    def start_redis(self) -> None:
        """Back."""
        self.redis = daemons.start_redis(self._services, durable=True)

    def age_heartbeats(self) -> None:
        """Lets time pass for runs that are being worked on, so that the reaper looks at them."""
        self.rows(
            "UPDATE chat_run SET heartbeat_at = now() - interval '1 minute'"
            " WHERE status = 'running'"
        )

    def python(self, code: str) -> str:
        """The output of a program with the product's settings."""
        return self._run(
            sys.executable,
            "-c",
            f"import django; django.setup()\n{code}",
            DJANGO_SETTINGS_MODULE="futura.settings",
        )

    def end_services(self) -> None:
        """Ends what is left."""
        daemons.stop_redis(self.redis)
        daemons.stop_postgres(self.postgres)


@pytest.fixture(scope="module")
def breakable() -> Iterator[BreakableStack]:
    """One for the module: the product, its services, the scripted model."""
    place = Path(tempfile.mkdtemp(prefix="futura-breaking-"))
    with ScriptedServer() as server:
        stack = BreakableStack(place, server)
        try:
            stack.launch()
            yield stack
        finally:
            stack.close()
            stack.end_services()
            shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def stack(breakable: BreakableStack) -> Iterator[BreakableStack]:
    """Complete and well again after each test; the model plays the survey."""
    assert breakable.scripted is not None
    breakable.scripted.reset()
    breakable.scripted.default_survey()
    Redis(unix_socket_path=str(addresses.redis_socket(breakable.folder))).ping()
    yield breakable
    if breakable.postgres.poll() is not None:
        breakable.start_postgres()
    if breakable.redis.poll() is not None:
        breakable.start_redis()
    for name in ("web", "turns", "jobs", "beat"):
        breakable.start(name)
    breakable.scripted.reset()
