"""`manage.py relay_sessions N`: people with an empty conversation each, as JSON."""

from __future__ import annotations

import json
import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from chat.identity import COOKIE, cookie_for, key_hash
from chat.models import Participant, Session
from tests.bench.app.relay import KIND


class Command(BaseCommand):
    """Prints a list of `{"session", "cookie"}`."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("count", type=int)

    def handle(self, *args: Any, count: int, **options: Any) -> None:
        made = []
        for _ in range(count):
            key = secrets.token_urlsafe(32)
            person = Participant.objects.create(key_hash=key_hash(key))
            session = Session.objects.create(participant=person, kind=KIND, state={})
            made.append({"session": str(session.pk), "cookie": f"{COOKIE}={cookie_for(key)}"})
        self.stdout.write(json.dumps(made))
