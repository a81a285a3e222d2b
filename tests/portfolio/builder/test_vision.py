"""A scripted model that sees the pictures of an entry, and one that cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from chat.models import Session
from projects.portfolio import queries
from projects.portfolio.models import Entry
from tests.extent import some
from tests.portfolio.builder.conftest import Talk
from tests.portfolio.entries.conftest import jpeg
from tests.scripted import ScriptedCall as Call

pytestmark = pytest.mark.django_db(transaction=True)
VISION = "portfolio_vision"
BUILDER = "portfolio_builder"
LOOK = Call("lookAtPictures", {})
SEEN = {
    "pictures": [
        {"number": 1, "alt": "A cold kiln of red bricks.", "caption": None},
        {"number": 2, "alt": "A kiln on fire.", "caption": "The first firing"},
        {"number": 9, "alt": "Nothing", "caption": None},
    ],
    "hero": 2, "before": 1, "after": 2,
}  # fmt: skip


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    """Files of a test go where nobody looks."""
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def page(browser, alice) -> Any:
    return browser(alice)


@pytest.fixture
def where(make, portfolio, page) -> str:
    """The address of an entry with two pictures; the second has words of its owner's."""
    entry = make("portfolio_entry", portfolio=portfolio.pk, doc_id="kiln", slug="kiln",
                 title="The kiln")  # fmt: skip
    url = f"/portfolio/{portfolio.pk}/entries/{entry.pk}"
    files = [
        SimpleUploadedFile(f"{n}.jpg", jpeg(1600, 900, c)) for n, c in enumerate(("red", "navy"))
    ]
    assert page.post(f"{url}/pictures", {"files": files}).status_code == 302
    return url


def rows(where: str) -> list[Any]:
    return queries.in_order(Entry.objects.get(pk=where.rsplit("/", 1)[1]))


def looked(page, where, me, drain) -> Talk:
    """The conversation after the button of the page of pictures."""
    assert "Suggest texts" in page.get(f"{where}/pictures").content.decode()
    sent = page.post(f"{where}/pictures", {"do": "look"})
    assert sent.url == where
    session = Session.objects.get(kind="portfolio_builder")
    return Talk(session, me, drain)


@pytest.mark.parametrize("wire", some(["chat", "responses"], 2))
def test_what_a_model_sees_waits_as_a_proposal_and_is_done_when_it_is_used(
    scripted, settings, page, where, me, drain, wire
):
    settings.LLM_WIRE = wire
    scripted.on(VISION).json(SEEN)
    scripted.on(BUILDER).calls(LOOK).text("These are my suggestions.")
    talk = looked(page, where, me, drain)
    assert "Call lookAtPictures now." in json.dumps(scripted.of(BUILDER)[0].body)
    (request,) = scripted.of(VISION)
    sent = json.dumps(request.body)
    assert sent.count("data:image/jpeg;base64,") == 2
    assert len(sent) < 200_000  # small copies
    assert [item.alt for item in rows(where)] == ["", ""]
    assert talk.parts("operations")[0]["waiting"] == 3
    assert "These are my suggestions" in talk.reply
    (batch,) = talk.batches
    talk.use(batch)
    first, second = rows(where)
    assert (first.alt, first.is_hero) == ("A cold kiln of red bricks.", False)
    assert (second.alt, second.caption, second.is_hero) == (
        "A kiln on fire.", "The first firing", True,
    )  # fmt: skip
    (pair,) = talk.entry.blocks
    assert (pair["before"], pair["after"]) == (str(first.pk), str(second.pk))


def test_words_of_the_owner_are_not_replaced(scripted, page, where, me, drain):
    one = rows(where)[1]
    page.post(f"{where}/pictures", {f"alt-{one.pk}": "Mine", f"caption-{one.pk}": "",
                                    f"version-{one.pk}": one.version})  # fmt: skip
    scripted.on(VISION).json(SEEN)
    scripted.on(BUILDER).calls(LOOK).text("These are my suggestions.")
    talk = looked(page, where, me, drain)
    asked = [operation.payload.requested or {} for operation in talk.operations()]
    assert [item["alt"] for item in asked if "alt" in item] == ["A cold kiln of red bricks."]


def test_pictures_after_the_twelfth_are_seen_once_those_before_have_texts(
    scripted, page, where, me, drain
):
    files = [SimpleUploadedFile(f"m{n}.jpg", jpeg(90, 60, (9 * n, 0, 0))) for n in range(11)]
    assert page.post(f"{where}/pictures", {"files": files}).status_code == 302
    *first, last = rows(where)
    described = {f"alt-{one.pk}": "Mine" for one in first}
    page.post(f"{where}/pictures", described | {f"version-{one.pk}": one.version for one in first})
    told = [{"number": 13, "alt": "A cold kiln of red bricks.", "caption": None}]
    scripted.on(VISION).json({"pictures": told, "hero": None, "before": None, "after": None})
    scripted.on(BUILDER).calls(LOOK).text("These are my suggestions.")
    talk = looked(page, where, me, drain)
    asked = {
        item.entity_id: (item.payload.requested or {}).get("alt") for item in talk.operations()
    }
    assert asked[last.pk] == "A cold kiln of red bricks."


def test_a_second_look_goes_on_where_the_first_ended(scripted, page, where, me, drain, talk):
    files = [SimpleUploadedFile(f"m{n}.jpg", jpeg(90, 60, (9 * n, 0, 0))) for n in range(12)]
    assert page.post(f"{where}/pictures", {"files": files}).status_code == 302
    *first, before_last, last = [item.pk for item in rows(where)]
    seeing = scripted.on(VISION)
    for numbers in ((1, 2), (13, 14), (11, 12)):
        told = [{"number": number, "alt": "A kiln.", "caption": None} for number in numbers]
        seeing.json({"pictures": told, "hero": None, "before": None, "after": None})
    chat = talk(entry=Entry.objects.get(pk=where.rsplit("/", 1)[1]))
    scripted.on(BUILDER).calls(LOOK).text("Schau.")
    chat.say("Beschreib meine Bilder.")
    assert {item.entity_id for item in chat.operations()} == set(first[:2])
    scripted.on(BUILDER).calls(LOOK).text("Schau.")
    chat.say("Und die übrigen? Das vorletzte zeigt unsere Scheune.")
    assert {item.entity_id for item in chat.operations()} == {*first[:2], before_last, last}
    assert "Das vorletzte zeigt unsere Scheune." in scripted.of(VISION)[1].text
    assert "in this order they are 13, 14, 1, 2, 3" in scripted.of(VISION)[1].text
    scripted.on(BUILDER).calls(LOOK).text("Schau.")
    chat.say("Bitte noch einmal von vorn.")
    assert {item.entity_id for item in chat.operations()} >= set(first[10:])


def test_a_model_that_sees_reads_the_story_for_its_language(scripted, page, where, me, drain):
    block = {"type": "text", "text": "Der Ofen steht in einer Scheune bei Leipzig."}
    entry = where.rsplit("/", 1)[1]
    edit = {"do": "insert", "after": "end", "blocks": [block]}
    command = {"name": "change_blocks", "arguments": {"id": entry, "edits": [edit]}}
    sent = page.post("/api/commands", command, content_type="application/json")
    assert sent.status_code == 200
    scripted.on(VISION).json(SEEN)
    scripted.on(BUILDER).calls(LOOK).text("Meine Vorschläge.")
    looked(page, where, me, drain)
    assert block["text"] in str(scripted.of(VISION)[0].body)


@pytest.mark.parametrize("status", some([400, 500], 2))
def test_a_model_that_cannot_see_says_so_and_the_form_stays(
    scripted, page, where, me, drain, status
):
    scripted.on(VISION).status(status)
    scripted.on(BUILDER).calls(LOOK).text("I could not see them.")
    talk = looked(page, where, me, drain)
    says = "cannot read pictures" if status == 400 else "could not read"
    assert says in json.dumps(scripted.of(BUILDER)[-1].body)
    assert talk.reply == "I could not see them."
    assert talk.batches == []
    form = page.get(f"{where}/pictures").content.decode()
    assert form.count('name="alt-') == 2


def test_the_model_of_the_conversation_can_ask_for_it(scripted, page, where, me, drain, talk):
    scripted.on(VISION).json(SEEN)
    scripted.on(BUILDER).calls(LOOK).text("Schau.")
    chat = talk(entry=Entry.objects.get(pk=where.rsplit("/", 1)[1]))
    chat.say("Beschreib meine Bilder.")
    assert chat.parts("operations")[0]["waiting"] == 3
    assert chat.reply == "Schau."
    scripted.on(BUILDER).calls(Call("useDraft", {})).text("Übernommen.")
    chat.say("Ja, übernimm das alles.")
    assert [item.alt for item in rows(where)] == ["A cold kiln of red bricks.", "A kiln on fire."]
    assert [item.is_hero for item in rows(where)] == [False, True]
    assert not [item for item in chat.operations() if item.status == "pending"]


def test_without_a_model_nothing_is_offered(page, where):
    assert "Suggest texts" not in page.get(f"{where}/pictures").content.decode()
