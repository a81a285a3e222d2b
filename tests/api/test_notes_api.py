"""Notes by JSON: added, read, changed by the whole or by a part, deleted."""

from __future__ import annotations

import pytest

from chat.operations.replay import differences
from tests import todos

pytestmark = pytest.mark.django_db


def test_a_note_is_added_changed_by_its_parts_and_deleted(call, project):
    sent = {"project": str(project.pk), "title": "Colours", "text": "Red and blue.\n\nNo green."}
    note = call("post", "/notes", sent, expect=201)["note"]
    path = f"/notes/{note['id']}"
    part = {"replaced": "blue", "text": "yellow"}
    changed = call("patch", path, part)
    assert changed["note"]["text"] == "Red and yellow.\n\nNo green."
    added = call("patch", path, {"append": "Ask Ann."})["note"]
    assert added["text"].endswith("No green.\n\nAsk Ann.")
    assert call("patch", path, {"title": None})["note"]["title"] == ""
    listed = call("get", f"/notes?project={project.pk}")["notes"]
    assert [item["id"] for item in listed] == [note["id"]]
    gone = call("delete", path)
    call("get", path, expect=404)
    call("post", f"/operations/{gone['batch_id']}/undo", {"digest": ""})
    assert call("get", path)["version"] == 6
    assert not differences()


REFUSED = (
    ({"replaced": "green", "text": "red"}, 409),
    ({"replaced": "e", "text": "a"}, 409),
    ({"text": ""}, 400),
    ({}, 400),
    ({"text": "x" * 20_001}, 413),
    ({"text": "B", "version": 7}, 409),
    ({"colour": "red"}, 422),
)


def test_what_does_not_fit_changes_nothing(call, actor, project):
    for change, status in REFUSED:
        values = {"text": "Keep these three."}
        note = todos.add_note(actor=actor, project=project, values=values).row
        call("patch", f"/notes/{note.pk}", change, expect=status)
        note.refresh_from_db()
        assert (note.version, note.text) == (1, "Keep these three."), (change, status)
