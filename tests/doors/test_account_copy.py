"""One file with all that an account holds: what is in it, and that nothing of others is."""

from __future__ import annotations

import io
import json
import zipfile

from asgiref.sync import async_to_sync
from django.urls import reverse

from chat.models import Message, Session
from tasks.campaigns.models import Campaign


async def _whole(answer) -> bytes:
    return b"".join([piece async for piece in answer.streaming_content])


def copy_of(client, **headers: str) -> dict[str, str]:
    """The files of the copy by their names; every checksum holds."""
    answer = client.get("/account/copy", headers=headers)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/zip"
    assert "attachment" in answer["Content-Disposition"]
    archive = zipfile.ZipFile(io.BytesIO(async_to_sync(_whole)(answer)))
    assert archive.testzip() is None
    return {name: archive.read(name).decode(errors="replace") for name in archive.namelist()}


def test_the_copy_has_what_the_account_holds_in_folders_by_kind(committed):
    alice = committed.clients["alice"]
    _the_account_and_the_page_of_its_deletion_lead_to_the_copy(alice)
    owner = committed.survey.response.session.participant
    for text in ("First words", "Second words"):
        talk = Session.objects.create(participant=owner, kind="concierge", title="Ærlig Ωmega")
        Message.objects.create(session=talk, seq=1, role="user", text=text)
    alice.post(reverse("todos:status", args=[committed.ids["todo_id"]]), {"status": "completed"})
    files = copy_of(alice)
    folders = {name.split("/")[0] for name in files}
    kinds = {"conversations", "surveys", "projects", "drafts", "to-dos", "portfolios"}
    assert folders == {"README.txt", *kinds}
    assert all(kind in files["README.txt"] for kind in kinds)
    assert "alice" in files["README.txt"]
    todos = {todo["title"]: todo for todo in json.loads(files["to-dos/to-dos.json"])["tasks"]}
    assert todos["Hidden wood"]["status"] == "completed"
    assert "Hidden nails" in files["to-dos/to-dos.csv"]
    project = json.loads(files["projects/hidden-shed.json"])
    assert project["notes"][0]["text"] == "Hidden note"
    assert {task["title"] for task in project["tasks"]} == {"Hidden wood", "Hidden nails"}
    draft = json.loads(files["drafts/hidden-boat.json"])
    assert (draft["name"], draft["tasks"][0]["title"]) == ("Hidden boat", "Hidden rope")
    assert files["projects/hidden-shed.md"].startswith("# Hidden shed")
    survey = json.loads(files["surveys/data-analyst.json"])
    assert "Clean data" in [task["normalizedDescription"] for task in survey["tasks"]]
    assert any(name.endswith("portfolio.json") for name in files)
    talks = [json.loads(text) for name, text in files.items() if name.endswith(".json")]
    assert "Hidden day" in [talk.get("title") for talk in talks]
    (stored,) = [text for name, text in files.items() if name.endswith("-my-data.json")]
    assert json.loads(stored)["consents"] is not None
    _conversations_of_one_name_do_not_replace_one_another(files)
    _a_list_that_its_campaign_keeps_is_left_out(committed)


def test_nothing_of_others_and_nothing_deleted_is_in_the_copy(committed):
    alice, charlie = committed.clients["alice"], committed.clients["charlie"]
    assert list(copy_of(charlie)) == ["README.txt"]
    for word in ("Clean data", "Hidden"):
        assert word not in str(copy_of(charlie))
    alice.post(reverse("chat:delete", args=[committed.ids["concierge_id"]]))
    alice.post(reverse("todos:delete", args=[committed.ids["entity_id"]]))
    text = str(copy_of(alice))
    assert "Hidden day" not in text
    assert "Hidden nails" not in text
    assert "Hidden wood" in text
    _it_speaks_the_language_of_its_owner(charlie)
    _it_is_for_who_is_signed_in_and_leaves_out_what_only_the_browser_has(committed)


def _it_is_for_who_is_signed_in_and_leaves_out_what_only_the_browser_has(committed):
    nobody, charlie = committed.clients["nobody"], committed.clients["charlie"]
    assert nobody.get("/account/copy").status_code == 302
    nobody.post("/todos/add", {"text": "Plan of a stranger"})
    charlie.cookies["futura_participant"] = nobody.cookies["futura_participant"].value
    assert "Plan of a stranger" in charlie.get("/todos?tab=all").content.decode()
    assert "Plan of a stranger" not in str(copy_of(charlie))


def _it_speaks_the_language_of_its_owner(charlie):
    files = copy_of(charlie, accept_language="de")
    assert files["README.txt"].startswith("Eine Kopie dessen, was das Futura-Konto charlie enthält")


def _conversations_of_one_name_do_not_replace_one_another(files):
    named = sorted(name for name in files if "ærlig-ωmega" in name and name.endswith(".md"))
    assert len(named) == 2
    assert {"First words" in files[name] for name in named} == {True, False}


def _a_list_that_its_campaign_keeps_is_left_out(committed):
    response = committed.survey.response
    response.campaign = Campaign.objects.get(pk=committed.ids["campaign_id"])
    response.campaign.may_download = False
    response.campaign.save()
    response.save()
    assert "surveys/data-analyst.csv" not in copy_of(committed.clients["alice"])


def _the_account_and_the_page_of_its_deletion_lead_to_the_copy(alice):
    for page in ("/account", "/account/delete"):
        html = alice.get(page).content.decode()
        assert 'href="/account/copy"' in html
        assert "Download everything" in html
