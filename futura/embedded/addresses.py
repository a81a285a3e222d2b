"""Where the embedded PostgreSQL and Redis of a data folder listen, known without starting them."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit


def socket_dir(data_dir: Path) -> Path:
    """Folder of the sockets; a short one elsewhere when the path is too long for a socket."""
    inside = data_dir / "run"
    if len(str(inside)) < 80:
        return inside
    digest = hashlib.sha256(str(data_dir).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"futura-{digest}"


def database_url(data_dir: Path) -> str:
    """Address of the embedded PostgreSQL."""
    return f"postgresql://postgres@/futura?host={socket_dir(data_dir)}"


def redis_url(data_dir: Path) -> str:
    """Address of the embedded Redis."""
    return f"unix://{socket_dir(data_dir)}/redis.sock?db=0"


def django_database(url: str) -> dict[str, Any]:
    """Django's settings for a database address."""
    parts = urlsplit(url)
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.lstrip("/") or "futura",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.pop("host", "") or parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,
        "OPTIONS": {"pool": {"min_size": 0, "max_size": 20}, **query},
    }
