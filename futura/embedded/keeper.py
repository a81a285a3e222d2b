"""The process that owns the embedded services: up while somebody uses them, down after the last.

Run as `python -m futura.embedded.keeper FOLDER PostgreSQL Redis`. Users connect to its socket and
hold the connection for as long as they need the services; the kernel closes it however they end, so
nothing is ever left running or counted twice. What it says, a line each:

    ready NAMES       these services answer
    failed SENTENCE   they cannot run
    again SENTENCE    a service ended by itself; it is started again over its data
    lost SENTENCE     a service ended too often; the other one is being stopped
    kept | stopped    answer to a user who leaves (half-closes): others remain, or all is down
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import selectors
import shutil
import signal
import socket
import time
from collections.abc import Collection
from pathlib import Path
from typing import Final

from futura.embedded import daemons
from futura.embedded.folder import Folder, Trouble
from futura.embedded.restarts import Restarts, ending_of, last_notice, restart_notice

# how long a keeper that nobody has spoken to waits for its first user
FIRST_USER_S: Final = 15.0


class Keeper:
    """The event loop around the two services."""

    def __init__(self, folder: Folder, *, parts: Collection[str], durable: bool) -> None:
        self.folder = folder
        self.parts = parts
        self.durable = durable
        self.running: dict[str, daemons.Process] = {}
        self.restarts = Restarts()
        self.due: dict[str, float] = {}  # when a service that ended is to be started again
        self.users: set[socket.socket] = set()
        self.selector = selectors.DefaultSelector()
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.alarm, self.bell = socket.socketpair()

    def run(self) -> None:
        """Starts the services, serves until the last user has left or a service will not run."""
        self._listen()
        try:
            for name in self.parts:
                self.running[name] = daemons.START[name](self.folder, durable=self.durable)
            farewell = self._serve()
        except Trouble as trouble:
            farewell = f"failed {trouble}"
            self._accept_waiting()
        self._stop(farewell)

    def _listen(self) -> None:
        path = self.folder.keeper_socket
        path.unlink(missing_ok=True)
        self.listener.bind(str(path))
        path.chmod(0o600)
        self.listener.listen(64)
        self.listener.setblocking(False)
        self.alarm.setblocking(False)
        self.bell.setblocking(False)
        signal.set_wakeup_fd(self.bell.fileno())
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _noted)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.selector.register(self.listener, selectors.EVENT_READ)
        self.selector.register(self.alarm, selectors.EVENT_READ)

    def _serve(self) -> str:
        """Answers users until it is time to stop; returns what the remaining ones are told."""
        deadline = time.monotonic() + FIRST_USER_S
        had_users = False
        while True:
            for key, _ in self.selector.select(timeout=self._patience_s()):
                if key.fileobj is self.listener:
                    had_users |= self._accept(f"ready {' '.join(self.parts)}")
                elif key.fileobj is self.alarm:
                    if (ending := self._alarmed()) is not None:
                        return ending
                elif isinstance(key.fileobj, socket.socket) and self._heard(key.fileobj):
                    return "stopped"
            if (ending := self._start_due()) is not None:
                return ending
            if not had_users and time.monotonic() > deadline:
                return "stopped"

    def _accept(self, greeting: str) -> bool:
        try:
            user, _ = self.listener.accept()
        except OSError:
            return False
        self.users.add(user)
        self.selector.register(user, selectors.EVENT_READ)
        _say(user, greeting)
        return True

    def _accept_waiting(self) -> None:
        """Lets in who came while the services failed to start; the first may still be coming."""
        deadline = time.monotonic() + 2.0
        while time.monotonic() < deadline and not self.users:
            self.selector.select(timeout=0.1)
            try:
                user, _ = self.listener.accept()
            except OSError:
                continue
            self.users.add(user)

    def _alarmed(self) -> str | None:
        """A signal came: the end of a service, or the wish that we stop."""
        numbers = self.alarm.recv(64)
        if {signal.SIGTERM, signal.SIGINT} & set(numbers):
            return "lost The embedded services were told to stop."
        for name, process in list(self.running.items()):
            code = process.poll()
            if code is not None:
                del self.running[name]
                if (ending := self._plan_restart(name, ending_of(code))) is not None:
                    return ending
        return None

    def _patience_s(self) -> float:
        """How long the loop may wait before it has something to start."""
        return max(0.0, min([1.0, *(at - time.monotonic() for at in self.due.values())]))

    def _plan_restart(self, name: str, reason: str) -> str | None:
        """Tells the users that a service comes back; the farewell when it has ended too often."""
        pause_s = self.restarts.pause_after_death(name)
        if pause_s is None:
            return f"lost {last_notice(name, reason)}"
        self.due[name] = time.monotonic() + pause_s
        for user in self.users:
            _say(user, f"again {restart_notice(name, reason, pause_s)}")
        return None

    def _start_due(self) -> str | None:
        """Starts services whose pause is over; the farewell when one will not come up."""
        for name, due_at in list(self.due.items()):
            if due_at > time.monotonic():
                continue
            del self.due[name]
            try:
                self.running[name] = daemons.START[name](self.folder, durable=self.durable)
            except Trouble as trouble:
                if (ending := self._plan_restart(name, str(trouble).rstrip("."))) is not None:
                    return ending
        return None

    def _heard(self, user: socket.socket) -> bool:
        """A user leaves; True when it was the last one (it is told when all is down)."""
        try:
            if user.recv(64):
                return False
        except OSError:
            pass
        self.selector.unregister(user)
        if len(self.users) == 1:
            return True
        self.users.discard(user)
        _say(user, "kept")
        user.close()
        return False

    def _stop(self, farewell: str) -> None:
        """No new users, services down, then the word to those who wait for it."""
        self.folder.keeper_socket.unlink(missing_ok=True)
        self.listener.close()
        if not farewell.startswith("stopped"):
            for user in self.users:
                _say(user, farewell)
        for name, process in self.running.items():
            daemons.STOP[name](process)
        if not self.durable:
            shutil.rmtree(self.folder.path, ignore_errors=True)
            shutil.rmtree(self.folder.sockets, ignore_errors=True)
        for user in self.users:
            if farewell.startswith("stopped"):
                _say(user, farewell)
            user.close()


def _noted(_number: int, _frame: object) -> None:
    """The signal's number arrives in the loop by the wake-up socket."""


def _say(user: socket.socket, text: str) -> None:
    with contextlib.suppress(OSError):
        user.sendall(text.replace("\n", " ").encode() + b"\n")


def main() -> None:
    """Runs a keeper; a second one over the same folder waits until the first is gone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="+", choices=daemons.START)
    parser.add_argument("--throwaway", action="store_true", help="no fsync; folder goes at the end")
    arguments = parser.parse_args()
    folder = Folder(arguments.folder)
    with (folder.sockets / "keeper.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        Keeper(folder, parts=arguments.parts, durable=not arguments.throwaway).run()


if __name__ == "__main__":
    main()
