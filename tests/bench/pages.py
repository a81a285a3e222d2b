"""Open pages of the product by the hundred."""

from __future__ import annotations

import json
from typing import Self

from tests.bench.sockets import Frame, WebSocket

IDLE = 'id="run-state" hidden data-state="idle"'


def says_done(frame: Frame) -> bool:
    """Whether the answer is there."""
    return IDLE in frame.text


class Page(WebSocket):
    """A socket of one session."""

    @classmethod
    async def open(cls, port: int, session: str, cookie: str) -> Self:
        """Connects and waits until the page stands, so that all that follows is seen."""
        page = await cls.connect(port, f"/ws/session/{session}/?view=chat", [f"Cookie: {cookie}"])
        await page.frame()
        return page

    def say(self, text: str) -> float:
        """Sends a message; when."""
        return self.write(json.dumps({"type": "send", "text": text}))
