"""Starts and stops one PostgreSQL and one Redis over a prepared data folder."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from futura.embedded import folder as folders
from futura.embedded.folder import Folder, Trouble
from futura.embedded.processes import dying_with_parent

START_TIMEOUT_S: Final = 120.0
STOP_TIMEOUT_S: Final = 20.0
LOG_BYTES: Final = 5_000_000
_POLL_S: Final = 0.01

Process = subprocess.Popen[bytes]


def start_postgres(folder: Folder, *, durable: bool, inherited: Collection[int] = ()) -> Process:
    """PostgreSQL over the folder, made first when new; raises Trouble with its last words."""
    run = folders.postgres_binaries()
    _forget_stranger(folder.postgres)
    if not folder.postgres.exists():
        _make_database(folder, run)
    # without durability (tests) nothing waits for the disk, and nothing can be copied elsewhere
    lasting = "on" if durable else "off"
    brief = {} if durable else {"wal_level": "minimal", "max_wal_senders": "0", "io_method": "sync"}
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(folder.sockets),
        "max_connections": "200",
        "shared_buffers": "128MB",
        "fsync": lasting,
        "synchronous_commit": lasting,
        "full_page_writes": lasting,
        "log_min_messages": "warning",
        "timezone": "UTC",
        **brief,
    }
    arguments = [f"--{name}={value}" for name, value in options.items()]
    log = _fresh_log(folder.logs / "postgres.log")
    command = [str(run / "postgres"), "-D", str(folder.postgres), *arguments]
    process = _spawn(command, folder, log, signal.SIGINT, inherited=inherited)
    _wait(process, lambda: _postgres_is_ready(folder, process.pid), "PostgreSQL", folder, log)
    return process


def start_redis(folder: Folder, *, durable: bool, inherited: Collection[int] = ()) -> Process:
    """Redis over the folder; raises Trouble with its last words."""
    path = folder.sockets / "redis.sock"
    log = _fresh_log(folder.logs / "redis.log")
    arguments = [
        *("--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"),
        *("--dir", str(folder.redis), "--save", "", "--daemonize", "no"),
        *("--appendonly", "yes" if durable else "no", "--maxclients", "4000"),
    ]
    command = [str(folders.redis_binary()), *arguments]
    process = _spawn(command, folder, log, signal.SIGTERM, inherited=inherited)
    _wait(process, lambda: _redis_is_ready(path), "Redis", folder, log)
    return process


def stop(process: Process, gentle: signal.Signals, forced: signal.Signals) -> None:
    """Ends a process: gently, then by force when it takes longer than STOP_TIMEOUT_S."""
    if process.poll() is not None:
        return
    process.send_signal(gentle)
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.send_signal(forced)
        process.wait()


START: Final = {"PostgreSQL": start_postgres, "Redis": start_redis}
# PostgreSQL cuts open connections and loses nothing committed; Redis writes its file first.
ENDINGS: Final = {
    "PostgreSQL": (signal.SIGINT, signal.SIGQUIT),
    "Redis": (signal.SIGTERM, signal.SIGKILL),
}


def _spawn(
    command: list[str],
    folder: Folder,
    log: Path,
    when_orphaned: signal.Signals,
    *,
    stdin: int = subprocess.DEVNULL,
    inherited: Collection[int] = (),
) -> Process:
    """A program of ours as the services' user; its output goes to the log."""
    user = folders.service_user(folder.path)
    if user.pw_uid != os.geteuid():
        is_open = _everybody_can_reach(Path(command[0])) and _everybody_can_reach(folder.redis)
        command = [*_becoming(user, when_orphaned, needs_passage=not is_open), *command]
    with log.open("ab") as output:
        return subprocess.Popen(  # noqa: S603 (our own programs)
            command,
            cwd=folder.sockets,
            stdin=stdin,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=inherited,
            env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
            umask=0o077,
            start_new_session=True,
            preexec_fn=dying_with_parent(when_orphaned),  # noqa: PLW1509 (the keeper has one thread)
        )


def _becoming(
    user: pwd.struct_passwd, when_orphaned: signal.Signals, *, needs_passage: bool
) -> list[str]:
    """What root puts before a command to run it as the user. Raises Trouble without setpriv.

    All rights of root go. `needs_passage` leaves one, to pass folders that only root may enter (a
    clone in a home with mode 0700), so that no permission of the person's folders is widened. It
    holds for `access`, too, by which PostgreSQL looks for its programs: hence the secure bit.
    """
    if shutil.which("setpriv", path=os.defpath) is None:
        raise Trouble(
            "Started as root, Futura runs PostgreSQL and Redis as another user, for which it needs "
            "the program setpriv (package util-linux). Install it, or start as an ordinary user."
        )
    rights = "-all,+dac_override" if needs_passage else "-all"
    bits = ("--securebits=+no_setuid_fixup",) if needs_passage else ()
    return [
        *("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"),
        *(*bits, f"--inh-caps={rights}", f"--ambient-caps={rights}"),
        f"--pdeathsig={when_orphaned.name.removeprefix('SIG')}",
    ]


def _everybody_can_reach(path: Path) -> bool:
    """Whether any user may walk to `path` and, for a program, run it."""
    resolved = path.resolve()
    needed = stat.S_IROTH | stat.S_IXOTH
    if resolved.is_file() and resolved.stat().st_mode & needed != needed:
        return False
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in resolved.parents)


def _make_database(folder: Folder, run: Path) -> None:
    """A new database folder, complete or not there at all."""
    new = folder.postgres.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    log = _fresh_log(folder.logs / "initdb.log")
    folders.own(new, folders.service_user(folder.path))
    steps: list[list[str]] = [
        [
            str(run / "initdb"),
            *("-D", str(new), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
            "--no-instructions",
        ],
        [str(run / "postgres"), "--single", "-D", str(new), "postgres"],
    ]
    for step in steps:
        process = _spawn(step, folder, log, signal.SIGKILL, stdin=subprocess.PIPE)
        process.communicate(b"CREATE DATABASE futura;\n")
        if process.returncode != 0:
            raise Trouble(f"A new database could not be made: {_last_words(log)} (log: {log}).")
    new.rename(folder.postgres)


def _forget_stranger(data: Path) -> None:
    """After a crash the pid file may name another process, for which PostgreSQL would give way."""
    pid_file = data / "postmaster.pid"
    try:
        pid = int(pid_file.read_text(encoding="utf-8").split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return
    if not _runs_on(pid, data):
        pid_file.unlink(missing_ok=True)


def _runs_on(pid: int, data: Path) -> bool:
    """Whether `pid` is a PostgreSQL of this folder (its working directory is its data)."""
    try:
        return Path(f"/proc/{pid}/cwd").resolve(strict=True) == data.resolve()
    except OSError:
        return False


def _postgres_is_ready(folder: Folder, pid: int) -> bool:
    try:
        lines = (folder.postgres / "postmaster.pid").read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return False
    return lines[0] == str(pid) and len(lines) > 7 and lines[7].strip() == "ready"


def _redis_is_ready(path: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(1)
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def _wait(
    process: Process, is_ready: Callable[[], bool], name: str, folder: Folder, log: Path
) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not is_ready():
        if process.poll() is not None:
            raise Trouble(
                f"{name} cannot start with the data in {folder.path}: "
                f"{_last_words(log)} (log: {log})."
            )
        if time.monotonic() > deadline:
            process.kill()
            raise Trouble(f"{name} did not get ready in {START_TIMEOUT_S:.0f} s (log: {log}).")
        time.sleep(_POLL_S)


def _fresh_log(path: Path) -> Path:
    if path.exists() and path.stat().st_size > LOG_BYTES:
        path.unlink()
    return path


def _last_words(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-40:]
    except OSError:
        return "it left no message"
    endings = [line for line in lines if any(word in line for word in _ENDINGS)]
    line = (endings or lines or ["it left no message"])[-1]
    for word in _ENDINGS:
        line = line.split(f"{word}:", 1)[-1]
    return line.split(" # ", 1)[-1].strip().rstrip(".")


_ENDINGS: Final = ("PANIC", "FATAL", "error", "Fatal", "Bad file format", "Can't", "denied")
