"""`manage.py simulate`: fills a campaign with invented people, clearly marked as such."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from futura.embedded.tables import ensure_tables
from futura.errors import FuturaError
from futura.progress import ProgressBar
from tasks.campaigns.models import Campaign
from tasks.simulation.invented import fill, invented_campaign


class Command(BaseCommand):
    """Makes the campaign when there is none of that title; the same seed gives the same people."""

    help = "Fill a campaign with invented people (marked as invented everywhere)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--people", type=int, default=50, help="how many (default: 50)")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--campaign", default="", help="slug of an invented campaign")
        parser.add_argument("--title", default="Invented survey", help="of a new campaign")
        parser.add_argument(
            "--pending", action="store_true", help="leave the matches for the workers to look up"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        if not 1 <= options["people"] <= 100_000:
            raise CommandError("Between 1 and 100,000 people can be invented at once.")
        ensure_tables()
        campaign = self._campaign(options["campaign"], options["title"])
        try:
            with ProgressBar() as bar:
                tasks = fill(
                    campaign,
                    options["people"],
                    seed=options["seed"],
                    is_pending=options["pending"],
                    reporter=bar,
                )
        except FuturaError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{options['people']} invented people with {tasks} tasks in “{campaign.title}” "
            f"(/staff/campaigns/{campaign.pk})."
        )

    def _campaign(self, slug: str, title: str) -> Campaign:
        if not slug:
            return invented_campaign(title)
        campaign = Campaign.objects.filter(slug=slug).first()
        if campaign is None:
            raise CommandError(f"There is no campaign at /s/{slug}.")
        return campaign
