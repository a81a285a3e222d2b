"""Pages as tests compare them: their markup without the spaces by which a template is wrapped."""

from __future__ import annotations

import re
from typing import Any


def flat(page: Any) -> str:
    """The markup of an answer, or a text, on one line; no spaces beside tags or at their ends."""
    html = page if isinstance(page, str) else page.content.decode()
    line = re.sub(r"\s+", " ", html)
    return re.sub(r" ?(<[^>]*?) ?(/?>) ?", r"\1\2", line)
