"""What was sent stays as it was sent, whatever its owner tries."""

from __future__ import annotations

from tests.doors.forms import FORMS
from tests.doors.world import OURS, knock, sent_to, stored


def test_after_sending_nothing_of_it_can_be_changed(committed):
    world, client = committed, committed.clients["alice"]
    assert knock(client, "post", world.survey.url("submit"), {"sure": "yes"}).status_code == 302
    before, taken = stored(), []
    harmless = {
        "chat:claim", "chat:draft", "chat:stop", "chat:transcribe",
        "survey:transcribe",
        "survey:start", "survey:finish", "survey:submit", "survey:delete_answers",
        # the list of conversations is put in order as before; its bin takes what was sent, too
        "chat:rename", "chat:archive", "chat:unarchive", "chat:delete", "chat:restore",
        "chat:erase", "chat:language", "chat:zone_told", "chat:delete_account",
        "chat:tokens", "chat:revoke_token",
    }  # fmt: skip
    of_it = {name for name in FORMS if name.startswith(("chat:", "survey:"))}
    for name in sorted(of_it - harmless):
        url = next(item for item in OURS if item.name == name).url(world.ids)
        if knock(client, "post", url, sent_to(world, name)).status_code != 409:
            taken.append(name)
    said = {"action": "message", "sessionId": str(world.ids["session_id"]), "message": "One more."}
    picked = {"sessionId": str(world.ids["session_id"]), "selectedSuggestionIds": ["c-1"]}
    for method, body in (("post", said), ("patch", picked)):
        if knock(client, method, "/api/chat", body).status_code != 409:
            taken.append(f"api {method}")
    for name in ("survey:finish", "survey:submit"):
        url = next(item for item in OURS if item.name == name).url(world.ids)
        knock(client, "post", url, {"sure": "yes"})
    assert taken == []
    assert stored() == before
