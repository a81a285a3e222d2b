"""The photo of a portfolio's person: given, described, shown everywhere, taken back, erased."""

from __future__ import annotations

import re

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from chat.operations.erase import erase_all_of
from projects.portfolio.entries import pictures
from projects.portfolio.models import StoredImage
from tests.portfolio.entries.conftest import jpeg

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    """Files of a test go where nobody looks."""
    settings.MEDIA_ROOT = tmp_path / "media"


def given(page, portfolio, alt="Mara at the wheel", body=None, name="m.jpg"):
    """The answer to a photo that its owner sends."""
    file = SimpleUploadedFile(name, body or jpeg(640, 480), content_type="image/jpeg")
    return page.post(f"/portfolio/{portfolio.pk}/photo", {"file": file, "alt": alt})


def test_a_photo_stands_on_the_page_where_it_is_shared(opened, browser, alice):
    page = browser(alice)
    assert given(page, opened).status_code == 302
    html = browser().get("/p/mara").content.decode()
    assert 'src="/p/mara/image/photo?w=480" alt="Mara at the wheel"' in html
    assert re.search(r'property="og:image" content="http[^"]+/p/mara/image/photo"', html)
    assert 'property="og:image:alt" content="Mara at the wheel"' in html
    answer = browser().get("/p/mara/image/photo")
    assert answer["Content-Type"] == "image/jpeg"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert b"Exif" not in answer.content[:400]
    assert "/operations/" in page.get(f"/portfolio/{opened.pk}/history").content.decode()


def test_without_words_or_without_a_picture_nothing_is_stored(opened, browser, alice):
    page = browser(alice)
    assert given(page, opened, alt=" ").status_code == 422
    refused = given(page, opened, body=b"<svg></svg>")
    assert refused.status_code == 422
    assert "not a supported picture" in refused.content.decode()
    alone = page.post(f"/portfolio/{opened.pk}/photo", {"alt": "Nobody"})
    assert "Select a picture." in alone.content.decode()
    opened.refresh_from_db()
    assert opened.photo_id is None
    assert browser().get("/p/mara/image/photo").status_code == 404


def test_an_undo_brings_a_photo_back_whole_and_erasing_takes_its_file(
    opened, browser, alice, actor, django_capture_on_commit_callbacks
):
    page = browser(alice)
    given(page, opened)
    stored = StoredImage.objects.get(is_photo=True)
    removed = page.post(f"/portfolio/{opened.pk}/photo", {"do": "remove"}, follow=True)
    assert browser().get("/p/mara/image/photo").status_code == 404
    pictures.purge(timezone.now() + pictures.ORPHANED_FOR * 3)
    page.post(re.search(r'action="(/projects/undo/[^"]+)"', removed.content.decode())[1])
    opened.refresh_from_db()
    assert (opened.photo_id, opened.photo_alt) == (stored.pk, "Mara at the wheel")
    assert browser().get("/p/mara/image/photo").status_code == 200
    name = str(stored.file)
    with django_capture_on_commit_callbacks(execute=True):
        erase_all_of(actor=actor, reason="test")
    assert not default_storage.exists(name)


def test_strangers_neither_change_nor_see_the_photo_of_a_draft(portfolio, browser, alice, charlie):
    assert given(browser(alice), portfolio).status_code == 302
    assert given(browser(charlie), portfolio).status_code == 404
    where = f"/portfolio/{portfolio.pk}/desk/preview/image/photo"
    assert browser(alice).get(where).status_code == 200
    assert browser(charlie).get(where).status_code == 404
    assert browser().get(f"/p/{portfolio.slug}/image/photo").status_code == 404
