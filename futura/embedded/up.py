"""`manage.py up`: the whole product on this machine with one command, until Ctrl-C.

What can be refused is refused before anything is loaded. While the services start, Django is
loaded, once; a child then makes what is missing, and all processes are forked from what is loaded.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import fcntl
import gc
import importlib
import io
import os
import secrets
import shutil
import signal
import socket
import sys
import time
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from types import FrameType
from typing import Any, Final

from futura.embedded import folder, services
from futura.embedded.processes import Restarts
from futura.embedded.programs import product_programs, readiness
from futura.embedded.supervisor import ENDINGS, Supervisor, forked
from futura.llm import nearby

DEFAULT_PORT: Final = 8000
READY_TIMEOUT_S: Final = 120.0
GRACE_S: Final = 4.0  # for answers and requests at work: who presses Ctrl-C waits for the end
TEND_S: Final = 0.2
BACKLOG: Final = 512  # connections that wait while the web process is started again
ADMIN_EMAIL: Final = "admin@localhost"
# What the processes would each load by themselves. Not Daphne, which opens files on being loaded.
SHARED: Final = (
    *("celery.bin.celery", "celery.apps.worker", "celery.concurrency.thread", "futura.urls"),
    "channels.routing",
)


HELP: Final = (
    "Start Futura on this machine: PostgreSQL, Redis, pages and workers, with everything they "
    "need. Ctrl-C stops it all; the data stay."
)


class _Stop(Exception):
    """Ctrl-C, the wish to end, or a closed terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port",
        type=_port,
        default=os.environ.get("FUTURA_PORT") or str(DEFAULT_PORT),
        help="where the pages are served (8000)",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (127.0.0.1: this machine only)"
    )
    parser.add_argument(
        "--data-dir",
        type=Path,
        default=None,
        help="where everything is kept (FUTURA_DATA_DIR, or .futura beside manage.py)",
    )
    parser.add_argument("--demo", action="store_true", help="add made-up content to look at, once")
    parser.add_argument(
        "--model",
        default="",
        help="the language model of this start, on this machine: ollama:NAME, lmstudio:NAME, "
        "llamacpp:NAME",
    )


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; ports are 1 to 65535")
    return int(text)


def main(arguments: Sequence[str]) -> None:
    """Runs until stopped; exits with one sentence when something is in the way.

    Raises ImproperlyConfigured for a setting that is wrong.
    """
    parser = argparse.ArgumentParser(prog="manage.py up", description=HELP)
    add_arguments(parser)
    options = parser.parse_args(arguments)
    if options.data_dir is not None:
        os.environ["FUTURA_DATA_DIR"] = str(options.data_dir.expanduser().absolute())
    os.environ["FUTURA_PORT"] = str(options.port)
    # many processes on few cores: small products of matrices are faster on one thread each
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from futura.env import env

    os.environ["FUTURA_GRACE_S"] = str(min(env.float("FUTURA_GRACE_S", 25.0), GRACE_S))
    try:
        ports = nearby.ports_of(env.list("FUTURA_MODEL_PORTS", []))
        if options.model:
            _use(*nearby.chosen(options.model, ports))
    except ValueError as error:
        parser.error(f"{error}.")
    try:
        run(options.host, options.port, ports, with_demo=options.demo)
    except folder.Trouble as trouble:
        sys.exit(f"manage.py up: {trouble}")


def _use(model: str, base_url: str) -> None:
    """Sets the model of this start, over what the environment and `.env` say.

    Every compatible server knows chat completions. A key that is set does not go to whoever listens
    on this machine.
    """
    os.environ |= {"OPENAI_BASE_URL": base_url, "FUTURA_MODEL": model, "FUTURA_WIRE": "chat"}
    os.environ |= {"OPENAI_API_KEY": "", "OPENAI_API_KEY_FILE": ""}


def run(host: str, port: int, ports: Mapping[str, int], *, with_demo: bool = False) -> None:
    """Runs until stopped; `ports` are those of model servers on this machine.

    Raises Trouble when something is in the way.
    """
    from django.conf import settings

    data_dir: Path = settings.DATA_DIR
    _stop_on_signals()
    try:
        with (
            _alone_on(data_dir, settings.SITE_URL),
            _listening(host, port) as listener,
            _embedded(data_dir, settings.EMBEDDED_PARTS) as embedded,
        ):
            has_model = bool(settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL)
            search = None if has_model else nearby.Search(ports)
            _load()
            embedded.await_ready()
            near = search.first() if search else None  # its threads end before any fork
            password, has_model = _prepare(with_demo)
            _serve(listener, embedded, _welcome(password, None if has_model else near))
    except _Stop:
        _say("Stopped.")


@contextlib.contextmanager
def _embedded(data_dir: Path, parts: Collection[str]) -> Iterator[EmbeddedServices]:
    if "PostgreSQL" in parts and not (data_dir / "postgres").exists():
        _say(f"Making a new home for the data in {data_dir} …")
    embedded = EmbeddedServices(data_dir, parts)
    try:
        yield embedded
    finally:
        embedded.leave()


def _serve(listener: socket.socket, embedded: EmbeddedServices, welcome: str) -> None:
    """Starts the processes and looks after them until the end."""
    from django.conf import settings

    host, port = listener.getsockname()
    programs = product_programs(
        host=host,
        port=port,
        clock_file=settings.CELERY_BEAT_SCHEDULE_FILENAME,
        socket_fd=listener.fileno(),
    )
    children = Supervisor(sys.stdout, width=max(len(item.name) for item in programs))
    deadline = time.monotonic() + READY_TIMEOUT_S
    is_ready, parts = False, dict[str, Any]()
    try:
        for program in programs:
            children.start(program)
        while not is_ready:
            if time.monotonic() > deadline:
                raise folder.Trouble(
                    f"Futura did not get ready in {READY_TIMEOUT_S:.0f} s: {parts}."
                )
            _tend(children, embedded)
            is_ready, parts = readiness(host, port, settings.SITE_URL)
        _say(welcome)
        while True:
            _tend(children, embedded)
    finally:
        _stop(children)


def _welcome(password: str, near: tuple[str, str] | None) -> str:
    from django.conf import settings

    site = settings.SITE_URL
    lines = ["", f"  Futura is ready: {site}"]
    if password:
        lines += [
            f"  First admin:     {ADMIN_EMAIL}, password {password}",
            f"                   (shown only now; sign in at {site}/admin/)",
        ]
    if near is not None:
        server, model = near
        line = f"manage.py up --model {server}:{model}"
        lines.append(f"  Language model:  {nearby.LABELS[server]} is here; to use it: {line}")
    return "\n".join([*lines, "  Ctrl-C stops everything; the data stay.", ""])


class EmbeddedServices:
    """`up`'s use of the embedded services, which are started again when one of them ends."""

    def __init__(self, data_dir: Path, parts: Collection[str]) -> None:
        self._data_dir = data_dir
        self._parts = parts
        self._restarts = Restarts()
        self._use: services.Use | None = None
        self._starter = ThreadPoolExecutor(1)
        self._starting = self._starter.submit(self._start)

    def _start(self) -> None:
        self._use = services.use(self._data_dir, parts=self._parts) if self._parts else None

    def await_ready(self) -> None:
        self._starter.shutdown()
        self._starting.result()

    @property
    def watched(self) -> list[services.Use]:
        return [] if self._use is None else [self._use]

    def again(self) -> str:
        """Starts what has ended again; the sentence about it.

        Raises Trouble when it has ended too often.
        """
        if self._use is None:
            return ""
        pause_s, notice = self._restarts.after_death(*self._use.loss())
        time.sleep(pause_s)
        self.leave()
        self._start()
        return notice

    def leave(self) -> None:
        self._starter.shutdown()
        if self._use is not None:
            self._use.leave()


def _tend(children: Supervisor, embedded: EmbeddedServices) -> None:
    """Waits a moment, then has what ended by itself started again.

    Raises Trouble with the name and the reason of a part that ends again and again.
    """
    if children.tend(TEND_S, *embedded.watched) and (notice := embedded.again()):
        _say(notice)


def _stop(children: Supervisor) -> None:
    """Ends the children; a second Ctrl-C does not wait for them."""
    try:
        _stop_on_signals()
        children.stop()
    except _Stop:
        children.kill()


# Loading and preparing ------------------------------------------------------------------------
def _load() -> None:
    """Django, the product's apps and their jobs; nothing of it is looked at by the collector."""
    # on one's own machine root is as good as any user, and Celery need not warn three times
    warnings.filterwarnings("ignore", "You're running the worker with superuser privileges")
    import django

    django.setup()
    from futura.celery import app

    app.loader.import_default_modules()
    gc.freeze()


def _prepare(with_demo: bool) -> tuple[str, bool]:
    """Makes what is missing in a child; meanwhile loads what all processes share.

    Returns the first admin's password, "" when there already was one, and whether a model is set
    up. Raises Trouble.
    """
    receiver, sender = Pipe(duplex=False)
    child = forked("prepare", _make_ready, sender, with_demo)
    sender.close()
    try:
        for name in SHARED:
            importlib.import_module(name)
        gc.freeze()
        password, has_model, trouble = receiver.recv()
    except EOFError:
        raise folder.Trouble("The data could not be made ready; the reason stands above.") from None
    finally:
        receiver.close()
        child.terminate()
        child.join()
    if trouble:
        raise folder.Trouble(trouble)
    return str(password), bool(has_model)


def _make_ready(sender: Connection, with_demo: bool) -> None:
    """Tables, catalogue, files, first admin: each only what is still missing."""
    from django.conf import settings
    from django.core.management import call_command
    from django.core.management.base import CommandError
    from django.db import OperationalError, connection
    from django.db.migrations.executor import MigrationExecutor

    from futura import static
    from futura.embedded import tables
    from futura.llm import stages

    try:
        pending = MigrationExecutor(connection)
        tables.refuse_newer(pending.loader)
        if pending.migration_plan(pending.loader.graph.leaf_nodes()):
            _say("Preparing the database. With a lot of data this takes minutes; leave it running.")
        call_command("migrate", interactive=False, verbosity=0)
        if settings.STATIC_MANIFEST:
            static.collect()
        _load_catalogue(starter=True, if_needed=True)
        if settings.ONET_SOURCE:
            try:
                _load_catalogue(settings.ONET_SOURCE, if_needed=True)
            except CommandError as error:
                _say(f"FUTURA_ONET could not be loaded: {error}")
        password = _first_admin()
        if with_demo:
            call_command("demo")
        sender.send((password, stages.is_configured(), ""))
    except CommandError as error:
        sender.send(("", False, str(error)))
    except (OSError, OperationalError) as error:
        reason = str(error).partition("\n")[0]
        free_mb = shutil.disk_usage(settings.DATA_DIR).free // 1_000_000
        trouble = f"The data in {settings.DATA_DIR} could not be made ready: {reason}"
        sender.send(("", False, f"{trouble} ({free_mb} MB are free on its disk)."))


def _load_catalogue(*source: str, **options: bool) -> None:
    from django.core.management import call_command

    summary = io.StringIO()
    call_command("onet_load", *source, **options, stdout=summary)
    _say(summary.getvalue().partition("\n")[0])


def _first_admin() -> str:
    from django.contrib.auth import get_user_model

    users = get_user_model().objects
    if users.filter(is_superuser=True).exists():
        return ""
    password = secrets.token_urlsafe(12)
    users.create_superuser(username="admin", email=ADMIN_EMAIL, password=password)
    return password


# This machine ---------------------------------------------------------------------------------
def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        print(text, flush=True)  # noqa: T201 (a command speaks to who started it)


def _stop_on_signals() -> None:
    def stop(_number: int, _frame: FrameType | None) -> None:
        # one is enough: what follows is ignored while everything is being ended
        for number in ENDINGS:
            signal.signal(number, signal.SIG_IGN)
        raise _Stop

    for number in ENDINGS:
        signal.signal(number, stop)


@contextlib.contextmanager
def _alone_on(data_dir: Path, site: str) -> Iterator[None]:
    """Holds the folder's lock; raises Trouble when another `up` does, or it cannot be used."""
    folder.prepare(data_dir)
    with (data_dir / "up.lock").open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise folder.Trouble(
                f"Futura already runs on the data folder {data_dir} ({lock.read().strip()}). "
                "Stop it first, or choose another folder with --data-dir."
            ) from None
        lock.truncate(0)
        lock.write(site)
        lock.flush()
        yield


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(BACKLOG)
        except OSError as error:
            raise folder.Trouble(_why_not(host, port, error)) from error
        yield listener


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program. Choose another with --port."
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for the system. Choose one above 1023 with --port."
    return f"Futura cannot listen on {host}, port {port}: {error.strerror or error}."
