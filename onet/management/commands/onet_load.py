"""`manage.py onet_load`: loads an O*NET release, or the starter catalogue, and makes it active."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from futura.embedded.tables import ensure_tables
from futura.progress import ProgressBar
from onet.actions import Report, ensure_starter, load_release, load_starter
from onet.loading.release import CannotLoad
from onet.models import Release
from onet.search.index import statement_index
from onet.titles.index import title_index


class Command(BaseCommand):
    """Reads the source, writes it beside the active release, then switches in one step."""

    help = (
        "Load an O*NET text release from a folder, a zip file or the http(s) address of a zip "
        "file. Loading the same release again changes nothing; a failed load leaves the release "
        "before in place."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", nargs="?", default="", help="folder, zip file or address")
        parser.add_argument(
            "--starter", action="store_true", help="load the starter catalogue that ships here"
        )
        parser.add_argument(
            "--if-needed",
            action="store_true",
            help="do nothing when this address was loaded before; with --starter, when a full "
            "release is active",
        )
        parser.add_argument("--dry-run", action="store_true", help="read a source, write nothing")

    def handle(self, *_: Any, **options: Any) -> None:
        if bool(options["source"]) == options["starter"]:
            raise CommandError("Give a source, or --starter for the starter catalogue.")
        if options["starter"] and options["dry_run"]:
            raise CommandError("--dry-run is for a source. The starter catalogue needs no check.")
        ensure_tables()
        try:
            with ProgressBar() as bar:
                report = self._load(options, bar)
        except CannotLoad as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt as error:
            raise CommandError("Stopped. Nothing was changed.", returncode=130) from error
        if report is None:
            self.stdout.write("A full release is active; the starter catalogue is not needed.")
            return
        if not options["dry_run"]:
            _prepare_search()
        self._summarise(report)

    def _load(self, options: dict[str, Any], bar: ProgressBar) -> Report | None:
        if_needed = options["if_needed"]
        if not options["starter"]:
            return load_release(
                options["source"], dry_run=options["dry_run"], if_needed=if_needed, reporter=bar
            )
        return ensure_starter(bar) if if_needed else load_starter(bar)

    def _summarise(self, report: Report) -> None:
        self.stdout.write(f"{report.name}: {report.outcome.value}")
        for what, count in report.counts.items():
            self.stdout.write(f"  {count:>7,} {what}")
        for what, count in sorted(report.warnings.items()):
            self.stderr.write(f"  note: {count:,} {what}")


def _prepare_search() -> None:
    """Builds the text indexes where they are missing, so that no first visitor waits for them."""
    release = Release.objects.filter(is_active=True).first()
    if release is not None:
        title_index(release)
        statement_index(release)
