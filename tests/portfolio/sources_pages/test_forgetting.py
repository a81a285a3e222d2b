"""Deleting an account takes portfolios along: rows, sources, indexes, files, visits."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from chat.actions.participants import delete_account
from chat.models import Session
from chat.operations.models import OperationPayload
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


@pytest.mark.parametrize("by", ["account", "participant", "list of accounts"])
def test_an_administrator_deletes_an_account_with_all_that_it_holds(
    portfolio, alice, participant_of, admin_client, settings, tmp_path, by
):
    settings.MEDIA_ROOT = tmp_path
    Source.objects.create(portfolio=portfolio, kind="profile", place="pasted", text=PROFILE)
    listed, key = "/admin/auth/user/", alice.pk
    if by == "participant":
        listed, key = "/admin/chat/participant/", participant_of(alice).pk
    address, sent = f"{listed}{key}/delete/", {"post": "yes"}
    if by == "list of accounts":
        address, sent = listed, {"action": "delete_selected", "_selected_action": key}
        asked = admin_client.post(address, sent)
        sent["post"] = "yes"
    else:
        asked = admin_client.get(address)
    assert "Are you sure" in asked.text
    assert "Portfolios: 1" in " ".join(asked.text.split())
    assert portfolio.owner_name not in asked.text
    assert admin_client.post(address, sent)["Location"].startswith("/admin/")
    assert not Portfolio.objects.exists()
    assert not Source.objects.exists()
    payloads = OperationPayload.objects.filter(operation__batch__owner_id=portfolio.owner_id)
    assert payloads.exists()
    assert not payloads.exclude(before=None, after=None).exists()
    assert User.objects.filter(pk=alice.pk).exists() == (by == "participant")
