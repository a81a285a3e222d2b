"""`manage.py recode_tasks`: codes stored tasks anew, after the catalogue or the coding changed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from futura.embedded.tables import ensure_tables
from futura.progress import ProgressBar
from tasks.recoding import recode


class Command(BaseCommand):
    """Says how far it is; may be stopped and run again."""

    help = "Lets activities and groups of all stored tasks follow their matches."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Runs once over all tasks."""
        ensure_tables()
        with ProgressBar() as bar:
            changed = recode(reporter=bar)
        self.stdout.write(f"{changed} tasks hold other activities now.")
