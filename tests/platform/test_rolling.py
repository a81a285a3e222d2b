"""Two versions work on one database while a new one is deployed: migrations only add."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import (
    AddField,
    DeleteModel,
    RemoveField,
    RenameField,
    RenameModel,
)
from django.db.migrations.operations.base import Operation

# the last migrations of which only one version was ever at work
BEFORE = {"chat": 18, "futura": 4, "llm": 6, "onet": 4, "portfolio": 10, "projects": 8, "tasks": 12}
FILLED = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = 'public' AND (is_nullable = 'YES' OR column_default IS NOT NULL)
"""


def operations() -> Iterator[tuple[str, Operation]]:
    for (label, name), migration in MigrationLoader(None).disk_migrations.items():
        if label in BEFORE and int(name.partition("_")[0]) > BEFORE[label]:
            for operation in migration.operations:
                yield label, operation


def column_of(operation: AddField) -> str:
    return f"{operation.name}_id" if operation.field.is_relation else operation.name


def test_no_migration_takes_away_what_the_version_before_uses():
    gone = (DeleteModel, RemoveField, RenameField, RenameModel)
    assert [operation for _, operation in operations() if isinstance(operation, gone)] == []


@pytest.mark.django_db
def test_the_version_before_adds_rows_without_the_new_columns():
    with connection.cursor() as cursor:
        cursor.execute(FILLED)
        filled = set(cursor.fetchall())
    added = {
        (apps.get_model(label, operation.model_name)._meta.db_table, column_of(operation))
        for label, operation in operations()
        if isinstance(operation, AddField) and not operation.field.many_to_many
    }
    assert added
    assert added - filled == set()
