"""Somebody who talks to the product over HTTP, without a browser; and what the records say."""

from __future__ import annotations

import http.client
import json
import re
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from http.cookies import SimpleCookie
from typing import Any, TypeVar
from urllib.parse import urlencode

from tests.stack import Stack

T = TypeVar("T")
PATIENCE_S = 120.0


def until(look: Callable[[], T], *, within_s: float = PATIENCE_S) -> T:
    """Looks again and again until there is something to see; fails with what was seen last."""
    deadline = time.monotonic() + within_s
    while not (seen := look()):
        assert time.monotonic() < deadline, f"never came; the last look gave {seen!r}"
        time.sleep(0.02)
    return seen


@dataclass(frozen=True)
class Run:
    """A run as it stands in the database."""

    id: uuid.UUID
    status: str
    reply: str
    stage: str = ""


@dataclass
class Person:
    """One anonymous participant with one conversation."""

    stack: Stack
    session: str = ""
    cookies: dict[str, str] = field(default_factory=dict)

    def start(self, title: str = "Policy Analyst") -> Person:
        """Begins a conversation and waits for the opening."""
        body = json.dumps({"action": "start", "jobTitle": title})
        status, told = self.ask("POST", "/api/chat", body, {"Content-Type": "application/json"})
        assert status == 200, told
        self.session = json.loads(told)["sessionId"]
        return self

    def page(self, part: str = "chat") -> str:
        """The page as a browser would load it."""
        status, html = self.ask("GET", f"/survey/{self.session}/{part}")
        assert status == 200, f"{html}\n{self.stack.logs('web')[-4000:]}"
        return html

    def say(self, text: str, client_id: str = "") -> uuid.UUID:
        """Sends a message; the run that will answer it."""
        fields = {"text": text, "client_id": client_id or str(uuid.uuid4())}
        return uuid.UUID(self._post(f"/chat/sessions/{self.session}/messages", fields)["run"])

    def answer_to(self, text: str) -> str:
        """Says something as a program does, and waits for the whole answer."""
        body = {"action": "message", "sessionId": self.session, "message": text}
        kind = {"Content-Type": "application/json"}
        status, answer = self.ask("POST", "/api/chat", json.dumps(body), kind)
        assert status == 200, (status, answer)
        return str(json.loads(answer)["message"]["content"])

    def finish(self) -> None:
        """Presses “Continue”: the talk is over, the list is made."""
        given = urlencode({"csrfmiddlewaretoken": self.cookies["csrftoken"]})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        status, told = self.ask("POST", f"/survey/{self.session}/finish", given, kind)
        assert status == 302, (status, told)

    def stop(self, run: uuid.UUID) -> dict[str, Any]:
        """Presses Stop."""
        return self._post(f"/chat/sessions/{self.session}/stop", {"run": str(run)})

    def retry(self, run: uuid.UUID) -> uuid.UUID:
        """Presses “Try again”, which the page must offer; the new run."""
        address = f"/chat/runs/{run}/retry"
        assert address in self.page()
        return uuid.UUID(self._post(address)["run"])

    def tasks(self) -> tuple[str, list[dict[str, Any]]]:
        """How far the list is, and what is on it."""
        status, told = self.ask("GET", f"/api/survey/{self.session}/tasks")
        assert status == 200, told
        answer = json.loads(told)
        return answer["status"], answer["tasks"]

    # What the records say ---------------------------------------------------------------------
    def run(self, run_id: uuid.UUID) -> Run:
        """One run, with the text of its reply."""
        found = self.stack.rows(
            "SELECT run.id, run.status, coalesce(reply.text, ''), run.stage FROM chat_run run"
            " LEFT JOIN chat_message reply ON reply.id = run.reply_id WHERE run.id = %s",
            run_id,
        )
        return Run(*found[0])

    def ended(self, run_id: uuid.UUID, *statuses: str) -> Run:
        """The run once it is over; fails when it is over in another way."""
        run = until(lambda: (it := self.run(run_id)).status not in {"queued", "running"} and it)
        assert isinstance(run, Run)
        assert run.status in (statuses or {"completed"}), run
        return run

    def talk(self) -> list[tuple[str, str]]:
        """Who said what, in order, without answers that were set aside."""
        return self.stack.rows(
            "SELECT role, text FROM chat_message"
            " WHERE session_id = %s AND superseded_at IS NULL ORDER BY seq",
            self.session,
        )

    def counted(self) -> tuple[int, int, int]:
        """How many messages of the person, replies, and runs there are; set aside ones too."""
        return self.stack.rows(
            "SELECT (SELECT count(*) FROM chat_message WHERE session_id = s.id AND role = 'user'),"
            " (SELECT count(*) FROM chat_message WHERE session_id = s.id AND role <> 'user'),"
            " (SELECT count(*) FROM chat_run WHERE session_id = s.id)"
            " FROM chat_session s WHERE s.id = %s",
            self.session,
        )[0]

    # Inside -----------------------------------------------------------------------------------
    def _post(self, address: str, fields: dict[str, str] | None = None) -> dict[str, Any]:
        if "csrftoken" not in self.cookies:
            self.page()
        given = {"csrfmiddlewaretoken": self.cookies["csrftoken"], **(fields or {})}
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        status, told = self.ask("POST", address, urlencode(given), kind)
        assert status in {200, 202}, (status, told)
        answer: dict[str, Any] = json.loads(told)
        return answer

    def ask(
        self, method: str, address: str, body: str = "", headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        """Status and text of an answer; cookies are sent and taken as a browser does."""
        host = f"localhost:{self.stack.port}"
        web = http.client.HTTPConnection("127.0.0.1", self.stack.port, timeout=60)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        own = {"Host": host, "Origin": f"http://{host}", **(headers or {})}
        try:
            web.request(
                method, address, body.encode(), own | ({"Cookie": cookie} if cookie else {})
            )
            answer = web.getresponse()
            for line in answer.headers.get_all("Set-Cookie", []):
                self.cookies |= {name: item.value for name, item in SimpleCookie(line).items()}
            return answer.status, answer.read().decode()
        finally:
            web.close()


def text_of(html: str) -> str:
    """The words of a page."""
    bare = re.sub(r"<(script|template|style)\b.*?</\1>", "", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", bare))).strip()
