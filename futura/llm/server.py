"""The model server in use: the environment's, else the one that administrators saved.

What was saved is read once by each process, and again after a change: Redis holds the mark of the
latest one, and is asked for it at most once in `LOOK_S`. A call makes no query for it.
"""

from __future__ import annotations

import base64
import logging
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import SynchronousOnlyOperation
from django.db import DatabaseError, InterfaceError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from futura.errors import Conflict, Unavailable
from futura.llm import nearby, shared
from futura.llm.models import ModelServer

if TYPE_CHECKING:  # loaded with the first key
    from cryptography.fernet import MultiFernet

log = logging.getLogger(__name__)

LOOK_S: Final = 1.0
MARK: Final = "futura:model-server"
_NEVER_CHANGED: Final = "0"
_PURPOSE: Final = b"futura: key of the model server"
PATIENCE_AT_HOME: Final = 6.0
"""A model on this machine reads and writes by its processor: a tenth as fast as a hosted one."""
_AT_HOME: Final = frozenset({"localhost", "127.0.0.1", "::1", "host.docker.internal"})


@dataclass(frozen=True)
class Server:
    """Where model calls go, and how; without key and address they go nowhere.

    `model` answers in place of the stages' own models, embeddings apart; empty leaves each its own.
    """

    base_url: str = ""
    key: str = field(default="", repr=False)
    wire: str = "responses"
    model: str = ""

    @property
    def is_configured(self) -> bool:
        return bool(self.key or self.base_url)

    @property
    def patience(self) -> float:
        """What every wait for its words is multiplied by (FUTURA_LLM_PATIENCE)."""
        is_at_home = urlsplit(self.base_url).hostname in _AT_HOME
        return settings.LLM_PATIENCE or (PATIENCE_AT_HOME if is_at_home else 1.0)


@dataclass
class Known:
    """What this process knows of the saved server, as of which change; None: not read yet."""

    server: Server = Server()
    mark: str | None = None
    look_at: float = 0.0


_known = Known()
_tried: ContextVar[Server | None] = ContextVar("model_server", default=None)


# Reading --------------------------------------------------------------------------------------
def current() -> Server:
    """The server that calls of this context go to."""
    if (tried := _tried.get()) is not None:
        return tried
    if is_from_environment():
        return Server(settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, settings.LLM_WIRE)
    if (now := time.monotonic()) >= _known.look_at:
        _known.look_at = now + LOOK_S
        _look()
    return _known.server


def is_from_environment() -> bool:
    """Whether key or address are set in the environment, which wins."""
    return bool(settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL)


@contextmanager
def trying(server: Server) -> Iterator[None]:
    """Calls of this context go to another server, to see what it can do."""
    token = _tried.set(server)
    try:
        yield
    finally:
        _tried.reset(token)


def saved() -> ModelServer | None:
    """What administrators saved, in use or not; one query."""
    return ModelServer.objects.first()


def key_of(row: ModelServer) -> str | None:
    """The key as it was given; None where none of the secret keys opens it."""
    from cryptography.fernet import InvalidToken

    if not row.sealed_key:
        return ""
    try:
        return _box().decrypt(row.sealed_key.encode()).decode()
    except InvalidToken:
        return None


def _look() -> None:
    """Reads the row again where its mark has changed; nothing where the database is away."""
    unknown = _known.mark or _NEVER_CHANGED
    mark = shared.asked(lambda redis: str(redis.get(MARK) or _NEVER_CHANGED), unknown)
    if mark == _known.mark:
        return
    try:
        row = ModelServer.objects.filter(is_active=True).first()
    except (DatabaseError, InterfaceError, SynchronousOnlyOperation) as error:
        log.warning("the saved model server was not read: %s", type(error).__name__)
        return
    _known.server, _known.mark = _server_of(row), mark


def _server_of(row: ModelServer | None) -> Server:
    if row is None:
        return Server(wire=settings.LLM_WIRE)
    key = key_of(row)
    if key is None:
        log.warning("the saved key of the model server cannot be read: SECRET_KEY has changed")
    return Server(row.base_url, key or "", row.wire, row.model)


# Writing --------------------------------------------------------------------------------------
def save(
    *, provider: str, base_url: str, model: str, key: str, seen: str | None = None
) -> ModelServer:
    """Puts a server into use. Without a new key the old one stays, but only at its own address.

    The protocol is the one that every server of the kind knows, until a test finds a better one.
    `seen` is the `state` that was on the page. Raises Conflict where somebody changed it meanwhile,
    Unavailable where the other processes cannot be told.
    """
    with transaction.atomic():
        row = _unchanged(seen) or ModelServer(pk=1)
        local = nearby.PORTS.get(provider)
        address = base_url or (nearby.base_url(local) if local else "")
        if key:
            row.sealed_key = _box().encrypt(key.encode()).decode()
        elif address != row.base_url:
            row.sealed_key = ""
        if (provider, address) != (row.provider, row.base_url):
            row.wire = "chat" if address else "responses"
        row.provider, row.base_url, row.model = provider, address, model
        _written(row, is_active=True)
    return row


def use_wire(wire: str) -> None:
    """Notes the protocol that a test found to be the better one."""
    with transaction.atomic():
        row = _locked()
        if row is not None and row.wire != wire:
            row.wire = wire
            _written(row, is_active=row.is_active)


def clear(*, seen: str | None = None) -> bool:
    """Takes the server out of use and deletes its key for good; address and model stay to be saved
    again. Whether there was anything to clear. Raises as `save` does.
    """
    with transaction.atomic():
        row = _unchanged(seen)
        if row is None or not (row.sealed_key or row.is_active):
            return False
        row.sealed_key = ""
        _written(row, is_active=False)
        return True


def state(row: ModelServer | None) -> str:
    """Another one after every change."""
    return row.changed_at.isoformat() if row else ""


def _unchanged(seen: str | None) -> ModelServer | None:
    row = _locked()
    if row is not None and seen is not None and seen != state(row):
        text = _("Someone else has changed these settings. Saved now: %(server)s, %(model)s")
        raise Conflict(text % {"server": row.base_url or row, "model": row.model or "–"})
    return row


def _locked() -> ModelServer | None:
    return ModelServer.objects.select_for_update().first()


def _written(row: ModelServer, *, is_active: bool) -> None:
    """Stores the row and has every process read it: told before the commit, so that a change of
    which they could not hear is not made, and after it, when there is something to read.
    """
    row.is_active, row.changed_at = is_active, timezone.now()
    row.save()
    _announce()
    transaction.on_commit(_announce)


def _announce() -> None:
    mark = uuid.uuid4().hex
    if not shared.asked(lambda redis: bool(redis.set(MARK, mark)), False):
        raise Unavailable
    _known.mark, _known.look_at = None, 0.0


def _box() -> MultiFernet:
    """What seals the key: with the SECRET_KEY of this installation. Earlier ones open it, too."""
    from cryptography.fernet import Fernet, MultiFernet
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    def box(secret: str) -> Fernet:
        derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE)
        return Fernet(base64.urlsafe_b64encode(derived.derive(secret.encode())))

    return MultiFernet(map(box, [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]))
