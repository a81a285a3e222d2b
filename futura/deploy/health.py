"""Does the web process of this container answer? For its health check; says nothing when it does.

python -m futura.deploy.health web
"""

from __future__ import annotations

import argparse
import sys
from typing import Final
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from futura.env import env

TIMEOUT_S: Final = 3.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="futura.deploy.health")
    parser.add_argument("part", choices=["web"])
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args().port
    host = urlsplit(env.str("FUTURA_URL", "")).netloc or "localhost"
    address = f"http://127.0.0.1:{port}/healthz"
    try:
        urlopen(Request(address, headers={"Host": host}), timeout=TIMEOUT_S).close()
    except OSError as error:
        sys.exit(f"web: no answer: {error}")


if __name__ == "__main__":
    main()
