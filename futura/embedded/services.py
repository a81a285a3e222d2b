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
import time
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
        """Readable when the keeper has something to say (a service ended)."""
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
        said = ""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
            self._connection.settimeout(_PATIENCE_S)
            while (said := _line(self._connection)) not in {"kept", "stopped", ""}:
                pass
        self._connection.close()
        if self._keeper is not None and said != "kept":
            self._keeper.wait(_PATIENCE_S)
        elif self._keeper is not None:
            _outliving.append(self._keeper)


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
        return _join(folder, parts, throwaway=throwaway)
    except PermissionError as error:
        raise Trouble(
            f"The services of {data_dir} run for another user ({error.filename or folder.sockets})."
        ) from error


def _join(folder: Folder, parts: Collection[str], *, throwaway: bool) -> Use:
    with (folder.sockets / "start.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with contextlib.ExitStack() as undo:
            keeper: subprocess.Popen[bytes] | None = None
            deadline = time.monotonic() + _PATIENCE_S
            while time.monotonic() < deadline:
                connection = _connect(folder)
                said = _greeting(connection) if connection else ""
                if connection and said.startswith("ready "):
                    _check_parts(folder, set(parts) - set(said.split()), connection)
                    undo.pop_all()
                    return Use(connection, keeper)
                if connection:
                    # this keeper is about to end
                    connection.close()
                    if said.startswith("failed "):
                        raise Trouble(said.removeprefix("failed "))
                    if keeper is not None:
                        with contextlib.suppress(subprocess.TimeoutExpired):
                            keeper.wait(max(0.0, deadline - time.monotonic()))
                        keeper = None
                elif keeper is None:
                    keeper = _start_keeper(folder, parts, throwaway=throwaway)
                    undo.callback(_end_keeper, keeper)
                elif keeper.poll() is not None:
                    raise Trouble(
                        f"The embedded services could not start (log: {_log_of(folder)})."
                    )
                time.sleep(0.01)
    raise Trouble(f"The embedded services did not get ready in {_PATIENCE_S:.0f} s.")


def _greeting(connection: socket.socket) -> str:
    """The keeper's first line, which comes when the services answer; "" when it never does."""
    connection.settimeout(_PATIENCE_S)
    try:
        return _line(connection)
    except TimeoutError:
        return ""
    finally:
        connection.settimeout(None)


def _end_keeper(keeper: subprocess.Popen[bytes]) -> None:
    """Ends a keeper whose services nobody got to use; they end with it."""
    keeper.terminate()
    try:
        keeper.wait(_END_S)
    except subprocess.TimeoutExpired:
        keeper.kill()
        keeper.wait()


def _check_parts(folder: Folder, missing: set[str], connection: socket.socket) -> None:
    if missing:
        connection.close()
        raise Trouble(
            f"The embedded services of {folder.path} run without {' and '.join(missing)}. "
            "Stop what uses them, then start again."
        )


def _connect(folder: Folder) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(str(folder.keeper_socket))
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    return connection


def _line(connection: socket.socket) -> str:
    """The next line from the keeper; "" when it is gone."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while not received.endswith(b"\n"):
            byte = connection.recv(1)
            if not byte:
                break
            received += byte
    return received.decode().strip()


def _start_keeper(
    folder: Folder, parts: Collection[str], *, throwaway: bool
) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "futura.embedded.keeper", str(folder.path), *parts]
    if throwaway:
        command.append("--throwaway")
    with _log_of(folder).open("ab") as log:
        return subprocess.Popen(  # noqa: S603 (ourselves)
            command,
            cwd=_PROJECT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
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
