"""`manage.py onet_embed [SPACE]`: builds an embedding space over the active release."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from futura.embedded.tables import ensure_tables
from futura.errors import FuturaError, ModelUnavailable
from futura.llm.client import Llm
from futura.progress import ProgressBar
from onet.embeddings import LEXICAL, build_space, prepare_space
from onet.queries import active_release


class Command(BaseCommand):
    """Encodes what has no vector yet, then switches; can be stopped and gone on with."""

    help = "Build the embedding space (lexical, openai:MODEL, sentence-transformers:MODEL)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "space", nargs="?", default="", help="default: FUTURA_EMBEDDINGS, else lexical"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        ensure_tables()
        release = active_release()
        if release is None:
            raise CommandError("No catalogue is loaded. Load one with: manage.py onet_load SOURCE")
        try:
            with ProgressBar() as bar:
                space = prepare_space(release, options["space"] or settings.EMBEDDINGS or LEXICAL)
                build_space(space.pk, reporter=bar)
        except ModelUnavailable as error:
            way = "" if Llm().is_configured else " Set OPENAI_API_KEY or OPENAI_BASE_URL first."
            raise CommandError(f"{error}{way}") from error
        except FuturaError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt as error:
            raise CommandError(
                "Stopped. What was encoded is kept; run it again to go on.", returncode=130
            ) from error
        self.stdout.write(f"{space.name} is active over {release.name}.")
