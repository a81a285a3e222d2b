"""Reads the environment: one typed reader per setting, secrets also from `*_FILE`."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from environs import Env

PROJECT_DIR = Path(__file__).resolve().parent.parent

env = Env()


def _read_env_file() -> None:
    """Lines of `.env` (or of the file FUTURA_ENV_FILE names) count where nothing else is set."""
    named = os.environ.get("FUTURA_ENV_FILE", "")
    file = Path(named) if named else PROJECT_DIR / ".env"
    try:
        if file.is_file():
            env.read_env(str(file), recurse=False)
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{file} cannot be read: {error}.") from error


_read_env_file()


def secret(name: str) -> str:
    """The value of `name`, or the contents of the file that `name`_FILE points to."""
    file = env.str(f"{name}_FILE", "")
    if not file:
        return str(env.str(name, ""))
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}_FILE points to {file}, which cannot be read: {error.strerror}."
        ) from error


def address(name: str, *, schemes: set[str]) -> str:
    """A secret that must be an address of one of `schemes` when it is set."""
    value = secret(name)
    try:
        is_allowed = urlsplit(value).scheme in schemes
    except ValueError:
        is_allowed = False
    if value and not is_allowed:
        allowed = ", ".join(f"{scheme}://" for scheme in sorted(schemes))
        raise ImproperlyConfigured(f"{name} must be an address that starts with {allowed}.")
    return value


@dataclass(frozen=True)
class MailServer:
    host: str
    port: int
    user: str
    password: str
    security: Literal["plain", "starttls", "tls"]


_MAIL_SCHEMES: Final[dict[str, tuple[Literal["plain", "starttls", "tls"], int]]] = {
    "smtp": ("plain", 25),
    "smtp+tls": ("starttls", 587),
    "smtps": ("tls", 465),
}


def mail_server(name: str) -> MailServer | None:
    """The server of an address like smtp+tls://user:password@host:587; None when not set."""
    value = address(name, schemes=set(_MAIL_SCHEMES))
    if not value:
        return None
    parts = urlsplit(value)
    security, port = _MAIL_SCHEMES[parts.scheme]
    return MailServer(
        host=parts.hostname or "localhost",
        port=parts.port or port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        security=security,
    )


@dataclass(frozen=True)
class Cap:
    """What one budget may spend in a calendar month, in US dollars; `cap` None is without end."""

    cap: Decimal | None
    warn_at: Decimal | None
    critical_at: Decimal | None


def monthly_cap(name: str, *, cap: str, warn_at: str = "", critical_at: str = "") -> Cap:
    """The cap of the variables that begin with `name`; "none" is no cap, 0 lets nothing out.

    Thresholds that are not given lie at 80 % and 95 % of the cap.
    """
    if cap.strip().lower() == "none":
        return Cap(None, None, None)
    whole = _dollars(f"{name}_USD", cap)
    limits = Cap(
        cap=whole,
        warn_at=_dollars(f"{name}_WARN_USD", warn_at or str(whole * Decimal("0.8"))),
        critical_at=_dollars(f"{name}_CRITICAL_USD", critical_at or str(whole * Decimal("0.95"))),
    )
    if not (limits.warn_at or 0) <= (limits.critical_at or 0) <= whole:
        raise ImproperlyConfigured(
            f"{name}_WARN_USD, {name}_CRITICAL_USD and {name}_USD must rise in this order."
        )
    return limits


def _dollars(name: str, value: str) -> Decimal:
    try:
        amount = Decimal(value.strip())
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0:
        raise ImproperlyConfigured(f"{name} must be an amount in US dollars, such as 10 or 9.5.")
    return amount


def local_secret(data_dir: Path) -> str:
    """A random secret kept in the data folder, made on first use; for the embedded setup only."""
    file = data_dir / "secret_key"
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        _write_new(file)
        return file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {data_dir} cannot be used: {error.strerror} ({error.filename}). "
            "Choose another with --data-dir or FUTURA_DATA_DIR."
        ) from error


def _write_new(file: Path) -> None:
    """Makes the secret whole or not at all, however many processes start at once."""
    if file.exists():
        return
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_text(secrets.token_urlsafe(50), encoding="utf-8")
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
