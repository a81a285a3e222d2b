"""`manage.py ledger verify`: replays the ledger against the tables and names each difference."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction

from chat.operations.replay import differences
from futura.embedded.tables import ensure_tables


class Command(BaseCommand):
    """Only reads; ends with an error when the tables are not what the ledger says."""

    help = "Compares every operable row with what its operations make of it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["verify"])

    def handle(self, *_args: Any, **_options: Any) -> None:
        ensure_tables()
        try:
            with transaction.atomic():
                if not connection.savepoint_ids:  # one snapshot, whatever is written meanwhile
                    connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                result = differences()
        except ValueError as error:
            raise CommandError(str(error)) from error
        for line in result:
            self.stdout.write(line)
        if result:
            raise CommandError(f"{len(result)} rows are not what the ledger says.")
        self.stdout.write("Every row is as the ledger says.")
