"""`manage.py portfolio_preprocess CONFIG.yml`: reads a portfolio's sources and stores them."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from chat.identity import Identity
from futura.embedded.tables import ensure_tables
from futura.errors import FuturaError
from futura.progress import ProgressBar
from projects.portfolio.intake import spec_form
from projects.portfolio.intake.config import read_config
from projects.portfolio.intake.preprocess import Run, store
from projects.portfolio.models import Portfolio


class Command(BaseCommand):
    """Everything is read and checked before anything is stored; a failure changes nothing."""

    help = (
        "Read repositories, resume and profile into a portfolio and build its index. With a model "
        "configured it reads; without one rules do."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument("config", type=Path, help="the YAML file that says what to read")
        parser.add_argument(
            "--skip-failures",
            action="store_true",
            help="leave out an item that the model cannot read, instead of ending the run",
        )
        parser.add_argument("--user", default="", help="name or email of its owner; default: yours")
        parser.add_argument("--dry-run", action="store_true", help="read and check, store nothing")

    def handle(self, *_: Any, **options: Any) -> None:
        """Runs it; a failure is one sentence with its code, and a non-zero exit."""
        try:
            file: Path = options["config"]
            config = read_config(file)
            ensure_tables()
            portfolio = Portfolio.objects.filter(slug=config.owner.slug, deleted_at=None).first()
            owner_id = portfolio.owner_id if portfolio else _owner(options["user"])
            with ProgressBar() as bar:
                run = Run(
                    config,
                    file.absolute().parent,
                    skip_failures=options["skip_failures"],
                    reporter=bar,
                    tell=self.stdout.write,
                )
                self._run(run, bar, portfolio, owner_id, is_dry=options["dry_run"])
        except FuturaError as error:
            hint = " Trying again may help." if error.retry_helps else ""
            raise CommandError(f"{error}{hint}") from error
        except KeyboardInterrupt as error:
            raise CommandError("Stopped. Nothing was changed.", returncode=130) from error

    def _run(
        self,
        run: Run,
        bar: ProgressBar,
        portfolio: Portfolio | None,
        owner_id: Any,
        *,
        is_dry: bool,
    ) -> None:
        try:
            run.read(portfolio, owner_id)
            if not is_dry:
                bar.step("Storing")
                build = store(run, owner_id)
        except FuturaError as error:
            self._tell_metrics(run, status="failed", error=str(error))
            raise
        if not is_dry:
            spec_form.write(run, build)
        self._tell_metrics(run, status="completed")
        for line in run.summary():
            self.stdout.write(line)
        read = "a model" if run.reader.has_model else "rules (no model is configured)"
        self.stdout.write(f"Read by {read}; likeness in the space {run.vectors.space}.")
        projects = sum(draft.kind == "entry" for draft in run.drafts)
        done = "read, not stored (--dry-run)" if is_dry else "stored"
        if not is_dry:
            self.stdout.write("Confirmed by this command; nobody has looked at a check page.")
        self.stdout.write(
            f"{projects} projects, {len(run.drafts) - projects - 1} records of the resume, "
            f"1 profile: {done}; {len(run.plan.changes)} changes, "
            f"{len(run.docs)} documents in the index."
        )

    def _tell_metrics(self, run: Run, *, status: str, error: str = "") -> None:
        if run.config.metrics.write_metrics:
            file = run.output / "metrics" / f"preprocess-{run.id}.json"
            spec_form.write_whole(file, run.report(status, error))
            self.stdout.write(f"Metrics: {file}")
        for warned in run.reader.warnings:
            self.stderr.write(f"  note: {warned}")


def _owner(name: str) -> Any:
    """The participant that will own a new portfolio. Raises CommandError."""
    named = Q(username=name) | Q(email__iexact=name) if name else Q(is_superuser=True)
    users = list(User.objects.filter(named)[:2])
    if name and not users:
        raise CommandError(f"There is no account {name!r}.")
    if len(users) != 1:
        raise CommandError("Say with --user NAME whose this portfolio is.")
    return Identity(user_id=users[0].pk).participant().pk
