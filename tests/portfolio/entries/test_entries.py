"""What is done to entries: in the ledger, by its rules, and taken back."""

from __future__ import annotations

import uuid

import pytest

from chat.operations.changes import Actor, Kind, Update
from chat.operations.execute import execute
from chat.operations.labels import Names
from chat.operations.models import Operation
from chat.operations.policy import reasons_to_wait
from chat.operations.registry import operable
from chat.operations.review import approve, propose
from chat.operations.undo import undo
from futura.errors import BadInput, Conflict, NotFound
from projects.portfolio import queries
from projects.portfolio.entries.publishing import NotReady, check
from projects.portfolio.models import Entry, EntryImage
from tests.portfolio import actions
from tests.portfolio.entries.conftest import STORY

pytestmark = pytest.mark.django_db


def codes(entry: Entry) -> list[str]:
    return [item.code for item in check(entry)]


def test_entries_get_names_of_their_own_and_stand_in_order(actor, portfolio):
    made = [
        actions.create(actor, portfolio, title=title).row
        for title in ("The Kiln", "The Kiln", "Ask", "", "Ω")
    ]
    assert [item.slug for item in made] == ["the-kiln", "the-kiln-2", "ask-2", "entry", "entry-2"]
    assert len({item.doc_id for item in made}) == 5
    assert [item.position for item in made] == [0, 1, 2, 3, 4]
    actions.arrange_entries(actor, portfolio, [made[4].pk, made[2].pk])
    told = [entry.title for entry in queries.entries_of(portfolio)]
    assert told == ["Ω", "Ask", "The Kiln", "The Kiln", ""]


def test_the_address_follows_the_title_until_somebody_chose_it(actor, portfolio, entry):
    assert entry.slug == "the-old-kiln"
    entry = actions.update(actor, entry, {"title": "New kiln"}).row
    assert entry.slug == "new-kiln"
    entry = actions.readdress(actor, entry, "fire").row
    assert actions.update(actor, entry, {"title": "Newer"}).row.slug == "fire"


def test_values_are_tidied_and_refused_by_name(actor, entry):
    told = {
        "title": "  The \n kiln ", "tags": "Clay, clay,\n fire ", "bullets": "• One\n\n- Two",
        "live_url": "https://example.org/kiln", "started": "2023", "ended": "2024-02",
    }  # fmt: skip
    row = actions.update(actor, entry, told).row
    assert (row.title, row.tags, row.bullets) == ("The kiln", ["Clay", "fire"], ["One", "Two"])
    for values, field, kind in (
        ({"title": "x" * 201}, "title", BadInput),
        ({"description": "x" * 10_001}, "description", BadInput),
        ({"live_url": "javascript:alert(1)"}, "live_url", BadInput),
        ({"started": "2024-05"}, "ended", BadInput),
        ({"started": "May"}, "started", BadInput),
        ({"context": "prison"}, "context", BadInput),
        ({"tags": [1]}, "tags", BadInput),
        ({"tags": ["x" * 81]}, "tags", BadInput),
        ({"status": "published"}, "status", BadInput),
        ({"blocks": [{"type": "text", "text": "x", "on": 1}]}, "blocks", BadInput),
    ):
        with pytest.raises(kind) as raised:
            actions.update(actor, row, values)
        assert (raised.value.field or "").partition(".")[0] == field, values


def test_a_stale_version_is_a_conflict(actor, entry):
    actions.update(actor, entry, {"title": "New"}, version=entry.version)
    with pytest.raises(Conflict):
        actions.set_blocks(actor, entry, STORY, version=entry.version)


def test_blocks_show_pictures_of_their_own_entry_only(actor, portfolio, entry, picture):
    other = actions.create(actor, portfolio, title="Other").row
    mine, strange = picture(entry), picture(other)
    block = {"type": "gallery", "images": [str(mine.pk)]}
    actions.set_blocks(actor, entry, [block])
    actions.delete_image(actor, mine)
    actions.set_blocks(actor, entry, [block, *STORY])  # an undo brings the picture back
    with pytest.raises(BadInput, match="does not belong to this entry"):
        actions.set_blocks(actor, entry, [{**block, "images": [str(strange.pk)]}])


def test_a_japanese_story_has_words_too(actor, portfolio):
    entry = actions.create(actor, portfolio, title="窯", summary="薪の窯。").row
    story = "薪で焚く窯を一人で築きました。今は十二人が毎週使っています。"  # 28 letters
    for times, is_short in ((2, True), (3, False)):
        entry = actions.set_blocks(actor, entry, [{"type": "text", "text": story * times}]).row
        assert ("too_few_words" in codes(entry)) == is_short


def test_each_failed_rule_is_named(actor, portfolio, picture):
    entry = actions.create(actor, portfolio).row
    assert codes(entry) == ["title_missing", "summary_missing", "too_few_words", "hero_missing"]
    one = picture(entry, alt="")
    entry = actions.update(actor, entry, {"title": "Kiln", "summary": "Old."}).row
    entry = actions.set_blocks(actor, entry, [{"type": "text", "text": "word " * 39}]).row
    assert codes(entry) == ["too_few_words", "alt_missing"]
    entry = actions.set_blocks(actor, entry, [{"type": "text", "text": "word " * 40}]).row
    actions.describe_image(actor, one, {"alt": "A kiln"})
    assert codes(entry) == []
    with pytest.raises(Conflict):
        actions.readdress(actor, entry, actions.create(actor, portfolio, title="X").row.slug)
    with pytest.raises(BadInput):
        actions.readdress(actor, entry, "widget")
    agent = Actor(actor.owner_id, Kind.AGENT)
    changed = [Update("portfolio_entry", entry.pk, {"title": "Better"})]
    propose(actor=agent, changes=changed, reasons=["asked"])
    assert codes(entry) == ["open_review"]


def test_an_entry_is_published_and_taken_off_again(actor, ready):
    done = actions.publish(actor, ready)
    assert done.row.status == "published"
    assert done.row.published_at
    assert actions.unpublish(actor, done.row).row.status == "draft"


def test_what_is_not_ready_is_published_by_no_door(actor, entry):
    with pytest.raises(NotReady) as raised:
        actions.publish(actor, entry)
    assert {item.code for item in raised.value.failed} >= {"hero_missing", "summary_missing"}
    by_hand = Update("portfolio_entry", entry.pk, {"status": "published"})
    failed = execute(actor=actor, changes=[by_hand]).operations.get()
    assert failed.status == "failed"
    assert "hero image" in failed.error
    agent = Actor(actor.owner_id, Kind.AGENT)
    asked = Update("portfolio_entry", entry.pk, {"status": "published"})
    assert reasons_to_wait("", [asked])
    batch = propose(actor=agent, changes=[asked], reasons=["visible"])
    operation = batch.operations.get()
    approve(actor=actor, batch_id=batch.pk, digests={operation.pk: operation.payload.digest})
    assert Operation.objects.get(pk=operation.pk).status == "failed"
    assert Entry.objects.get(pk=entry.pk).status == "draft"


def test_an_approved_proposal_publishes_what_is_ready(actor, ready):
    agent = Actor(actor.owner_id, Kind.AGENT)
    batch = propose(
        actor=agent,
        changes=[Update("portfolio_entry", ready.pk, {"status": "published"})],
        reasons=["visible"],
    )
    operation = batch.operations.get()
    approve(actor=actor, batch_id=batch.pk, digests={operation.pk: operation.payload.digest})
    assert Entry.objects.get(pk=ready.pk).status == "published"


def test_undo_publishes_only_what_is_still_ready(actor, ready):
    actions.publish(actor, ready)
    batch = actions.unpublish(actor, Entry.objects.get(pk=ready.pk)).batch
    actions.delete_image(actor, EntryImage.objects.get(entry=ready))
    with pytest.raises(Conflict):
        undo(actor=actor, operations=list(batch.operations.all()))
    assert Entry.objects.get(pk=ready.pk).status == "draft"


def test_pictures_are_arranged_led_and_deleted(actor, entry, picture):
    first, second, third = (picture(entry, alt) for alt in ("one", "two", "three"))
    assert first.is_hero
    assert not second.is_hero
    actions.arrange_images(actor, entry, order=[third.pk, first.pk], hero=second.pk)
    assert [image.alt for image in queries.images_of(entry)] == ["two", "three", "one"]
    second.refresh_from_db()
    batch = actions.delete_image(actor, second)
    assert [(image.alt, image.is_hero) for image in queries.images_of(entry)] == [
        ("three", True), ("one", False),
    ]  # fmt: skip
    undo(actor=actor, operations=list(batch.operations.all()))
    assert [image.alt for image in queries.images_of(entry)] == ["two", "three", "one"]
    with pytest.raises(BadInput):
        actions.arrange_images(actor, entry, order=[uuid.uuid4()])


def test_a_deleted_entry_comes_back_with_its_pictures(actor, ready):
    batch = actions.delete(actor, ready).batch
    assert not EntryImage.objects.filter(deleted_at=None).exists()
    undo(actor=actor, operations=list(batch.operations.all()))
    assert len(queries.images_of(Entry.objects.get(pk=ready.pk))) == 1


def test_what_a_person_corrects_is_left_alone_by_its_source(actor, make, portfolio):
    row = make("portfolio_entry", portfolio=portfolio.pk, doc_id="a", slug="a", source=uuid.uuid4())
    row = actions.update(actor, row, {"title": "Mine", "summary": ""}).row
    assert row.kept_fields == ["title"]


def test_a_stranger_finds_nothing(alice, bob, entry, identity_for):
    assert queries.entry_for(identity_for(alice), entry.pk) == entry
    for who, portfolio_id in ((bob, None), (alice, uuid.uuid4())):
        with pytest.raises(NotFound):
            queries.entry_for(identity_for(who), entry.pk, portfolio_id=portfolio_id)


def test_the_log_of_changes_says_a_story_in_words(actor, entry, picture):
    one = picture(entry)
    story = [*STORY[:1], {"type": "gallery", "images": [str(one.pk)], "caption": "All of it"}]
    batch = actions.set_blocks(actor, entry, story).batch
    operation = batch.operations.get()
    told = Names.of([operation]).say(operable("portfolio_entry"), "blocks", story)
    assert told == "The kiln\n[Gallery: 1 picture] All of it"
