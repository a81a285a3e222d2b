"""Starts the product on several processes behind nginx until Ctrl-C."""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
from pathlib import Path

from tests.scale.cluster import Cluster, missing
from tests.scripted import ScriptedServer


def main() -> None:
    """Prints the address and the processes, waits for the end."""
    if reason := missing():
        sys.exit(reason)
    place = Path(tempfile.mkdtemp(prefix="futura-scale-"))
    with ScriptedServer(chunk_delay_s=0.05) as server:
        server.default_survey()
        cluster = Cluster(place, server)
        try:
            cluster.launch()
            print(f"{cluster.url}  (certificate: {cluster.certificate})")  # noqa: T201
            print(f"processes: {cluster.pids()}", flush=True)  # noqa: T201
            signal.sigwait({signal.SIGINT, signal.SIGTERM})
        finally:
            cluster.close()
            shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
