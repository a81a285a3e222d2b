"""`manage.py up` for `manage.py help`; manage.py itself runs it before Django is loaded."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from futura.embedded import up


class Command(BaseCommand):
    """Starts everything, waits until it answers, shows what it says, ends it all together."""

    help = up.HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        up.add_arguments(parser)

    def handle(self, *_: Any, **_options: Any) -> None:
        up.main(sys.argv[2:])
