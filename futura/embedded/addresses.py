"""Where the embedded PostgreSQL and Redis of a data folder listen, known without starting them."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

# A socket's whole path may have 107 bytes; the longest name we append has 20.
_LONGEST_FOLDER: Final = 80
_PLAIN: Final = re.compile(r"[\w./+-]+", re.ASCII)
POOL_SIZE: Final = 20
POOL_WAIT_S: Final = 10.0
PREPARE_AFTER: Final = 2
# Else the server plans a prepared statement five times more before it keeps a plan. All of ours
# look rows up by their keys, whatever these are; in a burst of 40 answers, whose connections are
# many and new, this spares the server a quarter of its time and the first word a sixth of its wait.
GENERIC_PLANS: Final = "-c plan_cache_mode=force_generic_plan"


def socket_dir(data_dir: Path) -> Path:
    """Folder of the sockets; a short plain one when the path is too long or odd for sockets."""
    inside = data_dir.absolute() / "run"
    if len(str(inside)) <= _LONGEST_FOLDER and _PLAIN.fullmatch(str(inside)):
        return inside
    digest = hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:16]
    return Path("/tmp") / f"futura-{digest}"  # noqa: S108 (made 0700 and checked for its owner)


def database_url(data_dir: Path) -> str:
    """Address of the embedded PostgreSQL."""
    return f"postgresql://postgres@/futura?host={socket_dir(data_dir)}"


def redis_socket(data_dir: Path) -> Path:
    return socket_dir(data_dir) / "redis.sock"


def redis_url(data_dir: Path) -> str:
    """Address of the embedded Redis, as redis-py and Django's cache read it."""
    return f"unix://{redis_socket(data_dir)}?db=0"


def celery_url(url: str) -> str:
    """The same Redis as Celery's transport writes it: sockets have a scheme of their own."""
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    query = parse_qs(parts.query)
    database = query.get("db", ["0"])[-1]
    login = f"{parts.netloc}" if parts.netloc.endswith("@") else ""
    return f"redis+socket://{login}{quote(parts.path)}?virtual_host={database}"


def django_database(url: str, *, pool_size: int = POOL_SIZE) -> dict[str, Any]:
    """Django's settings for a database address, as libpq reads it: with several hosts, by commas,
    it goes to the first that can be used. Raises ImproperlyConfigured.

    What `futura.statements` asks on one connection more often than `PREPARE_AFTER` times the server
    plans once, for whatever values.
    """
    try:
        given = conninfo_to_dict(url)
    except ProgrammingError:  # whose words may quote the password
        raise ImproperlyConfigured(
            "DATABASE_URL cannot be read. Write it as postgresql://user:password@host:5432/name, "
            "with %40 for an @ in the password and the like."
        ) from None
    return {
        "ENGINE": "futura.postgresql",
        "NAME": given.pop("dbname", "futura"),
        "USER": given.pop("user", ""),
        "PASSWORD": given.pop("password", ""),
        "HOST": given.pop("host", ""),
        "PORT": given.pop("port", ""),
        "CONN_MAX_AGE": 0,
        # the pool tries a connection before it hands it out: after a restart of the database all
        # of them are dead, and each would cost somebody an error
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "pool": {
                "min_size": 0,
                "max_size": pool_size,
                "timeout": POOL_WAIT_S,
                # the pool tries again after 1, 2, 4 … s; left to its five minutes, pages would be
                # refused for half a minute after the database is back
                "reconnect_timeout": POOL_WAIT_S,
            },
            "prepare_threshold": PREPARE_AFTER,
            "options": GENERIC_PLANS,
            **given,
        },
    }
