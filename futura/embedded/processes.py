"""How processes of services are born, that none outlives its parent, and when they come again."""

from __future__ import annotations

import ctypes
import os
import pwd
import signal
import stat
import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from futura.embedded.folder import Trouble

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_SECUREBITS: Final = 28
_SECBIT_NO_SETUID_FIXUP: Final = 1 << 2
_PR_CAP_AMBIENT: Final = 47
_PR_CAP_AMBIENT_RAISE: Final = 2
_CAP_DAC_OVERRIDE: Final = 1
_CAPABILITY_VERSION_3: Final = 0x20080522

WINDOW_S: Final = 60.0
MOST_DEATHS: Final = 5
"""So many deaths of one part within WINDOW_S end everything: it would not come up."""
PAUSES_S: Final = (0.2, 1.0, 2.0, 4.0)

_libc = ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, first: int, second: int = 0) -> int:
    zero = ctypes.c_ulong(0)
    return int(_libc.prctl(option, ctypes.c_ulong(first), ctypes.c_ulong(second), zero, zero))


def dying_with_parent(number: signal.Signals) -> Callable[[], None]:
    """For a child, between fork and exec: the kernel (Linux) sends it `number` when we are gone."""
    parent = os.getpid()

    def prepare() -> None:
        if sys.platform == "linux":
            _prctl(_PR_SET_PDEATHSIG, int(number))
            if os.getppid() != parent:
                os._exit(1)

    return prepare


def everybody_can_reach(path: Path) -> bool:
    """Whether any user may walk to `path` and, for a program, run it."""
    resolved = path.resolve()
    needed = stat.S_IROTH | stat.S_IXOTH
    if resolved.is_file() and resolved.stat().st_mode & needed != needed:
        return False
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in resolved.parents)


def becoming(
    user: pwd.struct_passwd, *, needs_passage: bool, when_orphaned: signal.Signals
) -> Callable[[], None]:
    """For a child, between fork and exec: change to `user` (root only), and die with the parent.

    `needs_passage` leaves it one right of root, to pass folders that only root may enter (a clone
    in a home with mode 0700), so that no permission of the person's folders has to be widened.
    """
    die_with_parent = dying_with_parent(when_orphaned)

    def prepare() -> None:
        if os.geteuid() == 0 and user.pw_uid != 0:
            if needs_passage and sys.platform == "linux":
                # rights then outlive the change of user; all but one are given up right after
                _prctl(_PR_SET_SECUREBITS, _SECBIT_NO_SETUID_FIXUP)
            os.setgroups([])
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
            if needs_passage and sys.platform == "linux":
                _keep_passage()
        os.umask(0o077)
        die_with_parent()

    return prepare


def _keep_passage() -> None:
    """Gives up every right but the one to pass closed folders, which the exec then keeps."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    for stored in (1 << _CAP_DAC_OVERRIDE, 0):
        # two halves of: effective, permitted, inheritable
        sets = (ctypes.c_uint32 * 6)(stored, stored, stored, 0, 0, 0)
        if _libc.capset(header, sets) == 0:
            break
    else:
        os._exit(1)
    _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, _CAP_DAC_OVERRIDE)


class Restarts:
    """The deaths of each part in the last minute."""

    def __init__(self) -> None:
        self._deaths: defaultdict[str, deque[float]] = defaultdict(deque)

    def after_death(self, name: str, reason: str) -> tuple[float, str]:
        """Counts a death: seconds until the part is started again, and the sentence about it.

        Raises Trouble when it has died too often.
        """
        now = time.monotonic()
        deaths = self._deaths[name]
        deaths.append(now)
        while deaths[0] <= now - WINDOW_S:
            deaths.popleft()
        if len(deaths) >= MOST_DEATHS:
            raise Trouble(f"{name} ended ({reason}), {MOST_DEATHS} times within {WINDOW_S:.0f} s.")
        pause_s = PAUSES_S[len(deaths) - 1]
        return pause_s, f"{name} ended ({reason}); it is started again in {pause_s:g} s."


def ending_of(code: int) -> str:
    """How a process ended, in words: its exit code, or the signal that ended it."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
