"""Makes sure that a command finds its tables: made at once when embedded, asked for elsewhere."""

from __future__ import annotations

import sys
from typing import Final

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

_PACKAGES: Final = {"futura", "chat", "onet", "tasks", "projects"}


def ensure_tables() -> None:
    """Migrates the embedded database when something is missing; its owner need not know how.

    With a database of one's own a CommandError says what to run: changing that one is a decision.
    """
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    refuse_newer(executor.loader)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    if not settings.EMBEDDED:
        raise CommandError("The database is not up to date. Run first: manage.py migrate")
    if not executor.loader.applied_migrations:  # who meant another folder sees it
        sys.stderr.write(f"Making a new home for the data in {settings.DATA_DIR} …\n")
    call_command("migrate", interactive=False, verbosity=0)


def refuse_newer(loader: MigrationLoader) -> None:
    """Raises CommandError when a later version of Futura has changed the tables already."""
    own = {app.label for app in apps.get_app_configs() if app.name.partition(".")[0] in _PACKAGES}
    replaced = {key for each in loader.disk_migrations.values() for key in each.replaces}
    for label, name in sorted(loader.applied_migrations):
        if label in own and (label, name) not in loader.disk_migrations.keys() | replaced:
            raise CommandError(
                f"A later version of Futura has changed these data ({label}.{name})."
                " Start that version, or this one on a copy from before the change."
            )
