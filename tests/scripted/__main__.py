"""Runs the scripted server as a process: `python -m tests.scripted --port N`."""

from __future__ import annotations

import argparse
import signal
import threading

from tests.scripted.server import ScriptedServer


def main() -> None:
    """Plays the models of survey and agent until it is interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tests.scripted", description=main.__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--chunk-delay-ms", type=float, default=0.0)
    given = parser.parse_args()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    server = ScriptedServer(port=given.port, chunk_delay_s=given.chunk_delay_ms / 1000)
    with server.default_survey().default_agent():
        print(f"OPENAI_BASE_URL={server.base_url}", flush=True)  # noqa: T201
        stop.wait()


if __name__ == "__main__":
    main()
