"""`manage.py demo`: made-up content to look at: somebody's workspace, a survey, a campaign."""

from __future__ import annotations

import secrets
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand

from chat.actions.sessions import rename_session
from chat.identity import Identity
from futura.embedded.tables import ensure_tables
from projects.sample import actions
from tasks.actions import start_survey
from tasks.campaigns.models import Campaign
from tasks.models import SurveyResponse

ACCOUNT: Final = "demo"
CAMPAIGN: Final = "Sample: how we work"
JOB: Final = "Head of a town library"
ACCOUNT_OF_WORK: Final = (
    "I plan the budget for the library. I lead a team of nine and write the duty roster. "
    "I choose new books with the publishers' lists and talk to the town council every month. "
    "I organise readings and write the newsletter."
)
PEOPLE: Final = 60


class Command(BaseCommand):
    """What is there already is not made again."""

    help = "Fill this installation with made-up content: an account, a survey, a campaign of 60."

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ARG002
        """Makes what is missing, and says how to look at it."""
        ensure_tables()
        user, password = _account()
        identity = Identity(user_id=user.pk)
        actions.create(identity=identity)
        participant = identity.participant()
        if not SurveyResponse.objects.filter(session__participant=participant).exists():
            survey = start_survey(
                participant=participant, job_title=JOB, initial_tasks=ACCOUNT_OF_WORK
            )
            rename_session(identity=identity, session_id=survey.pk, title=f"Sample: {JOB.lower()}")
        if not Campaign.objects.filter(title=CAMPAIGN).exists():
            call_command("simulate", people=PEOPLE, title=CAMPAIGN, stdout=self.stdout)
        if password:
            self.stdout.write(f"Sign in as {ACCOUNT}, password {password} (shown only now).")
        else:
            self.stdout.write(f"The account {ACCOUNT} has its sample.")


def _account() -> tuple[User, str]:
    """The account that owns the sample, and the password of a new one."""
    user = User.objects.filter(username=ACCOUNT).first()
    if user is not None:
        return user, ""
    password = secrets.token_urlsafe(12)
    return User.objects.create_user(ACCOUNT, f"{ACCOUNT}@localhost", password), password
