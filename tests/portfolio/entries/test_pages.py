"""The pages of entries, as their owner walks them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from projects.portfolio import queries
from projects.portfolio.models import Entry
from projects.portfolio.queries import session_of
from tests.portfolio import actions
from tests.portfolio.entries.conftest import STORY, jpeg

pytestmark = pytest.mark.django_db
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def at(entry):
    """Addresses of the entry's pages."""
    return lambda name, *more: reverse(
        f"entries:{name}", args=[entry.portfolio_id, entry.pk, *more]
    )


@pytest.fixture
def alices(alice, client):
    client.force_login(alice)
    return client


def now(entry: Entry) -> Entry:
    return Entry.objects.get(pk=entry.pk)


def file(name: str = "kiln.jpg", body: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, jpeg(600, 400) if body is None else body)


def test_an_entry_is_added_listed_moved_and_deleted(alices, portfolio, entry):
    where = reverse("entries:list", args=[portfolio.pk])
    made = alices.post(where, {"title": "Second"})
    assert made.status_code == 302
    second = Entry.objects.get(title="Second")
    assert str(second.pk) in made.url
    alices.post(reverse("entries:order", args=[portfolio.pk]), {"do": f"up:{second.pk}"})
    page = alices.get(where).content.decode()
    assert page.index("Second") < page.index("The old kiln")
    drag = {"do": "order", "order": [str(entry.pk), str(second.pk)]}
    alices.post(reverse("entries:order", args=[portfolio.pk]), drag)
    assert [item.title for item in queries.entries_of(portfolio)] == ["The old kiln", "Second"]
    gone = alices.post(reverse("entries:delete", args=[portfolio.pk, second.pk]), follow=True)
    assert "Deleted entry" in gone.content.decode()
    assert alices.post(where, {"title": "x" * 201}).status_code == 422


@pytest.mark.thorough
def test_the_list_costs_the_same_however_long_it_is(
    alices, actor, portfolio, entry, picture, django_assert_max_num_queries
):
    where = reverse("entries:list", args=[portfolio.pk])
    picture(entry)
    alices.get(where)
    with django_assert_max_num_queries(12) as few:
        alices.get(where)
    for number in range(6):
        picture(actions.create(actor, portfolio, title=f"Entry {number}").row)
    with django_assert_max_num_queries(len(few)):
        alices.get(where)


def test_details_are_saved_and_come_back_as_typed_when_refused(alices, at, entry):
    form = {"title": "Kiln", "summary": "Old.", "tags": "clay, fire", "bullets": "One\nTwo",
            "context": "work", "version": entry.version}  # fmt: skip
    assert alices.post(at("details"), form).status_code == 302
    assert (now(entry).tags, now(entry).bullets) == (["clay", "fire"], ["One", "Two"])
    page = alices.post(at("details"), form | {"live_url": "ftp://x", "title": "Typed " + SCRIPT})
    assert page.status_code == 422
    told = page.content.decode()
    assert "Typed &lt;script&gt;" in told
    assert SCRIPT not in told


def test_two_tabs_keep_what_only_one_changed_and_are_asked_about_the_rest(alices, at, entry):
    seen = {"version": entry.version, "title": entry.title, "summary": ""}
    assert alices.post(at("details"), seen | {"summary": "First tab"}).status_code == 302
    assert alices.post(at("details"), seen | {"title": "Second tab"}).status_code == 302
    assert (now(entry).title, now(entry).summary) == ("Second tab", "First tab")
    clash = alices.post(at("details"), seen | {"summary": "Third tab"})
    assert clash.status_code == 409
    told = clash.content.decode()
    assert "First tab" in told
    assert "Third tab" in told
    assert alices.post(at("details"), seen | {
        "summary": "Third tab", "version": now(entry).version, "title": "Second tab",
    }).status_code == 302  # fmt: skip
    assert now(entry).summary == "Third tab"


@pytest.mark.parametrize("kind", ["gallery", "before_after"])
def test_each_picture_to_choose_has_a_name_of_its_own(alices, at, entry, picture, kind):
    picture(entry, "The kiln, cold")
    picture(entry, "")
    page = alices.get(at("block"), {"kind": kind, "at": 0}).content.decode()
    labels = re.findall(r'<label class="choose-picture">(.*?)</label>', page, re.DOTALL)
    names = [" ".join(re.sub(r"<[^>]+>", " ", label).split()) for label in labels]
    assert names[:2] == ["Picture 1 The kiln, cold", "Picture 2 no alternative text"]
    assert len(names) == (2 if kind == "gallery" else 4)


def test_a_story_is_written_block_by_block(alices, at, entry, picture):
    one, two = picture(entry, "before"), picture(entry, "after")
    sent: list[dict[str, Any]] = [
        {"kind": "heading", "text": "The kiln", "level": "2"},
        {"kind": "text", "text": "We **rebuilt** it."},
        {"kind": "quote", "text": "Warm.", "said_by": "A potter"},
        {"kind": "facts", "facts": "Size: 2 m\nBricks: 400"},
        {"kind": "gallery", "images_shown": [str(two.pk), str(one.pk)], "caption": "Both"},
        {"kind": "before_after", "before": str(one.pk), "after": str(two.pk)},
    ]
    for place, block in enumerate(sent):
        kind = block["kind"]
        assert alices.get(at("block"), {"kind": kind, "at": place}).status_code == 200
        saved = alices.post(at("block"), {**block, "at": place})
        assert saved.status_code == 302, saved.content.decode()
    kinds = [block["type"] for block in now(entry).blocks]
    assert kinds == [block["kind"] for block in sent]
    assert now(entry).blocks[4]["images"] == [str(one.pk), str(two.pk)]
    page = alices.get(at("story")).content.decode()
    for words in ("<strong>rebuilt</strong>", "A potter", "400", "Both"):
        assert words in page
    for place in range(6):
        assert alices.get(at("block"), {"at": place}).status_code == 200
    alices.post(at("arrange"), {"do": "down", "id": now(entry).blocks[0]["id"]})
    assert [block["type"] for block in now(entry).blocks][:2] == ["text", "heading"]
    gone = alices.post(at("arrange"), {"do": "delete", "id": now(entry).blocks[1]["id"]})
    assert len(now(entry).blocks) == 5
    assert "done=" in gone.url


REFUSED = (
    {"kind": "text", "text": " "},
    {"kind": "text", "text": "x" * 10_001},
    {"kind": "facts", "facts": "no colon"},
    {"kind": "gallery"},
    {"kind": "before_after", "before": "x", "after": "y"},
    {"kind": "heading", "text": "Title", "level": "7"},
)


def test_a_block_that_cannot_be_kept_comes_back(alices, at, entry, picture):
    picture(entry), picture(entry)
    for block in REFUSED:
        assert alices.post(at("block"), {"at": 0, **block}).status_code == 422, block
        assert now(entry).blocks == []


def test_a_block_that_another_tab_changed_is_not_overwritten_unasked(alices, actor, at, entry):
    actions.set_blocks(actor, entry, STORY)

    def hidden(page: str) -> dict[str, str]:
        return dict(re.findall(r'name="(kind|at|id|version)" value="([^"]*)"', page))

    sent = hidden(alices.get(at("block"), {"at": 1}).content.decode())
    assert alices.post(at("block"), sent | {"text": "Mine now"}).status_code == 302
    assert now(entry).blocks[1]["text"] == "Mine now"
    clash = alices.post(at("block"), sent | {"text": "Mine again"})
    assert clash.status_code == 409
    told = clash.content.decode()
    assert "Mine again" in told
    again = hidden(told) | {"text": "Mine again"}
    assert alices.post(at("block"), again).status_code == 302
    assert now(entry).blocks[1]["text"] == "Mine again"
    # one that is gone is added anew
    alices.post(at("arrange"), {"do": "delete", "id": again["id"]})
    assert alices.post(at("arrange"), {"do": "up", "id": again["id"]}).status_code == 409
    clash = alices.post(at("block"), again)
    assert clash.status_code == 409
    anew = again | {"id": ""} | hidden(clash.content.decode())
    assert alices.post(at("block"), anew).status_code == 302
    assert [block["text"] for block in now(entry).blocks].count("Mine again") == 1


def test_html_in_every_field_stays_text(alices, actor, at, entry, picture):
    picture(entry, f"alt {SCRIPT}")
    bad = f"x {SCRIPT} <img src=x onerror=alert(1)>"
    told = dict.fromkeys(
        ("title", "summary", "entry_type", "location", "description", "organization", "role",
         "impact", "size_or_scope", "seo_title", "seo_description", "private_notes"), bad,
    )  # fmt: skip
    lists = {
        name: [bad]
        for name in ("tags", "tech_stack", "languages", "materials", "techniques", "bullets")
    }
    blocks = [
        {"type": "heading", "text": bad},
        {"type": "text", "text": bad + " [x](javascript:alert(1))"},
        {"type": "quote", "text": bad, "said_by": bad},
        {"type": "facts", "facts": [{"label": "x<script>", "value": bad}]},
    ]  # fmt: skip
    entry = actions.update(actor, entry, told | lists | {"blocks": blocks}).row
    for name in ("workspace", "details", "story", "pictures", "publish", "delete"):
        page = alices.get(at(name)).content.decode()
        assert SCRIPT not in page, name
        assert "<img src=x" not in page, name
        assert 'href="javascript' not in page, name


def test_pictures_are_sent_described_ordered_and_served(alices, at, entry):
    sent = alices.post(at("pictures"), {"files": [file(), file("b.png", jpeg(50, 50, "red"))]})
    assert sent.status_code == 302
    one, two = queries.in_order(entry)
    words = {f"alt-{one.pk}": "A kiln", f"caption-{one.pk}": "", f"version-{one.pk}": 1,
             f"alt-{two.pk}": "Red", f"caption-{two.pk}": "B", f"version-{two.pk}": 1}  # fmt: skip
    assert alices.post(at("pictures"), words | {"do": f"up:{two.pk}"}).status_code == 302
    assert [(image.alt, image.is_hero) for image in queries.in_order(entry)] == [
        ("Red", False), ("A kiln", True),
    ]  # fmt: skip
    alices.post(at("pictures"), {"do": f"hero:{two.pk}"})
    assert queries.images_of(entry)[0].alt == "Red"
    served = alices.get(at("picture", one.pk), {"w": "480"})
    assert served.headers["Content-Type"] == "image/webp"
    assert served.headers["X-Content-Type-Options"] == "nosniff"
    assert served.headers["Cache-Control"].startswith("private")
    assert served.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert served.content.startswith(b"RIFF")
    again = alices.get(
        at("picture", one.pk), {"w": "480"}, headers={"If-None-Match": served["ETag"]}
    )
    assert again.status_code == 304
    alices.post(at("pictures"), {"do": f"delete:{two.pk}"})
    assert [(image.alt, image.is_hero) for image in queries.images_of(entry)] == [("A kiln", True)]


def test_what_cannot_be_used_is_named_and_the_rest_is_kept(alices, at, entry, picture):
    one = picture(entry, "Old words")
    sent = {
        "files": [file("good.jpg"), file("bad<b>.svg", b"<svg></svg>")],
        f"alt-{one.pk}": "New words", f"caption-{one.pk}": "", f"version-{one.pk}": 1,
        "do": f"delete:{one.pk}",
    }  # fmt: skip
    page = alices.post(at("pictures"), sent)
    assert page.status_code == 422
    told = page.content.decode()
    assert "bad&lt;b&gt;.svg: This file is not a supported picture" in told
    assert [image.alt for image in queries.in_order(entry)] == ["New words", ""]
    heavy = alices.post(at("pictures"), {"files": [file("heavy.jpg", bytes(20 * 2**20 + 1))]})
    assert "heavy.jpg: This file is larger than 20 MB." in heavy.content.decode()
    late = {f"alt-{one.pk}": "Later words", f"caption-{one.pk}": "", f"version-{one.pk}": 1}
    clash = alices.post(at("pictures"), late)
    assert clash.status_code == 422
    assert "Later words" in clash.content.decode()
    assert "New words" in clash.content.decode()


def test_an_entry_is_published_when_nothing_is_missing(alices, at, entry, actor, picture):
    refused = alices.post(at("publish"))
    assert refused.status_code == 422
    assert "The hero image is missing" in refused.content.decode()
    picture(entry)
    actions.update(actor, entry, {"summary": "Old.", "blocks": STORY})
    page = alices.get(at("publish")).content.decode()
    assert "Publish entry" in page
    seen = {"version": re.search(r'name="version" value="(\w{16})"', page)[1]}
    actions.describe_image(actor, queries.images_of(entry)[0], {"alt": "Another picture"})
    late = alices.post(at("publish"), seen)
    assert late.status_code == 409
    assert "changed since you opened this page" in late.content.decode()
    assert alices.post(at("publish")).status_code == 302
    assert now(entry).status == "published"
    assert "This entry is published" in alices.get(at("publish")).content.decode()
    alices.post(at("status"), {"do": "unpublish"})
    assert now(entry).status == "draft"
    assert alices.post(at("slug"), {"slug": "Not One!"}).status_code == 422
    assert alices.post(at("slug"), {"slug": "fire"}).status_code == 302
    assert now(entry).slug == "fire"


def test_the_talk_begins_with_the_first_thing_said_and_what_is_done_by_hand_is_told_there(
    alices, at, entry
):
    first = alices.get(at("workspace")).content.decode()
    assert "Describe the work" in first
    assert alices.post(at("workspace"), {"text": "x" * 20_001}).status_code == 422
    assert session_of(entry) is None
    assert alices.post(at("workspace"), {"text": "We rebuilt a kiln."}).status_code == 302
    session = session_of(entry)
    assert session is not None
    alices.post(at("workspace"), {"text": "Again."})
    assert session_of(entry) == session
    alices.post(at("details"), {"title": "By hand", "version": entry.version})
    told = alices.get(at("workspace")).content.decode()
    assert 'id="entry-preview"' in told
    assert "By hand" in told
    assert session.operation_batches.count() == 1
