"""The process that owns the embedded services: up while somebody uses them, down after the last.

Run as `python -m futura.embedded.keeper FOLDER PostgreSQL Redis`; its first line of output is
`ready`, or `failed SENTENCE`. Users connect to its socket and hold the connection for as long as
they need the services; the kernel closes it however they end, so nothing is ever left running or
counted twice. What it says there, a line each:

    ready NAMES       these services answer
    again SENTENCE    a service ended by itself; it is started again over its data
    lost SENTENCE     a service ended too often; the other one is being stopped
    kept | stopped    answer to a user who leaves (half-closes): others remain, or all is down
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fcntl
import os
import shutil
import signal
from collections.abc import Collection
from pathlib import Path
from typing import Final

from futura.embedded import daemons
from futura.embedded.folder import Folder, Trouble
from futura.embedded.processes import Restarts, ending_of

# how long a keeper that nobody has spoken to waits for its first user
FIRST_USER_S: Final = 15.0
LOOK_S: Final = 0.05
TOLD_TO_STOP: Final = "lost The embedded services were told to stop."


class Keeper:
    """Two services, those who use them, and how it all ends."""

    def __init__(self, folder: Folder, *, parts: Collection[str], durable: bool) -> None:
        self.folder = folder
        self.parts = parts
        self.durable = durable
        self.running: dict[str, daemons.Process] = {}
        self.restarts = Restarts()
        self.users: set[asyncio.StreamWriter] = set()
        self.had_users = False
        self.end: asyncio.Future[str]  # the last word to the users

    async def run(self) -> None:
        """Starts the services, serves until the last user has left or a service will not run.

        Raises Trouble when they do not start.
        """
        loop = asyncio.get_running_loop()
        self.end = loop.create_future()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end, TOLD_TO_STOP)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            for name in self.parts:
                self._start(name)
            place = self.folder.keeper_socket
            place.unlink(missing_ok=True)
            server = await asyncio.start_unix_server(self._serve, place)
            print("ready", flush=True)  # noqa: T201 (to who started it)
            os.dup2(2, 1)
            loop.call_later(FIRST_USER_S, self._end_unused)
            keeping = [asyncio.create_task(self._keep(name)) for name in self.parts]
            farewell = await self.end
            place.unlink(missing_ok=True)
            server.close()
            for task in keeping:
                task.cancel()
            if farewell != "stopped":
                self._tell(farewell)
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
        self.had_users = True
        self.users.add(answers)
        answers.write(f"ready {' '.join(self.parts)}\n".encode())
        with contextlib.suppress(OSError):
            await user.read()
        if len(self.users) == 1:
            self._end("stopped")  # it is told when all is down
            return
        self.users.discard(answers)
        answers.write(b"kept\n")
        answers.close()

    async def _keep(self, name: str) -> None:
        """Starts a service again whenever it ends by itself, but not without end."""
        while True:
            while (code := self.running[name].poll()) is None:
                await asyncio.sleep(LOOK_S)
            reason = ending_of(code)
            while reason:
                try:
                    pause_s, notice = self.restarts.after_death(name, reason)
                except Trouble as trouble:
                    self._end(f"lost {trouble}")
                    return
                self._tell(f"again {notice}")
                await asyncio.sleep(pause_s)
                try:
                    self._start(name)
                    reason = ""
                except Trouble as trouble:
                    reason = str(trouble).rstrip(".")

    def _start(self, name: str) -> None:
        self.running[name] = daemons.START[name](self.folder, durable=self.durable)

    def _stop(self) -> None:
        for name, process in self.running.items():
            daemons.stop(process, *daemons.ENDINGS[name])
        if not self.durable:
            shutil.rmtree(self.folder.path, ignore_errors=True)
            shutil.rmtree(self.folder.sockets, ignore_errors=True)

    def _end(self, farewell: str) -> None:
        if not self.end.done():
            self.end.set_result(farewell)

    def _end_unused(self) -> None:
        if not self.had_users:
            self._end("stopped")

    def _tell(self, text: str) -> None:
        for user in self.users:
            user.write(text.replace("\n", " ").encode() + b"\n")


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
        keeper = Keeper(folder, parts=arguments.parts, durable=not arguments.throwaway)
        try:
            asyncio.run(keeper.run())
        except Trouble as trouble:
            print(f"failed {trouble}".replace("\n", " "), flush=True)  # noqa: T201 (the same)


if __name__ == "__main__":
    main()
