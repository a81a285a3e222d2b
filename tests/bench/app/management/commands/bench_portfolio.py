"""`manage.py bench_portfolio FILE`: a written portfolio, published; prints its address."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from chat.models import Participant
from chat.operations.changes import Actor
from projects.portfolio.evaluation.cases import load, read_corpus
from projects.portfolio.models import Portfolio
from tests.portfolio.open import publish


class Command(BaseCommand):
    """Prints the address by which visitors ask it."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        person = Participant.objects.create(time_zone="UTC")
        made = publish(Actor(person.pk), load(read_corpus(file), person.pk))
        assert made.status == Portfolio.Status.PUBLISHED
        self.stdout.write(made.slug)
