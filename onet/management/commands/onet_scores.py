"""`manage.py onet_scores FILE`: scores of statements, to be seen beside what people do."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from futura.embedded.tables import ensure_tables
from futura.errors import FuturaError
from onet.scores import load_scores


class Command(BaseCommand):
    """Replaces the scores named in the file; others stay."""

    help = "Load scores of statements from CSV: statement id, score name, value."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *_: Any, **options: Any) -> None:
        ensure_tables()
        try:
            scores = load_scores(options["file"])
        except FuturaError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{scores.rows} scores loaded: {', '.join(scores.names)}.")
        if scores.missing:
            self.stdout.write(
                f"{scores.in_catalogue} statements stand in the active catalogue, "
                f"{scores.missing} do not."
            )
