"""Gives a test session its own PostgreSQL and Redis, and an environment of its own.

Loaded by `-p tests.services` before Django reads its settings. The services start beside the
collection of the tests and are awaited before the first test; they write nothing through to the
disk, and their folder is gone when the session ends, however it ends. When pytest-xdist spreads the
tests over processes, each of these has its own, the first process none.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from futura.embedded import addresses, services
from futura.embedded.folder import Trouble
from tests.tables import copy_to

ENVIRONMENT = {
    "FUTURA_LLM_PATIENCE": "1",  # the scripted model is on this machine, and no slower for it
    "FUTURA_STATIC_MANIFEST": "false",
    "FUTURA_URL": "http://testserver",
    "FUTURA_HOSTS": "testserver,localhost,127.0.0.1",
    "SECRET_KEY": "only-for-tests-" + "x" * 50,
}
# Whatever the developer has set must not reach the tests.
HIDDEN = (
    "EMAIL_URL",
    "FUTURA_DEBUG",
    "FUTURA_EMBEDDINGS",
    "FUTURA_LOG_LEVEL",
    "FUTURA_ONET",
    "OPENAI_API_KEY",
    "OPENAI_API_KEY_FILE",
    "OPENAI_BASE_URL",
    "PYTHONDONTWRITEBYTECODE",
    "SECRET_KEY_FILE",
)


class EmbeddedServices:
    """The services of one test session, started in the background."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._starter = ThreadPoolExecutor(1)
        self._starting: Future[services.Use] | None = None

    def start(self) -> None:
        self._starting = self._starter.submit(self._started)

    def _started(self) -> services.Use:
        copy_to(self._folder)
        return services.use(self._folder, throwaway=True)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        try:
            if self._starting:
                self._starting.result()
        except (Trouble, OSError, subprocess.SubprocessError) as trouble:
            raise pytest.UsageError(str(trouble)) from trouble

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        if self._starting and self._starting.exception() is None:
            self._starting.result().leave()
        self._starter.shutdown()


def _prepare_environment(folder: Path) -> None:
    for name in HIDDEN:
        os.environ.pop(name, None)
    os.environ["FUTURA_ENV_FILE"] = "none"
    os.environ["FUTURA_DATA_DIR"] = str(folder)
    os.environ["DATABASE_URL"] = addresses.database_url(folder)
    os.environ["REDIS_URL"] = addresses.redis_url(folder)
    os.environ.update(ENVIRONMENT)
    # compiling hundreds of modules anew costs each of many processes seconds
    sys.dont_write_bytecode = False


# all that is read while the tests are collected stays: conftest.py turns it on again
gc.disable()
_folder = Path(tempfile.mkdtemp(prefix="futura-test-"))
_prepare_environment(_folder)
_services = EmbeddedServices(_folder)


def pytest_configure(config: pytest.Config) -> None:
    """Starts the services, unless this process only hands tests to others."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        return
    config.option.reuse_db = True  # the tables are there
    _services.start()
    config.pluginmanager.register(_services, "futura-embedded-services")
