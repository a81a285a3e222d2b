"""Looks at the machine's processes, for tests that end some of them."""

import os
import time
from pathlib import Path


def of_folder(folder: Path) -> list[int]:
    """Processes that work in a data folder: by environment, command or working directory."""
    mark = str(folder).encode()
    return [pid for pid in _all() if pid != os.getpid() and mark in _traces(pid)]


def await_none(folder: Path, *, within_s: float = 60.0) -> None:
    """Waits until no process of the folder is left; fails with those that stay."""
    deadline = time.monotonic() + within_s
    while left := of_folder(folder):
        assert time.monotonic() < deadline, [_traces(pid)[:300] for pid in left]
        time.sleep(0.05)


def parent_of(pid: int) -> int:
    """The process that started `pid`."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split("PPid:")[1].split()[0])


def _all() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _traces(pid: int) -> bytes:
    place = Path(f"/proc/{pid}")
    try:
        if b"State:\tZ" in (place / "status").read_bytes():
            return b""
        found = (place / "cmdline").read_bytes() + b"\0" + (place / "environ").read_bytes()
        return found + os.fsencode((place / "cwd").readlink())
    except OSError:
        return b""
