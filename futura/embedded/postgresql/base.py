"""Django's PostgreSQL engine over the embedded server, which the first connection starts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.postgresql import client

from futura.embedded import services
from futura.embedded.folder import Trouble, postgres_binaries
from futura.postgresql import base


def _ensure() -> None:
    try:
        services.ensure(settings.DATA_DIR, settings.EMBEDDED_PARTS)
    except Trouble as trouble:
        raise ImproperlyConfigured(str(trouble)) from trouble


class DatabaseClient(client.DatabaseClient):
    """`manage.py dbshell` with the packaged psql."""

    executable_name = str(postgres_binaries() / "psql")

    def runshell(self, parameters: Iterable[str]) -> None:
        """Opens psql on the embedded database."""
        _ensure()
        super().runshell(list(parameters))


class DatabaseWrapper(base.DatabaseWrapper):
    """Connects to the embedded PostgreSQL and starts it when it is not running."""

    client_class = DatabaseClient

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection; raises ImproperlyConfigured with one sentence when there can be none."""
        _ensure()
        return super().get_new_connection(conn_params)
