"""Deleting an account takes portfolios along: rows, sources, indexes, files, visits."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from chat.actions.participants import delete_account
from chat.models import Session
from projects.portfolio.models import (
    Document,
    IndexBuild,
    IndexState,
    Portfolio,
    Source,
    StoredImage,
)
from tests.portfolio.sources import PROFILE, README

pytestmark = pytest.mark.django_db


def test_deleting_an_account_leaves_nothing_of_its_portfolios(
    give,
    portfolio,
    alice,
    bob,
    participant_of,
    settings,
    tmp_path,
    django_capture_on_commit_callbacks,
):
    settings.MEDIA_ROOT = tmp_path
    give("profile", text=PROFILE)
    give("repository", text=README)
    name = default_storage.save("portfolio/2026/11/one.webp", ContentFile(b"picture"))
    small = default_storage.save("portfolio/2026/11/one-480.webp", ContentFile(b"picture"))
    StoredImage.objects.create(
        portfolio=portfolio, sha256="0" * 64, file=name, media_type="image/webp", width=9, height=9
    )
    Session.objects.create(
        participant=participant_of(bob),
        kind="portfolio_visit",
        state={"portfolio_id": str(portfolio.pk)},
    )
    kept = Session.objects.create(participant=participant_of(bob), kind="concierge")
    assert Document.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(user_id=alice.pk, typed="alice")
    for model in (Portfolio, Source, IndexBuild, IndexState, Document, StoredImage):
        assert not model._default_manager.exists(), model
    assert not default_storage.exists(name)
    assert not default_storage.exists(small)
    assert list(Session.objects.all()) == [kept]
