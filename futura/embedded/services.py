"""How a process uses the embedded services: they run while somebody holds a `Use` of them."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Collection
from pathlib import Path
from typing import Final

from futura.embedded.folder import Folder, Trouble, prepare

# a keeper says by itself that a service did not start, so this may exceed its own patience
_PATIENCE_S: Final = 300.0
_END_S: Final = 30.0
_PROJECT: Final = Path(__file__).resolve().parents[2]


# keepers that we started and that go on for others; remembered so that they can be reaped
_outliving: list[subprocess.Popen[bytes]] = []


class Use:
    """An open connection to the keeper: while one exists, the services run."""

    def __init__(
        self, connection: socket.socket, keeper: subprocess.Popen[bytes] | None = None
    ) -> None:
        self._connection = connection
        self._keeper = keeper  # when it is our child

    def fileno(self) -> int:
        return self._connection.fileno()

    def loss(self) -> tuple[str, str]:
        """Waits for the keeper's next word: which service ended, and how; the others end with it.

        The next `use` starts them all again.
        """
        name, _, reason = _line(self._connection).removeprefix("lost ").partition(" ")
        return (name, reason) if name else ("The keeper of the services", "it left no word")

    def leave(self) -> None:
        """Ends the use; returns when the services are down, or at once when others need them."""
        answer = ""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
            self._connection.settimeout(_PATIENCE_S)
            while (answer := _line(self._connection)) not in {"kept", "stopped", ""}:
                pass
        self._connection.close()
        if self._keeper is not None and answer == "kept":
            _outliving.append(self._keeper)
        elif self._keeper is not None:
            self._keeper.wait(_PATIENCE_S)


def use(
    data_dir: Path, *, parts: Collection[str] = ("PostgreSQL", "Redis"), throwaway: bool = False
) -> Use:
    """Joins the users of the services, starting those of `parts` first if need be.

    `throwaway` is for tests: nothing waits for the disk, and the folder goes with the last user.
    Raises Trouble with a sentence when they cannot run.
    """
    folder = prepare(data_dir)
    _outliving[:] = [keeper for keeper in _outliving if keeper.poll() is None]
    try:
        with (folder.sockets / "start.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if connection := _joined(folder):
                return Use(connection)
            return _started(folder, parts, throwaway=throwaway)
    except PermissionError as error:
        raise Trouble(
            f"The services of {data_dir} run for another user ({error.filename or folder.sockets})."
        ) from error


def _joined(folder: Folder) -> socket.socket | None:
    """A connection to a keeper that has greeted us; None where none runs, or it is ending."""
    try:
        connection = _connected(folder)
    except (FileNotFoundError, ConnectionRefusedError, TimeoutError):
        return None
    if _line(connection) == "ready":
        connection.settimeout(None)
        return connection
    connection.close()
    return None


def _connected(folder: Folder) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(_PATIENCE_S)
    try:
        connection.connect(str(folder.keeper_socket))
    except OSError:
        connection.close()
        raise
    return connection


def _line(connection: socket.socket) -> str:
    """What the keeper says next; empty where it says nothing in time, or is gone."""
    received = b""
    with contextlib.suppress(ConnectionError, TimeoutError):
        while not received.endswith(b"\n"):
            byte = connection.recv(1)
            if not byte:
                break
            received += byte
    return received.decode().strip()


def _started(folder: Folder, parts: Collection[str], *, throwaway: bool) -> Use:
    """The first use of a new keeper. Raises Trouble, and leaves nothing running then."""
    log_file = folder.logs / "keeper.log"
    folder.keeper_socket.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener, log_file.open("ab") as log:
        listener.bind(str(folder.keeper_socket))
        listener.listen()
        number = listener.fileno()
        command = [sys.executable, "-m", "futura.embedded.keeper", str(number), str(folder.path)]
        keeper = subprocess.Popen(  # noqa: S603 (ourselves)
            [*command, *parts, *(["--throwaway"] if throwaway else [])],
            cwd=_PROJECT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=[number],
            start_new_session=True,
        )
        connection = _connected(folder)
    word = _line(connection)
    if word == "ready":
        connection.settimeout(None)
        return Use(connection, keeper)
    connection.close()
    keeper.terminate()
    try:
        keeper.wait(_END_S)
    except subprocess.TimeoutExpired:
        keeper.kill()
        keeper.wait()
    reason = word.removeprefix("failed ")
    raise Trouble(reason or f"The embedded services did not get ready (log: {log_file}).")


_mine: Use | None = None
_mine_pid = 0
_guard = threading.Lock()


def ensure(data_dir: Path, parts: Collection[str]) -> None:
    """Makes this process a user of the services until it ends; cheap when it already is one."""
    global _mine, _mine_pid
    if _mine is not None and _mine_pid == os.getpid():
        return
    with _guard:
        if _mine is None or _mine_pid != os.getpid():
            _mine = use(data_dir, parts=parts)
            _mine_pid = os.getpid()
            atexit.register(_leave_at_exit)


def _leave_at_exit() -> None:
    if _mine is not None and _mine_pid == os.getpid():
        _mine.leave()
