"""The process that owns the embedded services: up while somebody uses them, down after the last.

Run as `python -m futura.embedded.keeper SOCKET FOLDER PostgreSQL Redis`, with the number of the
socket on which it listens. Users hold a connection for as long as they need the services; the
kernel closes it however they end, so nothing is ever left running or counted twice. What it says
there, a line each:

    ready             the services answer
    failed SENTENCE   to who started it: they cannot run
    lost NAME REASON  a service ended by itself; the other one is being stopped
    kept | stopped    answer to a user who leaves (half-closes): others remain, or all is down
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fcntl
import shutil
import signal
import socket
from collections.abc import Collection
from pathlib import Path
from typing import Final

from futura.embedded import daemons
from futura.embedded.folder import Folder, Trouble
from futura.embedded.processes import ending_of

# how long a keeper waits for who started it
FIRST_USER_S: Final = 15.0
LOOK_S: Final = 0.05


class Keeper:
    """Two services, those who use them, and how it all ends.

    The services inherit `lock`: who takes it next knows that they are gone, too.
    """

    def __init__(self, folder: Folder, *, parts: Collection[str], durable: bool, lock: int) -> None:
        self.folder = folder
        self.parts = parts
        self.durable = durable
        self.lock = lock
        self.running: dict[str, daemons.Process] = {}
        self.users: set[asyncio.StreamWriter] = set()
        self.end: asyncio.Future[str]  # the last word to the users

    async def run(self, listener: socket.socket, starter: socket.socket) -> None:
        """Starts the services, serves until the last user has left or a service has ended."""
        loop = asyncio.get_running_loop()
        self.end = loop.create_future()
        loop.add_signal_handler(signal.SIGTERM, self._end, "lost keeper told to stop")
        try:
            for name in self.parts:
                self.running[name] = daemons.START[name](
                    self.folder, durable=self.durable, inherited=[self.lock]
                )
            server = await asyncio.start_unix_server(self._serve, sock=listener)
            tasks = [
                asyncio.create_task(self._serve(*await asyncio.open_connection(sock=starter))),
                asyncio.create_task(self._watch()),
            ]
            farewell = await self.end
            server.close()
            tasks[-1].cancel()
            self._tell(farewell)
        except Trouble as trouble:
            sentence = " ".join(str(trouble).split())
            starter.sendall(f"failed {sentence}\n".encode())
        finally:
            self._stop()
        self._tell("stopped")
        for user in self.users:
            user.close()

    async def _serve(self, user: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        """One user, from the greeting until it leaves."""
        if self.end.done():  # whoever comes now starts another keeper
            answers.close()
            return
        self.users.add(answers)
        answers.write(b"ready\n")
        with contextlib.suppress(OSError):
            await user.read()
        if len(self.users) == 1:
            self._end("")  # it is told when all is down
            return
        self.users.discard(answers)
        answers.write(b"kept\n")
        answers.close()

    async def _watch(self) -> None:
        while True:
            for name, process in self.running.items():
                if (code := process.poll()) is not None:
                    self._end(f"lost {name} {ending_of(code)}")
                    return
            await asyncio.sleep(LOOK_S)

    def _stop(self) -> None:
        for name, process in self.running.items():
            daemons.stop(process, *daemons.ENDINGS[name])
        if not self.durable:
            shutil.rmtree(self.folder.path, ignore_errors=True)
            shutil.rmtree(self.folder.sockets, ignore_errors=True)

    def _end(self, farewell: str) -> None:
        if not self.end.done():
            self.end.set_result(farewell)

    def _tell(self, text: str) -> None:
        for user in self.users if text else ():
            user.write(text.encode() + b"\n")


def main() -> None:
    """Runs a keeper; a second one over the same folder waits until the first is gone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("socket", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="+", choices=daemons.START)
    parser.add_argument("--throwaway", action="store_true", help="no fsync; folder goes at the end")
    arguments = parser.parse_args()
    folder = Folder(arguments.folder)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with (
        socket.socket(fileno=arguments.socket) as listener,
        (folder.sockets / "keeper.lock").open("w") as lock,
    ):
        listener.settimeout(FIRST_USER_S)
        starter, _ = listener.accept()
        fcntl.flock(lock, fcntl.LOCK_EX)
        keeper = Keeper(
            folder,
            parts=arguments.parts,
            durable=not arguments.throwaway,
            lock=lock.fileno(),
        )
        asyncio.run(keeper.run(listener, starter))


if __name__ == "__main__":
    main()
