"""A portfolio to keep: what its owner gets as JSON and as a file, the photo included."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from asgiref.sync import async_to_sync
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.portfolio.entries.conftest import jpeg
from tests.portfolio.open import fill

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner(settings, tmp_path, portfolio, browser, alice):
    """Her browser; the portfolio has entries, records, a picture and a photo."""
    settings.MEDIA_ROOT = tmp_path / "media"
    fill(portfolio)
    page = browser(alice)
    files = {name: SimpleUploadedFile(name, jpeg(640, 480, name)) for name in ("teal", "navy")}
    page.post(f"/portfolio/{portfolio.pk}/photo", {"file": files["teal"], "alt": "Mara at work"})
    entry = portfolio_entry(page, portfolio)
    page.post(f"/portfolio/{portfolio.pk}/entries/{entry}/pictures", {"files": files["navy"]})
    return page


def portfolio_entry(page, portfolio) -> str:
    listed = page.get(f"/api/portfolio/{portfolio.pk}/entries").json()["entries"]
    return next(item["id"] for item in listed if item["slug"] == "tram-times")


async def whole(answer) -> bytes:
    return b"".join([piece async for piece in answer.streaming_content])


def test_the_json_has_everything_with_the_photo(owner, portfolio):
    told = owner.get(f"/api/portfolio/{portfolio.pk}").json()
    assert told["photo"]["alt"] == "Mara at work"
    assert told["owner_name"] == "Mara Lindqvist"
    assert told["records"]["experience"][0]["company"] == "Acme Corp"
    assert told["records"]["profile"][0]["private_contact"] == ["mara@example.org"]
    tram = next(entry for entry in told["entries"] if entry["slug"] == "tram-times")
    assert tram["blocks"][0]["text"] == "How it went"
    assert told["records"]["experience"][0]["linked_entries"] == [tram["id"]]
    assert tram["pictures"][0]["isHero"]


def test_the_file_has_the_photo_and_the_pictures(owner, portfolio):
    answer = owner.get(f"/portfolio/{portfolio.pk}/export")
    assert answer["Content-Type"] == "application/zip"
    body = async_to_sync(whole)(answer)
    archive = zipfile.ZipFile(io.BytesIO(body))
    told = json.loads(archive.read("portfolio.json"))
    tram = next(entry for entry in told["entries"] if entry["slug"] == "tram-times")
    for name in (told["photo"]["file"], tram["pictures"][0]["file"]):
        assert archive.read(name).startswith(b"\xff\xd8\xff")
    assert "Download" in owner.get(f"/portfolio/{portfolio.pk}/settings").text
