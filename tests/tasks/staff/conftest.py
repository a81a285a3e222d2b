"""Alice's list, sent, and two reviewers with a desk each."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from chat.models import Participant
from futura import roles
from tasks.models import SurveyResponse
from tests.tasks import changing
from tests.tasks.pages.conftest import Survey, make_survey


def reviewer(name: str) -> User:
    """Staff with the role of a reviewer."""
    user = User.objects.create_user(name, f"{name}@example.org", is_staff=True)
    user.groups.add(Group.objects.get(name=roles.REVIEWER))
    return user


@pytest.fixture
def rita(db) -> User:
    """Reviews."""
    return reviewer("rita")


@pytest.fixture
def sven(db) -> User:
    """Reviews, too."""
    return reviewer("sven")


@pytest.fixture
def sent(alice: User, participant_of: Callable[[User], Participant]) -> Survey:
    """Three tasks of alice's, the second with a weak match; the list was sent."""
    survey = make_survey(participant_of(alice))
    weak = survey.fresh(survey.tasks[1])
    changing.change(weak.match, confidence="low", score=0.38)
    SurveyResponse.objects.filter(pk=survey.response.pk).update(submitted_at=timezone.now())
    survey.response.refresh_from_db()
    return survey


@pytest.fixture
def desk(browser: Callable[..., Client], rita: User) -> Client:
    """Rita's browser."""
    return browser(rita)
