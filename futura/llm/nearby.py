"""Model servers on this machine: their usual ports, which of them answer, what `--model` names.

Known before Django is loaded: `up` looks while everything else starts.
"""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Final

LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {"ollama": "Ollama", "lmstudio": "LM Studio", "llamacpp": "llama.cpp"}
)
PORTS: Final[Mapping[str, int]] = MappingProxyType(
    {"ollama": 11434, "lmstudio": 1234, "llamacpp": 8080}
)
TIMEOUT_S: Final = 0.5
LARGEST_LIST: Final = 1_000_000
# The name goes to a terminal and into a command line; what has other characters is not offered.
NAME: Final = re.compile(r"[\w.:/+-]{1,120}", re.ASCII)


def base_url(port: int) -> str:
    return f"http://127.0.0.1:{port}/v1"


def ports_of(pairs: Sequence[str]) -> dict[str, int]:
    """The usual ports with those changed that are given as `name=port`. Raises ValueError."""
    ports = dict(PORTS)
    for item in pairs:
        name, _, port = item.strip().partition("=")
        if name not in PORTS or not port.isdecimal() or not 0 < int(port) < 65536:
            raise ValueError(f"{item!r} is not one of {', '.join(PORTS)} with a port, as ollama=1")
        ports[name] = int(port)
    return ports


def chosen(text: str, ports: Mapping[str, int]) -> tuple[str, str]:
    """The model that `--model` names as `ollama:NAME`, and its address. Raises ValueError."""
    server, _, name = text.partition(":")
    if server not in ports or not NAME.fullmatch(name):
        label = ", ".join(f"{port}:NAME" for port in ports)
        raise ValueError(f"{text!r} names no model; give {label}")
    return name, base_url(ports[server])


class Search:
    """Asks every known port at once, in threads of its own, from the moment it is made."""

    def __init__(self, ports: Mapping[str, int], *, timeout_s: float = TIMEOUT_S) -> None:
        self._threads = ThreadPoolExecutor(len(ports), thread_name_prefix="model search")
        self._models = {
            name: self._threads.submit(_model_at, port, timeout_s) for name, port in ports.items()
        }

    def first(self) -> tuple[str, str] | None:
        """The name of the first server that has a model, and the model; None where none has.

        Its threads have ended then.
        """
        self._threads.shutdown()
        models = ((name, answer.result()) for name, answer in self._models.items())
        return next(((name, model) for name, model in models if model), None)


def _model_at(port: int, timeout_s: float) -> str:
    server = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s)
    try:
        server.request("GET", "/v1/models")
        response = server.getresponse()
        is_there = response.status == http.HTTPStatus.OK
        return _first_model(response.read(LARGEST_LIST)) if is_there else ""
    except (OSError, http.client.HTTPException):
        return ""  # nobody there, or somebody who speaks otherwise
    finally:
        server.close()


def _first_model(payload: bytes) -> str:
    """The first model of a list that can talk, as far as its name tells; empty without one."""
    try:
        content = json.loads(payload)
        rows = content.get("data") or []
        names = [str(row["id"]) for row in rows]
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError):
        return ""
    usable = (name for name in names if NAME.fullmatch(name) and "embed" not in name.lower())
    return next(usable, "")
