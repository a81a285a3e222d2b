"""The real product as real processes, for tests that drive it from outside (a browser, HTTP).

    def test_something(stack, page):           # basic mode, no model configured
        page.goto(stack.url)

    def test_with_a_model(model_stack, page):  # the same with the scripted model server
        model_stack.scripted.on("response").text("…")
        page.goto(model_stack.url)

Both are started once per session, each when first asked for (about 6 s), over an embedded
PostgreSQL and Redis of their own in a folder that goes away with them; the starter catalogue is
loaded. The processes are `web`, `turns` (one worker for answers) and `jobs` (with the clock):

    stack.kill("turns")                 # SIGKILL, as a crash would
    stack.start("turns")                # back again; returns when it serves its queue
    stack.restart("web")                # SIGTERM, then start
    stack.logs("web")                   # what it has written so far
    stack.rows("SELECT …", value)       # a look into its database
    stack.manage("onet_load", folder)   # a management command over the same data

Tests share the stack: leave it complete (a killed process started again), use sessions of your
own, and clear what you scripted (`model_stack.scripted.reset()`).
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psycopg
from redis import Redis

from futura.embedded import addresses, programs, services
from futura.embedded.processes import dying_with_parent
from tests import tables
from tests.scripted import ScriptedServer

PROJECT = Path(__file__).resolve().parents[1]
READY_TIMEOUT_S = 180.0


class Stack:
    """Processes of one product; made by `running_stack`."""

    def __init__(
        self, folder: Path, scripted: ScriptedServer | None, *, python_path: Path | None = None
    ) -> None:
        self.folder = folder
        tables.copy_to(folder)
        self.python_path = python_path  # where more packages are installed
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.scripted = scripted
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        named = {
            program.name: program.command
            for program in programs.product_programs(
                host="127.0.0.1", port=self.port, clock_file=str(folder / "clock")
            )
        }
        self._programs: dict[str, Sequence[str]] = {
            "web": named["web"],
            "turns": named["turns-1"],
            "jobs": named["jobs"],
        }

    @property
    def environment(self) -> dict[str, str]:
        """What the processes see; nothing of the developer's own settings."""
        hidden = ("FUTURA_", "OPENAI_", "DATABASE_", "REDIS_", "SECRET_", "EMAIL_")
        own = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        own |= {
            "FUTURA_DATA_DIR": str(self.folder),
            "FUTURA_ENV_FILE": "none",
            "FUTURA_PORT": str(self.port),
            "FUTURA_STATIC_MANIFEST": "false",
            "PYTHONUNBUFFERED": "1",
        }
        if self.scripted is not None:
            own |= {"OPENAI_BASE_URL": self.scripted.base_url, "OPENAI_API_KEY": "sk-scripted"}
        if self.python_path is not None:
            own["PYTHONPATH"] = str(self.python_path)
        return own

    def launch(self) -> None:
        """Starts every process, waits for all."""
        for name in self._programs:
            self._spawn(name)
        self.await_ready()

    def start(self, name: str) -> None:
        """Starts a process that was killed or stopped, and waits until the product is ready."""
        if name not in self._running:
            self._spawn(name)
        self.await_ready()

    def kill(self, name: str) -> None:
        """Ends a process as a crash would."""
        self._end(name, signal.SIGKILL)

    def stop(self, name: str) -> None:
        """Ends a process as a deployment would."""
        self._end(name, signal.SIGTERM)

    def restart(self, name: str) -> None:
        """Stops a process and starts it again."""
        self.stop(name)
        self.start(name)

    def close(self) -> None:
        """Ends everything."""
        for process in self._running.values():
            process.terminate()
        for name in list(self._running):
            self._end(name, signal.SIGTERM)

    def logs(self, name: str) -> str:
        """What a process has written so far."""
        return self._log(name).read_text(encoding="utf-8", errors="replace")

    def rows(self, query: str, *values: object) -> list[tuple]:
        """The rows of a query on the product's database (changes are committed)."""
        address = addresses.database_url(self.folder)
        with psycopg.connect(address) as connection:
            found = connection.execute(query, values)
            return found.fetchall() if found.description else []

    def manage(self, *arguments: str) -> str:
        """The output of a management command over the same data; fails when it fails."""
        return self._run(sys.executable, "manage.py", *arguments)

    def readiness(self) -> tuple[int, dict]:
        """Status and parts of /readyz; (0, {}) while nothing answers."""
        web = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            web.request("GET", "/readyz", headers={"Host": f"localhost:{self.port}"})
            answer = web.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            return 0, {}
        finally:
            web.close()

    def await_ready(self) -> None:
        """Waits until people would get answers; fails with the log of a process that ended."""
        deadline = time.monotonic() + READY_TIMEOUT_S
        while (state := self.readiness())[0] != 200:
            for name, process in self._running.items():
                if process.poll() is not None:
                    raise AssertionError(f"{name} ended ({process.returncode}):\n{self.logs(name)}")
            if time.monotonic() > deadline:
                raise AssertionError(f"Not ready: {state}\n{self.logs('web')}")
            time.sleep(0.05)

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _spawn(self, name: str) -> None:
        with self._log(name).open("ab") as log:
            self._running[name] = subprocess.Popen(
                self._programs[name],
                cwd=PROJECT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dying_with_parent(signal.SIGKILL),
            )

    def _end(self, name: str, number: signal.Signals) -> None:
        process = self._running.pop(name)
        if process.poll() is None:
            process.send_signal(number)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if name != "web":
            self._forget_heartbeat(name)

    def _forget_heartbeat(self, name: str) -> None:
        """So that `await_ready` waits for the next worker, not for the silence of the last."""
        with contextlib.closing(services_redis(self.folder)) as client:
            fields = [
                key for key in client.hkeys("futura:workers") if key.startswith(name.encode())
            ]
            if fields:
                client.hdel("futura:workers", *fields)

    def _run(self, *command: str, **environment: str) -> str:
        done = subprocess.run(
            command,
            cwd=PROJECT,
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout


def services_redis(folder: Path):
    """A client of the stack's Redis."""
    return Redis(unix_socket_path=str(addresses.redis_socket(folder)))


def free_port() -> int:
    """A port that nobody uses right now.

    It is none of those that the system hands to connections: it stays free while its server is
    away. And it is not drawn from the seed that all processes of a test run share.
    """
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@contextlib.contextmanager
def running_stack(
    scripted: ScriptedServer | None = None, *, make: Callable[[Path], Stack] | None = None
) -> Iterator[Stack]:
    """A product of one's own, for tests that need other settings than the shared ones.

    `make` builds another kind of stack over the folder.
    """
    with contextlib.ExitStack() as ending:
        folder = Path(tempfile.mkdtemp(prefix="futura-stack-"))
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        stack = make(folder) if make else Stack(folder, scripted)
        ending.callback(services.use(folder, throwaway=True).leave)
        ending.callback(stack.close)
        stack.launch()
        yield stack
