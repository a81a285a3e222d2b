"""The owner's browser and a resume that was read and waits to be checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from projects.portfolio.models import Source
from tests.portfolio.sources_pages.conftest import _nothing_counted, give, page

__all__ = ["_nothing_counted", "give", "page"]


@pytest.fixture
def check(page, portfolio) -> Callable[..., Any]:
    """Sends one thing to the check page of a source; the answer."""

    def send(source: Source, do: str, **form: Any) -> Any:
        url = f"/portfolio/{portfolio.pk}/sources/{source.pk}/check"
        answer = page.post(url, {"do": do, **form})
        source.refresh_from_db()
        return answer

    return send


def draft(source: Source, words: str) -> dict[str, Any]:
    """The draft whose values hold these words."""
    source.refresh_from_db()
    return next(item for item in source.drafts if words in str(item["values"]))


def texts_of(html: str) -> str:
    """What a page says, without its marks."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())
