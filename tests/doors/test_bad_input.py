"""What bad input does behind every door that takes a form."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle, islice
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tasks.commands.edit import DeleteTasks
from tests.doors.forms import (
    ACCOUNTS,
    CLOSED,
    FORMS,
    HAS_DEFAULT,
    MAY_BE_EMPTY,
    OPEN_TEXT,
    QUERIES,
    ROOMY,
    STAFF,
)
from tests.doors.world import (
    LONG,
    OURS,
    SCRIPT,
    World,
    as_made,
    knock,
    ready_for,
    sent_to,
    stored,
    undone,
)
from tests.extent import every
from tests.tasks import changing

HEARING = {"chat:transcribe", "survey:transcribe"}
"""Doors that take a recording, and need a model that hears."""
BAD = {
    "script": f"\u202e{SCRIPT}\r\nX-Evil: 1", "long": LONG, "nul": "a\x00b", "only nul": "\x00",
    "negative": "-1", "huge": "1e999", "nan": "NaN", "digits": "٣٣", "empty": "",
}  # fmt: skip


def _is_told(answer: Any) -> bool:
    """Whether a refusal says something that a person or program can use."""
    body = answer.content.decode()
    if answer.headers.get("Content-Type", "").startswith("application/json"):
        return bool(json.loads(body)["error"]["message"])
    return any(mark in body for mark in ("<h1", "field__error", 'class="notice', "toast"))


@every(10)
def test_a_form_as_meant_is_taken(world, every):
    for name in sorted(set(FORMS) - ACCOUNTS - HEARING)[::every]:
        _as_meant_is_taken(as_made(world), name)


def _as_meant_is_taken(world: World, name: str) -> None:
    with undone():
        route = next(item for item in OURS if item.name == name)
        if name == "chat:transcribe":
            body = {"audio": SimpleUploadedFile("a.webm", b"sound", "audio/webm")}
            assert (
                knock(world.clients["alice"], "post", route.url(world.ids), body).status_code == 503
            )
            return
        if name == "survey:undo":
            changing.act(DeleteTasks, world.survey.response, tasks=[world.ids["task_id"]])
        url = route.url(ready_for(world, name))
        who = "stan" if name in STAFF else "alice"
        if name == "staff_operations:batch":  # of a project: private, opens for a reason
            world.clients["stan"].post("/staff/changes/why", {"reason": "Asked by phone"})
        answer = knock(world.clients[who], "post", url, sent_to(world, name))
        assert answer.status_code in {200, 204, 302, 303}, name


FIELDS = [(name, key) for name, form in sorted(FORMS.items()) for key in form]
SHARED = Counter(key for _, key in FIELDS)


def _in_turn(fields: Iterable[str], values: Mapping[str, Any], first: int) -> Iterator[Any]:
    """Each field with the next of the values; `first` is the place to begin at."""
    turning = islice(cycle(values.items()), first % len(values), None)
    for key, (what, value) in zip(fields, turning, strict=False):
        yield key, {what: value}


# each field stands alone there: what can be used is saved beside what cannot
SAVES_THE_REST = {"survey:rate"}


def test_bad_values_are_refused_with_a_word_and_leave_nothing(world):
    """Some of the fields meet one bad value each; all those of all forms when thorough."""
    for nth, name in enumerate(sorted(FORMS)[::6]):
        pairs = _in_turn(FORMS[name], _values(), 5 * nth)
        for key, value in islice(pairs, nth % min(3, len(FORMS[name]) or 1), None, 3):
            if _try(as_made(world), name, key, value):
                _show_no_script(world, name, [key])


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(name for name, form in FORMS.items() if form))
def test_every_bad_value_is_refused_with_a_word_and_leaves_nothing(world, name):
    """A field of several forms meets the values by turns: each value in one of them at least."""
    marked = []
    for key in FORMS[name]:
        values = _values()
        step = min(SHARED[key], len(values))
        turn = [form for form, field in FIELDS if field == key].index(name)
        if _try(world, name, key, dict(list(values.items())[turn % step :: step])):
            marked.append(key)
    _show_no_script(world, name, marked)


def _values() -> dict[str, Any]:
    return {
        **BAD,
        "a file": SimpleUploadedFile("x.txt", b"bytes", "text/plain"),
        "twice": ["abc", SCRIPT],
        "missing": None,
    }


def _client_of(world: World, name: str) -> Client:
    who = "nobody" if name in {"survey:start", "account_signup"} else "alice"
    return world.clients["stan" if name in STAFF else who]


def _try(world: World, name: str, key: str, values: dict[str, Any]) -> bool:
    """Whether a script was taken and is stored: then it must be seen that no page runs it."""
    url = next(item for item in OURS if item.name == name).url(world.ids)
    client, is_marked = _client_of(world, name), False
    before = stored()
    for what, value in values.items():
        sent = sent_to(world, name) | {key: value}
        if value is None:
            del sent[key]
        with undone():
            answer = knock(client, "post", url, sent)
            status, body = answer.status_code, answer.content.decode(errors="replace")
            assert status < 500, (name, key, what)
            assert "<script>alert" not in body, (name, key, what)
            if status >= 400:
                assert _is_told(answer), (name, key, what)
                assert name in SAVES_THE_REST or stored() == before, (name, key, what)
                continue
            if (key in OPEN_TEXT and what == "long" and name not in ROOMY) or (
                key in CLOSED and not _may_pass(name, key, what)
            ):
                pytest.fail(f"{name}, {key}: {what} was taken: {status}")
            is_marked |= what == "script" and stored() != before
    return is_marked


def _show_no_script(world: World, name: str, keys: list[str]) -> None:
    """No page shows what a form has taken: in all of these fields at once, if it takes that."""
    url = next(item for item in OURS if item.name == name).url(world.ids)
    for part in (keys, *([key] for key in keys)) if keys else ():
        with undone():
            sent = sent_to(world, name) | dict.fromkeys(part, BAD["script"])
            if knock(_client_of(world, name), "post", url, sent).status_code < 400:
                _pages_show_no_script(world, name)
                if part is keys:
                    return


def _may_pass(name: str, key: str, what: str) -> bool:
    """Values that are not bad there: nothing chosen, or a number in other digits."""
    if what == "digits" and key in {"time_share", "version"}:
        return True
    empty = {"missing", "empty", "only nul", "a file"}  # forms are read without NUL
    return what in empty and (key in MAY_BE_EMPTY | {"card"} or (name, key) in HAS_DEFAULT)


def _pages_show_no_script(world: World, name: str) -> None:
    """On the pages of the thing, and in the lists that name it."""
    project, draft = world.ids["project_id"], world.ids["draft_id"]
    if name.startswith(("chat:", "survey:")):
        pages = [world.survey.url(page) for page in ("chat", "tasks", "complete")]
        pages += ["/account", "/conversations", "/conversations?tab=bin"]
    elif name.startswith(("portfolio:", "entries:")):
        parts = ("", "/history", "/sources", "/records/experience", "/settings")
        pages = [f"/portfolio/{world.ids['portfolio_id']}{part}" for part in parts]
    else:
        pages = ["/", "/todos?tab=all", "/conversations", "/projects", f"/projects/{project}"]
        pages += [f"/projects/{project}/history", f"/projects/drafts/{draft}"]
    for page in pages:
        assert "<script>alert" not in world.clients["alice"].get(page).content.decode()


def test_bad_words_in_an_address_never_break_a_page(world):
    for nth, name in list(enumerate(QUERIES))[::7]:
        pairs = _in_turn(QUERIES[name], BAD, 5 * nth)
        for key, word in islice(pairs, nth % min(3, len(QUERIES[name]) or 1), None, 3):
            _read(world, name, key, word)


@pytest.mark.thorough
@pytest.mark.parametrize(("nth", "name"), list(enumerate(QUERIES)))
def test_no_bad_word_in_an_address_breaks_a_page(world, nth, name):
    """Every page meets every word, and each of its keys some: they share the words."""
    keys, words = QUERIES[name], list(BAD.items())
    turned = [*words[nth % len(words) :], *words[: nth % len(words)]]
    for place, key in enumerate(keys):
        _read(world, name, key, dict(turned[place % len(words) :: len(keys)]))


def _read(world: World, name: str, key: str, bad: dict[str, str]) -> None:
    url = next(item for item in OURS if item.name == name).url(world.ids)
    is_staff = name.startswith(("staff", "ledger:", "campaigns:", "insights:", "datasets:"))
    client = world.clients["stan" if is_staff else "alice"]
    client.raise_request_exception = False
    for what, value in bad.items():
        good = {"q": "nurse"} if name.startswith("api:") else {}
        answer = client.get(url, good | {key: value})
        assert answer.status_code < 500, (name, key, what)
        if not answer.streaming and "html" in answer.headers.get("Content-Type", ""):
            assert "<script>alert" not in answer.content.decode(), (name, key, what)
    assert client.get(f"{url}?{key}=%ED%A0%80%FF").status_code < 500


def test_a_refused_start_leaves_no_participant(world):
    before = stored()
    client = world.clients["nobody"]
    for sent in (
        {"title": "", "occupation": "none"},
        {"title": "x" * 300, "occupation": "none"},
        {"title": "Baker", "occupation": "99-9999.99"},
        {"title": "Baker", "occupation": "none", "initial_tasks": LONG},
        {"title": "\x00", "occupation": "none"},
        {"title": "Baker\x00", "occupation": "x\x00"},
    ):
        answer = knock(client, "post", "/survey", sent)
        assert answer.status_code == 422, sent
        assert stored() == before
        assert "futura_participant" not in answer.cookies
