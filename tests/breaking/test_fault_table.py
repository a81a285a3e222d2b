"""Every way in which a model fails, on every surface: what the person gets, and after how long.

The first word never takes longer than the turn's deadline: basic mode answers with its mark, the
beginning of an answer is kept and the run offers to try again, or the answer is whole. `-s` shows
the table.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal

import pytest
from django.db import connections

from chat.models import Run
from chat.runs.perform import perform
from futura.llm import quirks, stages
from projects.models import Task
from tests.breaking.surfaces import (
    AGENT,
    CONCIERGE,
    SURFACES,
    SURVEY,
    VISITORS,
    Seen,
    Surface,
    converse,
)
from tests.portfolio.conftest import portfolio
from tests.portfolio.visitors.conftest import filled, published
from tests.scripted import ScriptedCall, ScriptedServer

__all__ = ["converse", "filled", "portfolio", "published"]
pytestmark = [pytest.mark.breaking, pytest.mark.django_db(transaction=True)]

FIRST_WORD_S = 3.0
REAL_FIRST_WORD_S = 19.0
MARGIN_S = 2.0
IDLE_S = 0.5
FLOOD = 1_000_000
Gets = Literal["basic", "partial", "model"]
Play = Callable[[ScriptedServer, Surface], object]
NO_JSON = '{"unexpected": true}'


@dataclass(frozen=True)
class Kind:
    """A row: what the model does in the place of its words, and what the person gets of it."""

    name: str
    play: Play
    gets: Gets = "basic"
    but: Mapping[str, Gets] = field(default_factory=dict)
    deadline_s: float = FIRST_WORD_S

    def on(self, surface: Surface) -> Gets:
        """What the person gets on a surface."""
        return self.but.get(surface.name, self.gets)


def _in_a_form(server: ScriptedServer, surface: Surface) -> object:
    """NUL and half a character in an argument, or in a field of the form before the words."""
    bad = "Buy bre\x00ad\ud800"
    said = surface.wrapped(surface.words)
    if surface.has_tools:
        call = ScriptedCall("create_task", {"title": bad})
        if surface.name == AGENT.name:
            call = ScriptedCall("create_todos", {"todos": [{"title": bad}]})
        return server.on(surface.stage).calls(call).text(said)
    stage, name = {
        SURVEY.name: ("tool_selection", "reason"),
        VISITORS.name: ("portfolio_planner", "topic"),
    }[surface.name]
    return server.on(stage).json(surface.forms[stage] | {name: bad})


def _many_calls(server: ScriptedServer, surface: Surface) -> object:
    calls = [ScriptedCall("fly", {"to": f"moon {number}"}) for number in range(50)]
    return server.on(surface.stage).calls(*calls).text(surface.wrapped(surface.words))


def _words(text: str) -> Play:
    return lambda server, at: server.on(at.stage).text(at.wrapped(text))


def _bad_words(server: ScriptedServer, surface: Surface) -> object:
    first, rest = surface.words.split(" ", 1)
    return server.on(surface.stage).text(surface.wrapped(f"{first}\x00 {rest}\ud800"))


# said letter by letter, and asked to go on where an answer is at its limit
ASSISTANTS: tuple[str, ...] = (CONCIERGE.name, AGENT.name)
WITH_FORMS = tuple(surface for surface in SURFACES if surface.forms)
WITHOUT_TOOLS: Mapping[str, Gets] = {SURVEY.name: "basic", VISITORS.name: "basic"}
KINDS = (
    Kind("connection refused", lambda server, at: server.refuse_connections()),
    Kind("silence", lambda server, at: server.on(at.stage).silence()),
    Kind(
        "stall in the words",
        lambda server, at: server.on(at.stage).stall(after=at.pieces, text=at.wrapped(at.words)),
        "partial",
    ),
    Kind(
        "cut in the words",
        lambda server, at: server.on(at.stage).cut(after=at.pieces, text=at.wrapped(at.words)),
        "partial",
    ),
    Kind(
        "output limit in the words",
        lambda server, at: server.on(at.stage).incomplete(
            after=at.pieces, text=at.wrapped(at.words)
        ),
        "partial",
        but=dict.fromkeys(ASSISTANTS, "model"),
    ),
    Kind("truncated JSON", lambda server, at: server.on(at.stage).truncated_json({"message": "I"})),
    Kind("events that are no JSON", lambda server, at: server.on(at.stage).garbled()),
    Kind("wrong schema", lambda server, at: server.on(at.stage).json({"tool": 7})),
    Kind("JSON in the place of words", _words(NO_JSON)),
    Kind("empty answer", lambda server, at: server.on(at.stage).empty()),
    Kind("bad UTF-8", lambda server, at: server.on(at.stage).invalid_utf8()),
    Kind(
        "1 MB of words without an end",
        lambda server, at: server.on(at.stage).huge(FLOOD),
        but=dict.fromkeys((SURVEY.name, *ASSISTANTS), "partial"),
    ),
    Kind(
        "1 MB of sentences",
        _words("Bread is baked early. " * (FLOOD // 22)),
        "partial",
    ),
    Kind("NUL and half a character in the words", _bad_words, "model"),
    Kind("NUL and half a character in an argument", _in_a_form, "model"),
    Kind("429", lambda server, at: server.on(at.stage).status(429)),
    Kind("500", lambda server, at: server.on(at.stage).status(500)),
    Kind("refusal", lambda server, at: server.on(at.stage).refuse()),
    Kind(
        "content filter",
        lambda server, at: server.on(at.stage).incomplete(after=0, reason="content_filter"),
    ),
    Kind(
        "unknown tool",
        lambda server, at: server.on(at.stage).call("fly", {}).text(at.wrapped(at.words)),
        "model",
        but=WITHOUT_TOOLS,
    ),
    Kind(
        "50 calls of tools",
        _many_calls,
        "model",
        but=WITHOUT_TOOLS,
        deadline_s=REAL_FIRST_WORD_S,  # each is kept with the reply, which takes its time
    ),
)


@pytest.fixture(scope="module")
def table() -> Iterator[list[str]]:
    """The rows as they were seen; printed in the end."""
    rows: list[str] = []
    yield rows
    head = f"{'kind':<42}{'surface':<16}{'gets':<10}{'first word':<12}whole"
    sys.stdout.write("\n".join(["", head, *sorted(rows), ""]))


@pytest.fixture
def short_times(settings, monkeypatch) -> Iterator[None]:
    """The deadline and the idle times in small; everything else as it is."""
    settings.LLM_FIRST_WORD_S = FIRST_WORD_S
    settings.LLM_BACKOFF_S = 0.05
    for surface in SURFACES:
        monkeypatch.setenv(f"FUTURA_STAGE_{surface.stage.upper()}_IDLE_S", str(IDLE_S))
    stages.all_stages.cache_clear()
    quirks.forget()
    yield
    monkeypatch.undo()
    stages.all_stages.cache_clear()
    quirks.forget()


def gotten(seen: Seen) -> Gets:
    """What of it all it was, by the run alone."""
    if seen.run.status != Run.Status.COMPLETED:
        return "partial"
    return "basic" if seen.run.basic_mode else "model"


def check(surface: Surface, seen: Seen, gets: Gets) -> None:
    """What the records say, what the page says, and that nothing of the machine is told."""
    assert gotten(seen) == gets, (seen.text, seen.run.error_text)
    assert seen.text.strip()
    assert seen.is_marked is (gets == "basic")
    if gets == "partial":
        assert seen.run.status == Run.Status.FAILED
        assert "was interrupted" in seen.run.error_text
        assert seen.run.error_text in seen.html
        assert f"/chat/runs/{seen.run.pk}/" in seen.html, "nothing offers to go on or try again"
    for word in ("unexpected", "Scripted", "Traceback", "\x00", "HTTP"):
        assert word not in seen.text + seen.run.error_text


@pytest.mark.usefixtures("short_times")
@pytest.mark.parametrize("surface", SURFACES, ids=lambda item: item.name)
@pytest.mark.parametrize("kind", KINDS, ids=lambda item: item.name)
def test_a_fault_in_the_words_ends_well(kind, surface, converse, scripted, table, settings):
    settings.LLM_FIRST_WORD_S = kind.deadline_s
    conversation = converse(surface)
    kind.play(scripted, surface)
    seen = conversation.ask()
    table.append(
        f"{kind.name:<42}{surface.name:<16}{gotten(seen):<10}{seen.first_s:<12.1f}{seen.whole_s:.1f}"
    )
    check(surface, seen, kind.on(surface))
    assert seen.first_s < kind.deadline_s + MARGIN_S
    assert seen.whole_s < kind.deadline_s + MARGIN_S + IDLE_S
    if kind.on(surface) == "partial" and "1 MB" not in kind.name:
        assert seen.text.strip().startswith(surface.first)


@pytest.mark.usefixtures("short_times")
@pytest.mark.parametrize("surface", WITH_FORMS, ids=lambda item: item.name)
@pytest.mark.parametrize("how", ["silence", "garbled", "empty", "invalid_utf8", "huge", "refuse"])
def test_a_model_that_fails_at_every_stage_leaves_basic_mode(how, surface, converse, scripted):
    """The surfaces without forms have one stage, whose failures stand in the table."""
    conversation = converse(surface)
    for stage in (*surface.forms, surface.stage):
        getattr(scripted.on(stage), how)()
    seen = conversation.ask()
    assert seen.first_s < FIRST_WORD_S + MARGIN_S
    assert gotten(seen) == "basic"


def test_a_model_that_hangs_keeps_nobody_waiting_for_20_seconds(
    converse, scripted, settings, drain
):
    """By the real times, on all surfaces at once: none is spared by what fails on the others."""
    settings.LLM_BREAKER_FAILURES = 1_000
    conversations = [converse(surface) for surface in SURFACES]
    for surface in SURFACES:
        for stage in (*surface.forms, surface.stage):
            scripted.on(stage).silence()
    runs = [conversation.say() for conversation in conversations]
    with ThreadPoolExecutor(len(runs)) as workers:
        list(workers.map(_work, runs))
    drain()
    for surface, conversation in zip(SURFACES, conversations, strict=True):
        seen = conversation.look()
        check(surface, seen, "basic")
        assert seen.first_s < 20 + 1


def _work(run: uuid.UUID) -> None:
    try:
        perform(run)
    finally:
        connections.close_all()


@pytest.mark.usefixtures("short_times")
@pytest.mark.parametrize("surface", [CONCIERGE, AGENT], ids=lambda item: item.name)
def test_what_a_bad_argument_made_is_there_without_the_bad(surface, converse, scripted):
    conversation = converse(surface)
    _in_a_form(scripted, surface)
    conversation.ask()
    assert [task.title for task in Task.objects.filter(deleted_at=None)] == ["Buy bread\ufffd"]
