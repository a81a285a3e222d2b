"""The portfolio of the world behind the access tests: an entry that may be published, a picture."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from chat.models import Participant, Session
from chat.operations.changes import Actor, Create
from chat.operations.execute import execute, raise_if_failed
from projects.portfolio.blocks import identified
from projects.portfolio.models import Portfolio, Source, StoredImage

FILE: Final = "portfolio/doors.jpg"
BLOCK: Final = {"type": "text", "text": "Hidden brick. " * 19 + "Hidden brick."}
BLOCK_ID: Final = identified([BLOCK])[0]["id"]


def portfolio_ids(owner: Participant) -> dict[str, Any]:
    """One batch; the file is the same for all."""
    key = uuid.uuid4()
    portfolio = Create(
        "portfolio",
        {"slug": f"hidden-{uuid.uuid4().hex[:8]}", "owner_name": "Hidden Mara",
         "domain_label": "potter", "photo": key, "photo_alt": "Hidden face"},
    )  # fmt: skip
    entry = Create(
        "portfolio_entry",
        {"portfolio": portfolio.id, "doc_id": "kiln", "slug": "kiln", "title": "Hidden kiln",
         "summary": "A kiln.", "blocks": [BLOCK]},
    )  # fmt: skip
    picture = Create(
        "portfolio_image",
        {"entry": entry.id, "image": key, "alt": "Hidden fire", "is_hero": True},
    )
    record = Create(
        "portfolio_experience",
        {"portfolio": portfolio.id, "doc_id": "exp_hidden", "company": "Hidden Corp"},
    )
    told = {"portfolio": portfolio.id, "question": "Hidden question?"}
    question = Create("portfolio_question", told)
    shown = Create(
        "portfolio_entry",
        {"portfolio": portfolio.id, "doc_id": "vase", "slug": "vase", "title": "Hidden vase",
         "status": "published"},
    )  # fmt: skip
    plate = Create("portfolio_image", {"entry": shown.id, "image": key, "alt": "Hidden vase"})
    changes = [portfolio, entry, picture, record, question, shown, plate]
    raise_if_failed(execute(actor=Actor(owner.pk), changes=changes, is_atomic=True))
    if not default_storage.exists(FILE):
        default_storage.save(FILE, ContentFile(b"\xff\xd8\xff"))
    StoredImage.objects.create(
        pk=key, portfolio=Portfolio.objects.get(pk=portfolio.id), sha256=key.hex, file=FILE,
        media_type="image/jpeg", width=60, height=40,
    )  # fmt: skip
    visit = Session.objects.create(
        participant=owner, kind="portfolio_visit", state={"portfolio_id": str(portfolio.id)}
    )
    builder = Session.objects.create(
        participant=owner, kind="portfolio_builder", title="Hidden talk",
        state={"entry_id": str(entry.id)},
    )  # fmt: skip
    source = Source.objects.create(
        portfolio_id=portfolio.id, kind="profile", text="Hidden words.", given_at=timezone.now(),
        outcome="check",
        drafts=[{"kind": "award", "key": "hidden", "values": {"title": "Hidden prize"}}],
    )  # fmt: skip
    return {
        "portfolio_id": portfolio.id, "entry_id": entry.id, "picture_id": picture.id,
        "source_id": source.pk, "source_kind": "repository",
        "record_kind": "experience", "record_id": record.id,
        "question_id": question.id, "visit_id": visit.pk, "entry_slug": "vase",
        "image_id": plate.id, "builder_id": builder.pk,
    }  # fmt: skip


def portfolio_commands(ids: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Every command of portfolios with arguments that name somebody else's rows."""
    record = {"kind": "experience", "id": ids["record_id"]}
    portfolio, entry, picture = ids["portfolio_id"], ids["entry_id"], ids["picture_id"]
    return {
        "create_entry": {"portfolio": portfolio, "title": "Mine"},
        "change_entry": {"id": entry, "title": "Mine"},
        "readdress_entry": {"id": entry, "slug": "mine"},
        "delete_entry": {"id": entry},
        "place_entries": {"id": portfolio, "order": [entry]},
        "tell_entry": {"id": entry, "story": [{"section": "what", "text": "Mine"}]},
        "change_blocks": {"id": entry, "edits": [{"do": "delete", "ids": ["a"]}]},
        "rewrite_entry": {"id": entry, "title": "Mine"},
        "attach_images": {"id": entry, "files": [picture]},
        "set_photo": {"id": portfolio, "file": picture, "alt": "Mara at the wheel"},
        "arrange_images": {"id": entry, "hero": picture},
        "describe_images": {"images": [{"id": picture, "alt": "Mine"}]},
        "delete_image": {"id": picture},
        "publish_entry": {"id": entry},
        "unpublish_entry": {"id": entry},
        "change_portfolio": {"id": portfolio, "owner_name": "Mine"},
        "delete_portfolio": {"id": portfolio},
        "publish_portfolio": {"id": portfolio},
        "close_portfolio": {"id": portfolio},
        "answer_question": {"id": ids["question_id"], "answer": "Mine"},
        "dismiss_question": {"id": ids["question_id"]},
        "create_record": {"portfolio": portfolio, "kind": "awards", "values": {"title": "Mine"}},
        "change_record": {**record, "values": {"company": "Mine"}},
        "delete_record": record,
    }
