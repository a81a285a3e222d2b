"""What is done with files that claim to be pictures."""

from __future__ import annotations

import datetime as dt
import io
import struct
import uuid
import zlib

import pytest
from django.core.files.storage import default_storage
from django.test import RequestFactory
from django.utils import timezone
from django.utils.translation import override
from PIL import Image

from chat.commands.base import build
from futura.errors import BadInput, NotFound
from projects.portfolio.commands.images import DescribeImages
from projects.portfolio.entries import limits, pictures
from projects.portfolio.entries.pictures import read_picture, sizes_of
from projects.portfolio.models import EntryImage, StoredImage
from tests.portfolio import actions
from tests.portfolio.entries.conftest import drawn, jpeg

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def read(body: bytes) -> tuple[StoredImage, bytes]:
    return read_picture(io.BytesIO(body), len(body))


def chunk(kind: bytes, body: bytes) -> bytes:
    told = kind + body
    return struct.pack(">I", len(body)) + told + struct.pack(">I", zlib.crc32(told))


def bomb(width: int, height: int) -> bytes:
    """A few bytes that claim to be a huge picture."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1_000)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", body), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize(
    "body",
    [
        SVG,
        b"<html><script>alert(1)</script></html>",
        b"GIF89a/*" + b"\0" * 20 + b"*/=alert(1)",
        b"%PDF-1.7 nothing",
        drawn("BMP"),
        drawn("TIFF"),
        drawn("PPM"),
        jpeg(400, 400)[:300],
        drawn("PNG", 300, 300)[:-40],
        b"\xff\xd8\xff\xe0" + b"\0" * 500,
        bomb(100, 100),
        b"",
    ],
    ids=[
        "svg", "html", "script-as-gif", "pdf", "bmp", "tiff", "ppm", "cut-jpeg", "cut-png",
        "empty-jpeg", "broken-png", "nothing",
    ],
)  # fmt: skip
def test_what_is_no_picture_is_refused_in_words(body):
    with pytest.raises(BadInput) as raised:
        read(body)
    assert raised.value.field == "files"


@pytest.mark.parametrize(("width", "height"), [(60_000, 60_000), (20_001, 10), (9_000, 9_000)])
def test_a_bomb_is_refused_before_it_is_unpacked(width, height):
    with pytest.raises(BadInput, match="too large"):
        read(bomb(width, height))


def test_too_many_bytes_and_too_few_dots_are_refused():
    with pytest.raises(BadInput, match="larger than 20 MB"):
        read_picture(io.BytesIO(b""), limits.UPLOAD_BYTES + 1)
    with pytest.raises(BadInput, match="too small"):
        read(drawn("PNG", 4, 4))


def test_nothing_that_came_along_is_kept_and_the_picture_stands_upright():
    exif = Image.Exif()
    exif[0x0112] = 6  # held upright: turn it by a quarter
    exif[0x010F] = "Secret Camera"
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, 12.0), 3: "E", 4: (13.0, 24.0, 36.0)})
    sent = jpeg(60, 40, exif=exif, comment=b"by Mara") + b"<script>alert(1)</script>PK\x03\x04"
    assert b"Secret Camera" in sent
    row, body = read(sent)
    assert (row.media_type, row.width, row.height) == ("image/jpeg", 40, 60)
    kept = Image.open(io.BytesIO(body))
    assert not kept.getexif()
    assert not {"exif", "comment", "icc_profile", "xmp"} & set(kept.info)
    for hidden in (b"Secret", b"script", b"Mara", b"PK"):
        assert hidden not in body


def test_see_through_and_moving_pictures_become_still_ones():
    out = io.BytesIO()
    frames = [Image.new("P", (50, 50), colour) for colour in (1, 2, 3)]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], loop=0)
    row, body = read(out.getvalue())
    assert row.media_type == "image/webp"
    assert getattr(Image.open(io.BytesIO(body)), "n_frames", 1) == 1
    out = io.BytesIO()
    Image.new("RGBA", (50, 50), (0, 0, 0, 0)).save(out, "PNG")
    assert Image.open(io.BytesIO(read(out.getvalue())[1])).mode == "RGBA"


@pytest.mark.parametrize(
    ("mode", "kind"), [("CMYK", "JPEG"), ("L", "JPEG"), ("I;16", "PNG"), ("1", "PNG")]
)
def test_pictures_of_any_colours_can_be_read(mode, kind):
    out = io.BytesIO()
    Image.new(mode, (30, 30)).save(out, kind)
    assert read(out.getvalue())[0].width == 30


def test_a_photograph_is_kept_as_one_whatever_it_comes_as():
    out = io.BytesIO()
    noise = Image.effect_noise((300, 300), 80)
    Image.merge("RGB", (noise, noise.rotate(90), noise.rotate(180))).save(out, "PNG")
    assert read(out.getvalue())[0].media_type == "image/jpeg"
    assert read(drawn("PNG"))[0].media_type == "image/webp"


def test_a_large_picture_is_kept_smaller_with_sizes_for_phones():
    row, body = read(jpeg(3_000, 1_500))
    assert (row.width, row.height) == (2_400, 1_200)
    sizes = sizes_of(io.BytesIO(body))
    assert sorted(sizes) == [480, 960, 1_600]
    assert Image.open(io.BytesIO(sizes[480])).size == (480, 240)


@pytest.mark.django_db
def test_a_picture_is_stored_once_and_served_in_the_size_that_is_wished(portfolio):
    sent = jpeg(1_000, 500)
    first = pictures.store_upload(portfolio, io.BytesIO(sent), len(sent))
    assert pictures.store_upload(portfolio, io.BytesIO(sent), len(sent)) == first
    assert StoredImage.objects.count() == 1
    assert pictures.name_of(first, 300)[0].endswith(f"{first.pk}-480.webp")
    assert pictures.name_of(first, 961) == (str(first.file), "image/jpeg")
    folder, _name = str(first.file).rsplit("/", 1)
    # sizes are drawn when the first of them is asked for
    assert len(default_storage.listdir(folder)[1]) == 1
    wish = RequestFactory().get("/", {"w": "480"})
    small = pictures.respond(wish, first, is_public=True)
    assert (small["Content-Type"], small["Cache-Control"]) == ("image/webp", "public, max-age=3600")
    assert len(default_storage.listdir(folder)[1]) == 3
    assert pictures.respond(wish, first, is_public=True).content == small.content
    pictures.delete_files(first)
    assert default_storage.listdir(folder)[1] == []
    with pytest.raises(NotFound):
        pictures.respond(wish, first, is_public=True)


@pytest.mark.django_db
def test_a_full_portfolio_takes_no_more(portfolio, entry, picture, monkeypatch):
    picture(entry)
    monkeypatch.setattr(limits, "PICTURES", 1)
    with pytest.raises(BadInput, match="at most 1 pictures"):
        pictures.store_upload(portfolio, io.BytesIO(jpeg()), 100)
    monkeypatch.setattr(limits, "PICTURES", 9)
    monkeypatch.setattr(limits, "STORED_PICTURES", 1)
    with pytest.raises(BadInput, match="kept for restoring"):
        pictures.store_upload(portfolio, io.BytesIO(jpeg()), 100)
    monkeypatch.setattr(limits, "PICTURES_OF_ENTRY", 1)
    with pytest.raises(BadInput, match="at most 1"):
        picture(entry)


@pytest.mark.django_db
def test_files_go_when_no_undo_could_bring_them_back(
    actor, portfolio, entry, django_capture_on_commit_callbacks
):
    from chat.operations.erase import erase

    sent = jpeg(1_000, 500)
    stored = pictures.store_upload(portfolio, io.BytesIO(sent), len(sent))
    image = actions.attach_image(actor, entry, stored).row
    actions.delete_image(actor, image)
    later = timezone.now() + dt.timedelta(days=400)
    assert pictures.purge(later) == 0  # an undo may want it
    erase(actor=actor, rows=[("portfolio_image", image.pk)], reason="forget it")
    assert pictures.purge() == 0  # not at once
    with django_capture_on_commit_callbacks(execute=True):
        assert pictures.purge(later) == 1
    assert not default_storage.exists(str(stored.file))
    assert default_storage.listdir(str(stored.file).rsplit("/", 1)[0])[1] == []


@pytest.mark.django_db
def test_a_picture_of_another_portfolio_is_not_taken(actor, entry, make):
    other = make("portfolio", slug="other", owner_name="Other", domain_label="potter")
    stored = StoredImage.objects.create(
        portfolio=other, sha256=uuid.uuid4().hex, file="x.jpg", media_type="image/jpeg",
        width=9, height=9,
    )  # fmt: skip
    with pytest.raises(BadInput, match="does not belong to this portfolio"):
        actions.attach_image(actor, entry, stored)
    assert not EntryImage.objects.exists()


def test_the_history_counts_pictures_in_the_persons_language():
    texts = [{"id": uuid.uuid4(), "alt": "A kiln"}, {"id": uuid.uuid4(), "alt": "A shed"}]
    with override("de"):
        assert build(DescribeImages, {"images": texts}).ledger_title == "2 Bilder beschrieben"
        assert build(DescribeImages, {"images": texts[:1]}).ledger_title == "Bild beschrieben"
