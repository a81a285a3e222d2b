"""Asks a web process of this machine whether everything it needs is there."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

TIMEOUT_S = 5
LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 (asked, not served)


def readiness(host: str, port: int, site: str) -> tuple[bool, dict[str, Any]]:
    """Whether /readyz says yes, and its parts by name; {} while nothing answers.

    `site` is the address that the process is served under.
    """
    web = http.client.HTTPConnection(LOOPBACK.get(host, host), port, timeout=TIMEOUT_S)
    try:
        web.request("GET", "/readyz", headers={"Host": urlsplit(site).netloc})
        response = web.getresponse()
        return response.status == http.HTTPStatus.OK, json.loads(response.read())
    except (OSError, http.client.HTTPException, ValueError):
        return False, {}
    finally:
        web.close()
