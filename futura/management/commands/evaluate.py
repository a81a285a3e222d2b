"""`manage.py evaluate NAME [FILE]`: measures one thing and prints one JSON object."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from futura.embedded.tables import ensure_tables
from futura.errors import FuturaError
from futura.evaluation import EvaluationOptions, evaluator, names


class Command(BaseCommand):
    """Prints figures on standard output and nothing else there."""

    help = "Measures search, matching or extraction against a development file; prints JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=names(), help="what to measure")
        parser.add_argument("file", nargs="?", type=Path, help="development file")
        parser.add_argument("--details", action="store_true", help="add what came of each case")
        parser.add_argument(
            "--within-occupation",
            action="store_true",
            help="statements: search inside the occupation that the row names",
        )
        parser.add_argument(
            "--leave-out",
            type=int,
            default=0,
            metavar="N",
            help="titles: leave N alternate titles out of the index and look for them",
        )
        parser.add_argument(
            "--faithful",
            action="store_true",
            help="agent, portfolio: a model that is right by each case, in place of a real one",
        )
        parser.add_argument("--seed", type=int, default=1, help="titles: which ones to leave out")

    def handle(self, *_args: Any, **options: Any) -> None:
        file: Path | None = options["file"]
        ensure_tables()
        chosen = EvaluationOptions(
            **{field.name: options[field.name] for field in fields(EvaluationOptions)}
        )
        try:
            result = evaluator(options["what"])(file, chosen)
        except FuturaError as error:
            raise CommandError(str(error)) from error
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} cannot be read: {error}.") from error
        self.stdout.write(json.dumps(result, ensure_ascii=False, indent=2))
