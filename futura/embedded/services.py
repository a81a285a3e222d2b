"""How a process uses the embedded services: they run while somebody holds a `Use` of them."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Collection
from pathlib import Path
from typing import IO, Final, cast

from futura.embedded.folder import Folder, Trouble, prepare

# a keeper says by itself that a service did not start, so this may exceed its own patience
_PATIENCE_S: Final = 300.0
_END_S: Final = 30.0
_PROJECT: Final = Path(__file__).resolve().parents[2]


# keepers that we started and that go on for others; remembered so that they can be reaped
_outliving: list[subprocess.Popen[bytes]] = []


class ServicesLost(Trouble):
    """A service has ended too often; the others are being stopped."""


class KeeperGone(Trouble):
    """The keeper ended without a word; whoever uses the services next starts another."""


class Use:
    """An open connection to the keeper: while one exists, the services run."""

    def __init__(
        self, connection: socket.socket, keeper: subprocess.Popen[bytes] | None = None
    ) -> None:
        self._connection = connection
        self._keeper = keeper  # when it is our child

    def fileno(self) -> int:
        return self._connection.fileno()

    def notice(self) -> str:
        """Waits for the keeper's next word: the sentence about a service that is started again.

        Raises ServicesLost when a service ended for good, KeeperGone when the keeper itself did.
        """
        line = _line(self._connection)
        if line.startswith("lost "):
            raise ServicesLost(line.removeprefix("lost "))
        if not line:
            raise KeeperGone("The keeper of PostgreSQL and Redis ended, and they with it.")
        return line.removeprefix("again ")

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
            if connection := _joined(folder, parts):
                return Use(connection)
            keeper = _started_keeper(folder, parts, throwaway=throwaway)
            if connection := _joined(folder, parts):
                return Use(connection, keeper)
    except PermissionError as error:
        raise Trouble(
            f"The services of {data_dir} run for another user ({error.filename or folder.sockets})."
        ) from error
    raise Trouble(f"The embedded services ended at once (log: {_log_of(folder)}).")


def _joined(folder: Folder, parts: Collection[str]) -> socket.socket | None:
    """A connection to a keeper that has greeted us; None where none runs, or it is ending."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(_PATIENCE_S)
        connection.connect(str(folder.keeper_socket))
        greeting = _line(connection)
        connection.settimeout(None)
    except (FileNotFoundError, ConnectionRefusedError, TimeoutError):
        greeting = ""
    missing = set(parts) - set(greeting.split())
    if greeting and not missing:
        return connection
    connection.close()
    if greeting:
        raise Trouble(
            f"The embedded services of {folder.path} run without {' and '.join(missing)}. "
            "Stop what uses them, then start again."
        )
    return None


def _line(connection: socket.socket) -> str:
    received = b""
    with contextlib.suppress(ConnectionError):
        while not received.endswith(b"\n"):
            byte = connection.recv(1)
            if not byte:
                break
            received += byte
    return received.decode().strip()


def _started_keeper(
    folder: Folder, parts: Collection[str], *, throwaway: bool
) -> subprocess.Popen[bytes]:
    """A keeper whose services answer. Raises Trouble, and leaves nothing running then."""
    command = [sys.executable, "-m", "futura.embedded.keeper", str(folder.path), *parts]
    if throwaway:
        command.append("--throwaway")
    with _log_of(folder).open("ab") as log:
        keeper = subprocess.Popen(  # noqa: S603 (ourselves)
            command,
            cwd=_PROJECT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
    with cast("IO[bytes]", keeper.stdout) as output:
        in_time = select.select([output], [], [], _PATIENCE_S)[0]
        word = output.readline().decode().strip() if in_time else "late"
    if word == "ready":
        return keeper
    keeper.terminate()
    try:
        keeper.wait(_END_S)
    except subprocess.TimeoutExpired:
        keeper.kill()
        keeper.wait()
    if not in_time:
        raise Trouble(f"The embedded services did not get ready in {_PATIENCE_S:.0f} s.")
    raise Trouble(
        word.removeprefix("failed ")
        or f"The embedded services could not start (log: {_log_of(folder)})."
    )


def _log_of(folder: Folder) -> Path:
    return folder.logs / "keeper.log"


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
