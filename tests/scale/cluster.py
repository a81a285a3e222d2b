"""The product as on several machines, here on loopback: what compose.yaml starts, behind nginx.

Two web processes behind nginx with production's configuration (TLS with a certificate of its own),
two workers for answers, one for jobs, the clock, one PostgreSQL and one Redis. The commands are
those of compose.yaml. By hand, with the scripted model behind it:

    python -m tests.scale
"""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import string
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from futura.embedded import addresses, daemons, folder
from tests.scripted import ScriptedServer
from tests.stack import READY_TIMEOUT_S, Stack, free_port

PROJECT = Path(__file__).resolve().parents[2]
TEMPLATE = PROJECT / "futura" / "deploy" / "nginx.conf.template"
WEBS = ("web-1", "web-2")
WORKERS = ("turns-1", "turns-2", "jobs")
# What nginx's own main file holds in production (its image's), as little as it takes.
MAIN = """
daemon off;
$user
pid $folder/nginx.pid;
error_log $folder/nginx-errors.log warn;
events { worker_connections 1024; }
http {
    include /etc/nginx/mime.types;
    client_body_temp_path $folder/nginx-body;
    proxy_temp_path $folder/nginx-proxy;
    fastcgi_temp_path $folder/nginx-fastcgi;
    uwsgi_temp_path $folder/nginx-uwsgi;
    scgi_temp_path $folder/nginx-scgi;
    include $folder/futura.conf;
}
"""


def missing() -> str:
    """What this machine lacks to run it; "" when nothing."""
    lacking = [name for name in ("nginx", "openssl") if _program(name) is None]
    return f"no {' and no '.join(lacking)} on this machine" if lacking else ""


def _program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


@cache
def compose() -> dict[str, Any]:
    """compose.yaml."""
    found: dict[str, Any] = yaml.safe_load((PROJECT / "compose.yaml").read_text(encoding="utf-8"))
    return found


def command_of(service: str, **changes: str) -> list[str]:
    """A service's command for this machine; each change replaces one word of it."""
    words = [str(word) for word in compose()["services"][service]["command"]]
    for old, new in changes.items():
        words = [new if word == old else word for word in words]
    return [sys.executable if word == "python" else word for word in words]


class Cluster(Stack):
    """Made, launched and closed like a Stack; see `tests.scale.conftest`."""

    def __init__(self, place: Path, scripted: ScriptedServer | None) -> None:
        super().__init__(place, scripted)
        self._leaving: dict[str, subprocess.Popen[bytes]] = {}
        self.more: dict[str, str] = {}  # for processes that are started from now on
        self.ports = {name: free_port() for name in WEBS}
        self.port, self.tls_port, self.plain_port = self.ports["web-1"], free_port(), free_port()
        self.url = f"https://localhost:{self.tls_port}"
        self._services = folder.prepare(place)
        self._ending = ExitStack()
        self._programs: dict[str, Sequence[str]] = {}
        for name, port in self.ports.items():
            self._programs[name] = command_of(name, **{"0.0.0.0": "127.0.0.1", "8000": str(port)})
        for name in WORKERS:
            self.hire(name)
        self._programs["beat"] = command_of("beat", **{"/tmp/beat": str(place / "beat")})

    @property
    def certificate(self) -> Path:
        """What clients have to trust."""
        return self.folder / "certificate.pem"

    def trusting(self) -> ssl.SSLContext:
        """For clients of nginx."""
        return ssl.create_default_context(cafile=str(self.certificate))

    @property
    def environment(self) -> dict[str, str]:
        """As compose.yaml sets it, with addresses of this machine."""
        own = super().environment
        del own["FUTURA_STATIC_MANIFEST"]
        return own | {
            "DATABASE_URL": addresses.database_url(self.folder),
            "REDIS_URL": addresses.redis_url(self.folder),
            "SECRET_KEY": "only for tests " * 5,
            "FUTURA_URL": self.url,
            "FUTURA_PROXIES": "127.0.0.1",
            "FUTURA_STATIC_ROOT": str(self.folder / "static"),
            "FUTURA_LLM_BACKOFF_S": "0.05",
            **self.more,
        }

    def hire(self, name: str) -> None:
        """A worker of that name, to be started: `turns-3` serves the queue `turns`."""
        queue = name.partition("-")[0]
        self._programs[name] = command_of(queue, **{f"{queue}@%h": f"{name}@%h"})

    def launch(self) -> None:
        """Everything, nginx last."""
        self.postgres = daemons.start_postgres(self._services, durable=False)
        self._ending.callback(daemons.stop, self.postgres, *daemons.ENDINGS["PostgreSQL"])
        self.redis = daemons.start_redis(self._services, durable=False)
        self._ending.callback(daemons.stop, self.redis, *daemons.ENDINGS["Redis"])
        self.manage("collectstatic", "--noinput", "--verbosity", "0")
        super().launch()
        self.start_nginx()

    def start_nginx(self) -> None:
        """nginx with the product's configuration; returns when it takes connections."""
        self._certify()
        (self.folder / "futura.conf").write_text(_rendered(self._names()), encoding="utf-8")
        user = "user root;" if self._is_root() else ""
        main = string.Template(MAIN).substitute(folder=self.folder, user=user)
        (self.folder / "nginx.conf").write_text(main, encoding="utf-8")
        nginx = str(_program("nginx"))
        self._programs["nginx"] = [nginx, "-c", str(self.folder / "nginx.conf")]
        self._run(*self._programs["nginx"], "-t")
        self._spawn("nginx")
        self._await_port(self.tls_port)

    def _is_root(self) -> bool:
        return self.folder.stat().st_uid == 0

    def _names(self) -> dict[str, str]:
        """What compose.yaml gives the image of nginx, for this machine."""
        options = "max_fails=1 fail_timeout=2s"
        return {
            "NGINX_NAME": "localhost",
            "NGINX_PLAIN_PORT": f"127.0.0.1:{self.plain_port}",
            "NGINX_TLS_PORT": f"127.0.0.1:{self.tls_port}",
            "NGINX_WEB": " ".join(f"server 127.0.0.1:{p} {options};" for p in self.ports.values()),
            "NGINX_CERTIFICATE": str(self.certificate),
            "NGINX_KEY": str(self.folder / "key.pem"),
            "NGINX_CACHE": str(self.folder / "cache"),
            "NGINX_LOG": str(self.folder / "access.log"),
        }

    def _certify(self) -> None:
        """A certificate for localhost."""
        subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        files = ("-keyout", str(self.folder / "key.pem"), "-out", str(self.certificate))
        subprocess.run(
            [str(_program("openssl")), "req", "-x509", "-days", "2", *kind, *files, *subject],
            check=True,
            capture_output=True,
        )

    def await_ready(self) -> None:
        """Both web processes would serve, and every worker that was started shows signs of life."""
        started = sum(name.startswith("turns") for name in self._running)

        def is_ready() -> bool:
            for name, process in self._running.items():
                assert process.poll() is None, f"{name} ended:\n{self.logs(name)}"
            return all(
                status == 200 and parts["workers"]["turns"] >= started
                for status, parts in map(self._readiness, self._serving())
            )

        self.await_true(is_ready)

    def _serving(self) -> list[int]:
        return [port for name, port in self.ports.items() if name in self._running]

    def _readiness(self, port: int) -> tuple[int, dict[str, Any]]:
        self.port = port
        return self.readiness()

    def _await_port(self, port: int) -> None:
        def is_open() -> bool:
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        self.await_true(is_open)

    def await_true(self, is_so: Callable[[], bool]) -> None:
        """Waits until something is so; fails with the logs."""
        deadline = time.monotonic() + READY_TIMEOUT_S
        while not is_so():
            if time.monotonic() > deadline:
                states = [self._readiness(port) for port in self._serving()]
                raise AssertionError([states, {item: self.logs(item) for item in self._running}])
            time.sleep(0.02)

    def ask_to_end(self, *names: str) -> None:
        """SIGTERM, without waiting."""
        for name in names:
            self._leaving[name] = self._running.pop(name)
            self._leaving[name].terminate()

    def await_end(self, name: str, *, within_s: float) -> int:
        """The exit code of a process that was asked to end."""
        code = self._leaving[name].wait(within_s)
        del self._leaving[name]
        return code

    def pids(self) -> dict[str, int]:
        """Every process of the product by name; nginx's workers are its children."""
        return {name: process.pid for name, process in self._running.items()}

    def requests(self, path: str) -> list[dict[str, str]]:
        """What nginx logged of requests for a path."""
        lines = (self.folder / "access.log").read_text(encoding="utf-8").splitlines()
        return [told for told in map(json.loads, lines) if told["path"].startswith(path)]

    def upstreams(self, path: str) -> list[str]:
        """Which web processes answered requests for a path, in nginx's words."""
        return [told["upstream"].split()[-1] for told in self.requests(path) if told["upstream"]]

    def close(self) -> None:
        """Ends the processes, then the services."""
        with self._ending:
            self._running |= self._leaving
            super().close()


def _rendered(names: Mapping[str, str]) -> str:
    """The configuration with the names filled in, as the image of nginx does it."""
    text = TEMPLATE.read_text(encoding="utf-8")
    for name, value in names.items():
        text = text.replace(f"${{{name}}}", value)
    return text
