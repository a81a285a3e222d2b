"""Visitors are told of a portfolio as it is: every change of it reaches the index by itself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from chat.operations.changes import Delete, Update
from chat.operations.execute import execute
from projects.portfolio.index.building import index_for
from projects.portfolio.index.refresh import note, refresh, sweep
from projects.portfolio.models import DocumentVector, IndexBuild, IndexState

pytestmark = pytest.mark.django_db


@pytest.fixture
def entry(make, portfolio):
    return make(
        "portfolio_entry",
        portfolio=portfolio.pk,
        doc_id="kiln",
        slug="kiln",
        title="Kiln",
        status="published",
        description="Plans firings.",
    )


def titles(portfolio) -> list[str]:
    index = index_for(portfolio)
    return sorted(item.title for item in index.by_id.values()) if index else []


def space_of(portfolio) -> str:
    return IndexBuild.objects.get(portfolio=portfolio).space


def test_a_change_reaches_the_index_without_being_asked(portfolio, entry, actor, drain):
    drain()
    assert titles(portfolio) == ["Kiln"]
    execute(actor=actor, changes=[Update("portfolio_entry", entry.pk, {"title": "Oven"})])
    assert IndexBuild.objects.filter(portfolio=portfolio).exists()
    drain()
    assert titles(portfolio) == ["Oven"]
    execute(actor=actor, changes=[Update("portfolio_entry", entry.pk, {"hide_from_chat": True})])
    drain()
    assert titles(portfolio) == []
    assert IndexState.objects.get(pk=portfolio.pk).wanted_at is None


def test_many_changes_are_one_build(portfolio, make, drain, django_capture_on_commit_callbacks):
    drain()
    for name in ("Go", "Rust", "Tea"):
        make("portfolio_skill", portfolio=portfolio.pk, doc_id=f"skill_{name}", name=name)
    before = IndexBuild.objects.get(portfolio=portfolio).pk
    assert drain() == 1
    assert titles(portfolio) == ["Go", "Rust", "Tea"]
    built = IndexBuild.objects.get(portfolio=portfolio)
    assert built.pk != before
    note(portfolio.pk)
    assert refresh(portfolio.pk)  # nothing that visitors see has changed: the same index stays
    assert IndexBuild.objects.get(portfolio=portfolio).pk == built.pk


def test_somebody_at_work_is_not_disturbed_and_a_dead_worker_is_followed(portfolio, drain):
    drain()
    note(portfolio.pk)
    state = IndexState.objects.filter(pk=portfolio.pk)
    state.update(lease="00000000-0000-0000-0000-000000000001", heartbeat_at=timezone.now())
    assert refresh(portfolio.pk) is False
    long_ago = timezone.now() - timedelta(minutes=2)
    state.update(heartbeat_at=long_ago, announced_at=long_ago)
    assert sweep() == 1
    assert refresh(portfolio.pk) is True
    assert state.get().lease is None


def test_a_deleted_portfolio_has_no_index_until_it_is_brought_back(portfolio, entry, actor, drain):
    drain()
    execute(actor=actor, changes=[Delete("portfolio", portfolio.pk)])
    drain()
    assert not IndexBuild.objects.filter(portfolio=portfolio).exists()


def test_without_vectors_words_answer_at_once_and_vectors_are_tried_again(
    portfolio, entry, scripted, drain
):
    named = "openai:text-embedding-3-small"
    IndexState.objects.update_or_create(portfolio=portfolio, defaults={"space": named})
    scripted.on("portfolio_embedding").status(400)
    note(portfolio.pk)
    refresh(portfolio.pk)
    assert titles(portfolio) == ["Kiln"]
    assert space_of(portfolio) == "lexical"
    state = IndexState.objects.get(pk=portfolio.pk)
    assert state.code == "PREPROCESS_EMBED_UNAVAILABLE"
    assert state.retry_at is not None
    assert state.wanted_at is None
    scripted.reset()
    IndexState.objects.update(retry_at=timezone.now())
    sweep()
    refresh(portfolio.pk)
    assert space_of(portfolio) == named


DEFAULT = "openai:text-embedding-3-large"


def test_with_a_key_alone_a_build_has_vectors_asked_for_in_one_batch(
    portfolio, make, scripted, drain
):
    for name in ("kiln", "oven"):
        make("portfolio_entry", portfolio=portfolio.pk, doc_id=name, slug=name, title=name,
             status="published", description="Plans firings.")  # fmt: skip
    drain()
    assert space_of(portfolio) == DEFAULT
    assert DocumentVector.objects.count() == 2
    assert len(scripted.of("portfolio_embedding")) == 1


def test_what_was_built_in_words_gets_vectors_when_a_key_appears(
    portfolio, entry, drain, settings, scripted
):
    key, settings.OPENAI_API_KEY = settings.OPENAI_API_KEY, ""
    address, settings.OPENAI_BASE_URL = settings.OPENAI_BASE_URL, ""
    drain()
    assert space_of(portfolio) == "lexical"
    IndexState.objects.update(announced_at=None)
    assert sweep() == 0
    settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = key, address
    assert sweep() == 1
    assert refresh(portfolio.pk)
    assert space_of(portfolio) == DEFAULT
    assert sweep() == 0


def test_a_space_that_the_site_names_wins_over_the_key(portfolio, entry, drain, settings, scripted):
    settings.EMBEDDINGS = "lexical"
    drain()
    assert space_of(portfolio) == "lexical"
    assert sweep() == 0
    assert not scripted.requests
    settings.EMBEDDINGS = "openai:text-embedding-3-small"
    note(portfolio.pk)
    refresh(portfolio.pk)
    assert space_of(portfolio) == "openai:text-embedding-3-small"


def test_a_server_without_embeddings_leaves_words_and_the_owner_reads_it(
    portfolio, entry, alice, browser, scripted, drain
):
    scripted.on("portfolio_embedding").status(404)
    drain()
    assert (space_of(portfolio), titles(portfolio)) == ("lexical", ["Kiln"])
    page = browser(alice).get(f"/portfolio/{portfolio.pk}").text
    assert "search by words works" in page
    assert sweep() == 0  # tried again after a pause, not with every sweep
