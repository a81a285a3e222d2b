"""Reads the environment: one typed reader per setting, secrets also from `*_FILE`."""

from __future__ import annotations

import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from environs import Env

env = Env()
env.read_env(str(Path(__file__).resolve().parent.parent / ".env"), recurse=False)


def secret(name: str, default: str = "") -> str:
    """The value of `name`, or the contents of the file that `name`_FILE points to."""
    file = env.str(f"{name}_FILE", "")
    if not file:
        return str(env.str(name, default))
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}_FILE points to {file}, which cannot be read: {error.strerror}."
        ) from error


def local_secret(data_dir: Path) -> str:
    """A random secret kept in the data folder, made on first use; for the embedded setup only."""
    file = data_dir / "secret_key"
    try:
        return file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        data_dir.mkdir(parents=True, exist_ok=True)
        value = secrets.token_urlsafe(50)
        file.touch(mode=0o600)
        file.write_text(value, encoding="utf-8")
        return value
