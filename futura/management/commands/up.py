"""`manage.py up`: the whole product on this machine with one command, until Ctrl-C."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import secrets
import select
import signal
import socket
import sys
import time
from argparse import ArgumentParser
from collections.abc import Collection, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from futura.embedded import arguments, folder, services, supervisor
from futura.embedded.readiness import readiness
from futura.embedded.restarts import Restarts, last_notice, restart_notice

READY_TIMEOUT_S: Final = 120.0
ADMIN_EMAIL: Final = "admin@localhost"
TEND_S: Final = 0.2
BACKLOG: Final = 512  # connections that wait while the web process is started again


class _Stop(Exception):
    """Ctrl-C, the wish to end, or a closed terminal."""


class EmbeddedServices:
    """`up`'s use of the embedded services, joined anew when their keeper was killed."""

    def __init__(self, data_dir: Path, parts: Collection[str]) -> None:
        self._data_dir = data_dir
        self._parts = parts
        self._restarts = Restarts()
        self._use = services.use(data_dir, parts=parts) if parts else None

    def tend(self) -> str:
        """Waits a moment; the sentence about a service that is started again, if any.

        Raises Trouble when one has ended too often.
        """
        if self._use is None:
            time.sleep(TEND_S)
            return ""
        if not select.select([self._use], [], [], TEND_S)[0]:
            return ""
        try:
            return self._use.notice()
        except services.KeeperGone as gone:
            return self._join_again(str(gone))

    def leave(self) -> None:
        """Ends the use; the services end with their last user."""
        if self._use is not None:
            self._use.leave()

    def _join_again(self, reason: str) -> str:
        name = "The keeper of the services"
        pause_s = self._restarts.pause_after_death(name)
        if pause_s is None:
            raise folder.Trouble(last_notice(name, reason))
        time.sleep(pause_s)
        if self._use is not None:
            self._use.leave()
        self._use = services.use(self._data_dir, parts=self._parts)
        return restart_notice(name, reason, pause_s)


class Command(BaseCommand):
    """Starts everything, waits until it answers, shows what it says, ends it all together."""

    help = (
        "Start Futura on this machine: PostgreSQL, Redis, pages and workers, with everything "
        "they need. Ctrl-C stops it all; the data stay."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declares the options (read early by manage.py, before the settings)."""
        arguments.add_arguments(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        """Runs until stopped; leaves with one sentence when something is in the way."""
        host, port = options["host"], options["port"]
        _listen_to_signals()
        try:
            with (
                _alone_on(settings.DATA_DIR),
                _listening(host, port) as listener,
                self._embedded() as embedded,
            ):
                self._prepare()
                self._serve(listener, embedded)
        except folder.Trouble as trouble:
            raise CommandError(str(trouble)) from trouble
        except _Stop:
            self._say("Stopped.")

    @contextlib.contextmanager
    def _embedded(self) -> Iterator[EmbeddedServices]:
        """The embedded services, those without an address of their own."""
        if settings.EMBEDDED and not (settings.DATA_DIR / "postgres").exists():
            self._say(f"Making a new home for the data in {settings.DATA_DIR} …")
        embedded = EmbeddedServices(settings.DATA_DIR, settings.EMBEDDED_PARTS)
        try:
            yield embedded
        finally:
            _release_connections()
            embedded.leave()

    def _prepare(self) -> None:
        """Tables, files, catalogue, first admin: each only what is still missing."""
        call_command("migrate", interactive=False, verbosity=0)
        if settings.STATIC_MANIFEST:
            call_command("collectstatic", interactive=False, verbosity=0)
        self._load_catalogue(starter=True, if_needed=True)
        if settings.ONET_SOURCE:
            try:
                self._load_catalogue(settings.ONET_SOURCE, if_needed=True)
            except CommandError as error:
                self._say(f"FUTURA_ONET could not be loaded: {error}")
        _release_connections()

    def _load_catalogue(self, *source: str, **options: bool) -> None:
        """Loads O*NET data; of the command's summary only the first line is shown."""
        summary = io.StringIO()
        call_command("onet_load", *source, **options, stdout=summary)
        self._say(summary.getvalue().partition("\n")[0])

    def _serve(self, listener: socket.socket, embedded: EmbeddedServices) -> None:
        host, port = listener.getsockname()[:2]
        programs = supervisor.product_programs(
            host=host,
            port=port,
            beat_file=settings.CELERY_BEAT_SCHEDULE_FILENAME,
            # Daphne takes over sockets of IPv4 only
            socket_fd=listener.fileno() if listener.family == socket.AF_INET else None,
        )
        if listener.family != socket.AF_INET:
            listener.close()
        lines = supervisor.Lines(sys.stdout, width=max(len(item.name) for item in programs))
        environment = {
            "FUTURA_DATA_DIR": str(settings.DATA_DIR),
            "FUTURA_PORT": str(port),
            "FUTURA_GRACE_S": str(min(settings.GRACE_S, supervisor.GRACE_S)),
        }
        children = supervisor.Supervisor(lines, environment, str(settings.BASE_DIR))
        try:
            for program in programs:
                children.start(program)
            self._await_ready(children, host, port, embedded)
            self._welcome()
            while True:
                self._tend(children, embedded)
        finally:
            _stop_children(children)

    def _tend(self, children: supervisor.Supervisor, embedded: EmbeddedServices) -> None:
        """Waits a moment, then has what ended by itself started again.

        Raises CommandError with the name and the reason of a part that ends again and again.
        """
        try:
            if notice := embedded.tend():
                self._say(notice)
            children.tend()
        except folder.Trouble as trouble:
            raise CommandError(f"{trouble} Everything was stopped; the data stay.") from trouble

    def _await_ready(
        self, children: supervisor.Supervisor, host: str, port: int, embedded: EmbeddedServices
    ) -> None:
        deadline = time.monotonic() + READY_TIMEOUT_S
        parts: dict[str, Any] = {}
        while time.monotonic() < deadline:
            self._tend(children, embedded)
            is_ready, parts = readiness(host, port, settings.SITE_URL)
            if is_ready:
                return
        raise CommandError(f"Futura did not get ready in {READY_TIMEOUT_S:.0f} s: {parts}.")

    def _welcome(self) -> None:
        password = _first_admin()
        lines = ["", f"  Futura is ready: {settings.SITE_URL}"]
        if password:
            lines += [
                f"  First admin:     {ADMIN_EMAIL}, password {password}",
                f"                   (shown only now; sign in at {settings.SITE_URL}/admin/)",
            ]
        self._say("\n".join([*lines, "  Ctrl-C stops everything; the data stay.", ""]))

    def _say(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self.stdout.write(text)
            self.stdout.flush()


def _listen_to_signals() -> None:
    def stop(_number: int, _frame: FrameType | None) -> None:
        # one is enough: what follows is ignored while everything is being ended
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        raise _Stop

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


@contextlib.contextmanager
def _alone_on(data_dir: Path) -> Iterator[None]:
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
        lock.write(settings.SITE_URL)
        lock.flush()
        yield


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """The socket that pages are served from; raises CommandError when the port is not to be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(BACKLOG)
        except OSError as error:
            raise CommandError(_why_not(host, port, error)) from error
        yield listener


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program. Choose another with --port."
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for the system. Choose one above 1023 with --port."
    return f"Futura cannot listen on {host}, port {port}: {error.strerror or error}."


def _release_connections() -> None:
    for wrapper in connections.all(initialized_only=True):
        wrapper.close()
        if isinstance(wrapper, DatabaseWrapper):
            wrapper.close_pool()


def _stop_children(children: supervisor.Supervisor) -> None:
    """Ends the children; a second Ctrl-C does not wait for them."""
    try:
        _listen_to_signals()
        children.stop()
    except _Stop:
        children.kill()


def _first_admin() -> str:
    """Makes the first admin when there is none; returns its password, or ""."""
    users = get_user_model().objects
    if users.filter(is_superuser=True).exists():
        return ""
    password = secrets.token_urlsafe(12)
    users.create_superuser(username="admin", email=ADMIN_EMAIL, password=password)
    connection.close()
    return password
