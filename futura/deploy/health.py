"""Is this process of the product well? For a container's health check; says nothing when it is.

python -m futura.deploy.health web            # the web process of this machine answers
python -m futura.deploy.health turns          # the worker of this machine shows signs of life
"""

from __future__ import annotations

import argparse
import http.client
import socket
import sys
import time
from typing import Final
from urllib.parse import urlsplit

from redis import Redis
from redis.exceptions import RedisError

from futura.env import env, secret

TIMEOUT_S: Final = 3.0
SILENT_S: Final = 15.0  # workers give a sign of life every two seconds (futura/heartbeats.py)
WORKERS: Final = "futura:workers"


def web(port: int) -> str:
    """What is wrong with the web process here; "" when it answers."""
    host = urlsplit(env.str("FUTURA_URL", "")).netloc or "localhost"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", "/healthz", headers={"Host": host})
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        return f"no answer: {error}"
    finally:
        connection.close()
    return "" if status == 200 else f"answered {status}"


def worker(queue: str) -> str:
    """What is wrong with this machine's worker on a queue; "" when it lives."""
    try:
        with Redis.from_url(secret("REDIS_URL"), socket_timeout=TIMEOUT_S) as client:
            signs = client.hgetall(WORKERS)
    except (RedisError, OSError) as error:
        return f"Redis does not answer: {error}"
    here = f"@{socket.gethostname()}"
    last = [
        float(at)
        for name, at in signs.items()
        if name.decode().startswith(f"{queue} ") and name.decode().endswith(here)
    ]
    silent_s = time.time() - max(last, default=0.0)
    return "" if silent_s < SILENT_S else "no sign of life"


def main() -> int:
    """0 when well, 1 with a word when not."""
    parser = argparse.ArgumentParser(prog="futura.deploy.health")
    parser.add_argument("part", choices=["web", "turns", "jobs"])
    parser.add_argument("--port", type=int, default=8000)
    requested = parser.parse_args()
    trouble = web(requested.port) if requested.part == "web" else worker(requested.part)
    if trouble:
        sys.stderr.write(f"{requested.part}: {trouble}\n")
    return int(bool(trouble))


if __name__ == "__main__":
    sys.exit(main())
