"""Drafts of a scripted model: they wait with their marks, grow, are used, lost or dropped."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from django.urls import reverse

from chat.events import log as events
from chat.events.kinds import Token
from projects.portfolio.article import article_of
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry
from tests.event_log import replay_now
from tests.portfolio.builder.reading_app import (
    OPENING,
    STAGE,
    STORY,
    edit,
    field,
    reading_app,
    texts,
    texts_of,
)
from tests.scripted import ScriptedCall as Call

pytestmark = pytest.mark.django_db(transaction=True)

DRAFT = {
    "title": None, "summary": "Eine App für Leser.", "seo_title": None, "seo_description": None,
    "tags": None,
    "sections": [
        {"heading": None, "keep": None, "sentences": [
            {"text": "Eine App für Leser.", "quote": "It is an app for readers"},
            {"text": "Sie gewann drei Preise in Mailand.", "quote": "three awards in Milan"},
        ]},
        {"heading": "Weg", "keep": ["quote"], "sentences": [
            {"text": "Zehn Gespräche.", "quote": "zehn gespräche"}]},
    ],
}  # fmt: skip


@pytest.fixture
def entry(make, portfolio) -> Entry:
    return reading_app(make, portfolio)


def test_a_draft_that_is_taken_back_is_said_to_be_dropped(model, talk, entry):
    model.on(STAGE).calls(Call("generatePortfolioContent", DRAFT)).text("Ein Entwurf.").calls(
        Call("undoLast", {})
    ).text("Weg.")
    chat = talk(entry=entry)
    chat.say("Schreib den Text neu.")
    chat.say("Nein, nimm das zurück.")
    (told,) = model.of(STAGE)[-1].tool_results.values()
    assert str(told).startswith("Dropped; it had only waited")
    assert [item.status for item in chat.operations()] == ["rejected"]


def test_a_draft_waits_with_its_marks_and_is_used_after_a_yes(model, talk, entry):
    unquoted = {**copy.deepcopy(DRAFT), "summary": "Eine App."}
    for sentence in unquoted["sections"][0]["sentences"]:
        sentence["quote"] = None
    model.on(STAGE).calls(Call("generatePortfolioContent", DRAFT)).text("Ein Entwurf.").calls(
        Call("useDraft", {})
    ).text("Übernommen.").calls(Call("generatePortfolioContent", unquoted)).text("Noch einer.")
    chat = talk(entry=entry)
    chat.say("Schreib den Text neu, aus „Zehn Gespräche“.")
    entry.refresh_from_db()
    assert texts(entry) == texts_of(STORY)
    assert chat.parts("operations")[0]["waiting"] == 1
    marks = {
        "Eine App für Leser.": True, "Sie gewann drei Preise in Mailand.": False,
        "Zehn Gespräche.": True,
    }  # fmt: skip
    assert marks_of(chat) == marks
    # said where one decides, and the sentence is open to be seen
    draft = chat.page.split('class="draft"')[1]
    assert "1 sentence has no source" in draft.split(">Use draft<")[0]
    assert '<details class="sourced" open>' in draft
    chat.say("Ja, nimm ihn.")
    entry.refresh_from_db()
    assert "drei Preise" in texts(entry)[0]  # marked, not removed
    assert [block["type"] for block in entry.blocks] == ["text", "heading", "text", "quote"]
    assert chat.parts("operations")[0]["done"] == 1
    supported = [bool(source["quote"]) for source in entry.blocks[0]["sources"]]
    assert supported == [True, False]
    # what was used without a source is none for the next draft, which is used by its button
    chat.say("Schreib ihn noch einmal.")
    assert marks_of(chat) == marks
    [part] = chat.parts("sourced")
    assert part["sentences"][0]["quote"] == "It is an app for readers"  # its source, not itself
    assert ">Use draft<" in chat.page.rsplit('class="draft"', 1)[1]


def test_what_a_model_wrote_bears_out_nothing_that_a_model_writes_later(model, talk, entry):
    award = "It won three awards in Milan."
    insert = edit(do="insert", after="end", blocks=[{"type": "text", "text": award}])
    draft = {**DRAFT, "summary": None, "sections": [{"heading": None, "keep": None, "sentences": [
        {"text": "Three awards.", "quote": "three awards in Milan"},
        {"text": "A city of readers.", "quote": "A whole city reads it"},
        {"text": "Ten talks.", "quote": "Ten interviews"},
    ]}]}  # fmt: skip
    model.on(STAGE).calls(field("summary", "A whole city reads it."), insert).text("Done.").calls(
        Call("generatePortfolioContent", draft)
    ).text("A draft.")
    chat = talk(entry=entry)
    chat.say("Make it sound better.")
    entry.refresh_from_db()
    assert (entry.summary, texts(entry)[-1]) == ("A whole city reads it.", award)
    chat.say("Write it anew.")
    assert marks_of(chat) == {
        "Three awards.": False, "A city of readers.": False, "Ten talks.": True,
    }  # fmt: skip


def marks_of(chat: Any) -> dict[str, bool]:
    """Of the last draft: each sentence, and whether something bears it out."""
    [part] = chat.parts("sourced")
    return {sentence["text"]: sentence["is_supported"] for sentence in part["sentences"]}


def test_a_draft_grows_beside_what_stands_and_is_used_or_discarded_by_its_buttons(
    model, talk, entry, client, alice
):
    sentences = [{"text": "A quiet app for readers.", "quote": "app for readers"}]
    call = Call("regenerateSection", {"field": None, "block": "open", "sentences": sentences})
    model.on(STAGE).calls(call, chunk_delay_s=0.001).text("So?")
    chat = talk(entry=entry)
    start = events.tail(chat.id)
    chat.say("Make the opening quieter.")
    (live,) = chat.parts("drafting")
    assert live["block"] == "open"
    grown = [
        item.event.text
        for item in replay_now(chat.id, start).entries
        if isinstance(item.event, Token) and item.event.is_beside
    ]
    assert "".join(grown) == "A quiet app for readers."
    (text,) = chat.parts("sourced")[0]["draft"]["texts"]
    assert OPENING in text["before"]
    assert "A quiet app for readers." in text["after"]

    client.force_login(alice)
    page = client.get(entry_url(entry)).content.decode()
    assert "drafting__flow" not in page  # it is whole by now
    assert re.search(r"<ins[^>]*>A quiet", page)
    shown = re.findall(r'name="shown" value="([^"]+)"', page.split(">Use draft<")[0])[-1:]
    batch = chat.batches[0].pk
    assert client.post(f"/operations/{batch}/approve", {"shown": shown}).status_code == 303
    entry.refresh_from_db()
    assert texts(entry)[0] == "A quiet app for readers."
    assert ">Use draft<" not in client.get(entry_url(entry)).content.decode()


def test_a_whole_draft_grows_the_same_way_and_shows_what_it_would_change(model, talk, entry):
    draft = Call("generatePortfolioContent", DRAFT)
    model.on(STAGE).calls(draft, chunk_delay_s=0.001).text("So?")
    chat = talk(entry=entry)
    start = events.tail(chat.id)
    chat.say("Schreib alles neu, aus „Zehn Gespräche“.")
    logged = [item.event for item in replay_now(chat.id, start).entries]
    grown = [item.text for item in logged if isinstance(item, Token) and item.is_beside]
    assert "".join(grown).startswith("Eine App für Leser. Sie gewann drei Preise in Mailand.")
    assert {text["field"] for text in chat.parts("sourced")[0]["draft"]["texts"]} == {
        "summary", "blocks",
    }  # fmt: skip
    page = chat.page
    assert re.search(r"<ins[^>]*>[^<]*Leser", page)
    assert re.search(r"<del[^>]*>", page)
    [batch] = chat.batches
    chat.use(batch)
    entry.refresh_from_db()
    assert "drei Preise" in texts(entry)[0]


def test_a_draft_that_grew_and_did_not_come_through_is_said_to_be_gone(model, talk, entry):
    sentences = [{"text": "A quiet app for readers.", "quote": "app for readers"}]
    wrong, right = (
        Call("regenerateSection", {"field": None, "block": block, "sentences": sentences})
        for block in ("nothere", "open")
    )
    lost = "The draft was not saved, because it did not pass a check. {} Ask for it once more."
    unknown = "It names a part of the text that does not exist: “nothere”."
    model.on(STAGE).calls(wrong).text("Here it is.").calls(wrong).calls(right).text("Better.")
    chat = talk(entry=entry)
    chat.say("Make the opening quieter.")
    assert chat.parts("drafting")
    assert chat.reply == f"Here it is.\n\n{lost.format(unknown)}"
    assert not chat.parts("sourced")
    chat.say("Once more, please.")  # the second try within an answer is the one that counts
    assert chat.reply == "Better."
    assert chat.parts("sourced")
    unbound = Call("generatePortfolioContent", {**DRAFT, "summary": "So quiet. " * 50})
    model.on(STAGE).calls(unbound).text("Here.")
    chat.say("Write all of it anew.")
    assert chat.reply == f"Here.\n\n{lost.format('It did not have the form of a draft.')}"


def test_a_lost_draft_without_a_place_is_explained_in_the_language_of_its_reader(
    model, talk, entry
):
    unplaced = {"field": None, "block": "open", "text": "A quiet app for readers."}
    model.on(STAGE).calls(Call("regenerateSection", unplaced)).text("Bitte.")
    chat = talk(entry=entry)
    chat.browser.post(reverse("chat:language"), {"language": "de"})
    chat.say("Ruhiger, bitte.")
    lost = "Er sagt nicht, welchen Text er womit ersetzt. Bitten Sie noch einmal darum."
    assert chat.reply.endswith(lost)


def entry_url(entry: Entry) -> str:
    return f"/portfolio/{entry.portfolio_id}/entries/{entry.pk}"


def test_sentences_are_marked_where_they_stand_on_every_page_of_the_owner(
    model, talk, entry, client, alice
):
    model.on(STAGE).calls(Call("generatePortfolioContent", DRAFT)).text("Ein Entwurf.").calls(
        Call("useDraft", {})
    ).text("Gut.")
    chat = talk(entry=entry)
    chat.say("Schreib den Text neu, aus „Zehn Gespräche“.")
    chat.say("Ja.")
    client.force_login(alice)
    for name in ("", "/story", "/publish"):
        page = client.get(f"{entry_url(entry)}{name}").content.decode()
        supported = page.split("Eine App für Leser.<sup>")[0].rsplit("<a ", 1)[1]
        invented = page.split("Sie gewann drei Preise in Mailand.<sup>")[0].rsplit("<a ", 1)[1]
        assert 'class="claim"' in supported, name
        assert "claim--unsupported" in invented
        anchors = [re.search(r'href="#([^"]+)"', item)[1] for item in (supported, invented)]
        notes = [page.split(f'id="{anchor}"')[1].split("</div>")[0] for anchor in anchors]
        assert "It is an app for readers" in notes[0]
        assert "No source supports this" in notes[1]
    entry.refresh_from_db()
    assert "claim" not in str(article_of(entry, image_url=lambda *_: "").blocks)


def test_a_draft_of_another_version_is_not_used(model, talk, entry):
    model.on(STAGE).calls(Call("generatePortfolioContent", DRAFT)).text("A draft.").calls(
        field("title", "Other")
    ).text("Done.").calls(Call("useDraft", {})).text("It was changed since.")
    chat = talk(entry=entry)
    chat.say("Write the text.")
    chat.say("Call it Other.")
    chat.say("Now use it.")
    entry.refresh_from_db()
    assert (entry.title, texts(entry)) == ("Other", texts_of(STORY))
    assert chat.parts("operations")[0]["done"] == 0


def test_a_draft_is_used_as_its_owner_left_it_on_its_card(
    model, talk, entry, picture, client, alice
):
    picture(entry, "A kiln")
    image = picture(entry, "A studio")
    layout = [{"block": item, "new": None} for item in ("quote", "open", "process", "how")]
    model.on(STAGE).calls(
        Call("composePortfolioLayout", {"pieces": layout, "pictures": [str(image.pk)]})
    ).text("So?").calls(Call("useDraft", {})).text("Done.")
    chat = talk(entry=entry)
    chat.say("Lay it out.")
    client.force_login(alice)
    pictures = chat.operations(entity="portfolio_image")
    away = {"operation": [str(item.pk) for item in pictures]}
    assert client.post(f"/operations/{chat.batches[0].pk}/reject", away).status_code == 303
    chat.say("Yes, the text.")
    entry.refresh_from_db()
    image.refresh_from_db()
    assert entry.blocks[0]["id"] == "quote"
    assert not image.is_hero


@pytest.mark.parametrize("is_said", [True, False])
def test_two_parts_that_are_drafted_at_once_are_both_used(model, talk, entry, is_said):
    quieter = {"open": "A quiet app for readers.", "how": "Ten talks, then paper."}
    calls = [
        Call("regenerateSection", {"block": key, "sentences": [{"text": text, "quote": None}]})
        for key, text in quieter.items()
    ]
    model.on(STAGE).calls(*calls).text("Zwei Entwürfe.").calls(Call("useDraft", {})).text("Gut.")
    chat = talk(entry=entry)
    chat.say("Mach beide Teile ruhiger.")
    entry.refresh_from_db()
    assert texts(entry) == texts_of(STORY)
    if is_said:
        chat.say("Ja, beide.")
        assert all(text in model.of(STAGE)[2].text for text in quieter.values())
    else:
        chat.use(chat.batches[0])
    entry.refresh_from_db()
    assert [texts(entry)[0], texts(entry)[2]] == [*quieter.values()]
    assert [block["id"] for block in entry.blocks] == [block["id"] for block in STORY]
    assert chat.session.state["draft"] is None or not is_said


def test_an_earlier_draft_goes_with_the_use_of_the_later_and_hinders_no_publishing(
    model, talk, entry
):
    shorter = {**DRAFT, "summary": "Kurz.", "sections": DRAFT["sections"][:1]}
    model.on(STAGE).calls(Call("generatePortfolioContent", DRAFT)).text("Ein Entwurf.").calls(
        Call("generatePortfolioContent", shorter)
    ).text("Kürzer.").calls(Call("useDraft", {})).text("Gut.")
    chat = talk(entry=entry)
    chat.say("Schreib alles neu.")
    chat.say("Zu lang, kürzer bitte.")
    assert [item.status for item in chat.operations()] == ["pending"] * 2
    chat.say("Ja, nimm ihn.")
    entry.refresh_from_db()
    assert entry.summary == "Kurz."
    assert not [item for item in chat.operations() if item.status == "pending"]
    assert "open_review" not in {rule.code for rule in check(entry)}


def test_a_model_does_not_use_its_draft_in_the_turn_that_made_it(model, talk, entry):
    model.on(STAGE).calls(Call("generatePortfolioContent", DRAFT)).calls(Call("useDraft", {})).text(
        "It is in."
    )
    chat = talk(entry=entry)
    chat.say("Write the text.")
    entry.refresh_from_db()
    assert texts(entry) == texts_of(STORY)
    assert [batch.status for batch in chat.batches] == ["review"]


def test_a_layout_loses_no_block(model, talk, entry, picture):
    image = picture(entry, "A kiln")
    pieces = [{"block": item, "new": None} for item in ("quote", "open", "process")]
    gallery = {"block": None, "new": {"type": "gallery", "images": [str(image.pk)]}}
    whole = [*pieces, {"block": "how", "new": None}, gallery]
    model.on(STAGE).calls(Call("composePortfolioLayout", {"pieces": pieces})).calls(
        Call("composePortfolioLayout", {"pieces": whole})
    ).text("So?").calls(Call("useDraft", {})).text("Done.")
    chat = talk(entry=entry)
    chat.say("Lay it out.")
    assert [part["status"] for part in chat.parts("tool_result")] == ["failed", "ok"]
    chat.say("Yes.")
    entry.refresh_from_db()
    assert [block.get("id") for block in entry.blocks][:4] == ["quote", "open", "process", "how"]
    assert entry.blocks[4]["images"] == [str(image.pk)]
