"""Embedding spaces: built beside the active one, switched, gone on with, and failing softly."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from onet.actions import load_release
from onet.embeddings import build_space, prepare_space
from onet.matching import code
from onet.models import EmbeddingSpace, Release, StatementVector, TaskStatement, TitleVector
from onet.search import search
from onet.titles.finding import rank_occupations
from tests.onet.releases import tables, write_folder
from tests.scripted import ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)
SPACE = "openai:text-embedding-3-small"


@pytest.fixture
def release(tmp_path: Path) -> Release:
    load_release(str(write_folder(tmp_path / "db_30_2_text", tables())))
    return Release.objects.get(is_active=True)


def test_a_space_is_built_switched_to_and_searched(
    release: Release, scripted: ScriptedServer
) -> None:
    call_command("onet_embed", SPACE)
    space = EmbeddingSpace.objects.get(release=release, name=SPACE)
    assert (space.status, space.is_active) == ("ready", True)
    assert space.done == space.total > 0
    assert space.dimension > 0
    assert space.statements.count() == TaskStatement.objects.filter(release=release).count()
    own = TaskStatement.objects.filter(release=release).order_by("pk")[0]
    found = search(own.text)
    assert found.space == SPACE
    assert found.candidates[0].text == own.text


def test_a_cut_build_goes_on_where_it_stopped(release: Release, scripted: ScriptedServer) -> None:
    space = prepare_space(release, SPACE)
    build_space(space.pk)
    TitleVector.objects.filter(space=space).delete()
    kept = set(StatementVector.objects.filter(space=space).values_list("pk", flat=True))
    build_space(space.pk)
    assert kept == set(StatementVector.objects.filter(space=space).values_list("pk", flat=True))
    assert TitleVector.objects.filter(space=space).exists()


def test_going_back_to_words_alone_switches_at_once(
    release: Release, scripted: ScriptedServer
) -> None:
    call_command("onet_embed", SPACE)
    call_command("onet_embed", "lexical")
    assert search("repair programs").space == "lexical"
    assert EmbeddingSpace.objects.filter(release=release, is_active=True).count() == 1


def test_a_failing_build_leaves_the_active_space_and_says_why(release: Release, settings) -> None:
    settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = ""
    call_command("onet_embed", "lexical")
    with pytest.raises(CommandError, match="OPENAI_BASE_URL"):
        call_command("onet_embed", SPACE)
    failed = EmbeddingSpace.objects.get(name=SPACE)
    assert failed.status == "failed"
    assert failed.error
    assert EmbeddingSpace.objects.get(is_active=True).name == "lexical"


def test_a_query_that_cannot_be_embedded_is_searched_by_words_and_says_so(
    release: Release, scripted: ScriptedServer, settings
) -> None:
    call_command("onet_embed", SPACE)
    settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = ""
    found = code("repair programs")
    assert found.space == "lexical"
    assert found.candidates
    assert "words only" in found.reason


def test_another_model_under_the_same_name_leaves_the_search_to_words(
    release: Release, scripted: ScriptedServer
) -> None:
    call_command("onet_embed", SPACE)
    scripted.on("embedding").json({"data": [{"index": 0, "embedding": [0.6, 0.8]}]})
    result = code("repair programs")
    assert result.space == "lexical"
    assert result.candidates
    assert rank_occupations("programmer")


@pytest.mark.parametrize("name", ["", "openai:", "word2vec:x", "nonsense"])
def test_a_space_nobody_can_build_is_refused(release: Release, name: str, settings) -> None:
    settings.EMBEDDINGS = name or "openai:"
    with pytest.raises(CommandError, match="no embedding space"):
        call_command("onet_embed", name)


def test_local_embeddings_without_their_library_say_what_to_install(release: Release) -> None:
    with pytest.raises(CommandError, match="local-embeddings"):
        call_command("onet_embed", "sentence-transformers:nowhere")
