"""A person at a distance: pages, API and an open page's socket through nginx."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import ssl
import threading
import time
import uuid
from contextlib import ExitStack, suppress
from html import unescape
from typing import Any

import httpx2

from tests.scale.cluster import Cluster

WAIT_S = 30.0
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Visitor:
    """One person with a conversation; `source` is the address they come from."""

    def __init__(self, cluster: Cluster, *, source: str = "127.0.0.1") -> None:
        self.cluster = cluster
        self.http = httpx2.Client(
            base_url=cluster.url,
            timeout=WAIT_S,
            transport=httpx2.HTTPTransport(verify=cluster.trusting(), local_address=source),
        )
        self.session_id = ""

    def start(self, **headers: str) -> httpx2.Response:
        """Begins a survey by the API."""
        answer = self.http.post(
            "/api/chat", json={"action": "start", "jobTitle": "Policy Analyst"}, headers=headers
        )
        self.session_id = answer.json().get("sessionId", "")
        return answer

    def say(self, text: str) -> httpx2.Response:
        """One message by the door of the page."""
        page = self.http.get(f"/survey/{self.session_id}/chat").text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token, page[:500]
        return self.http.post(
            f"/chat/sessions/{self.session_id}/messages",
            data={
                "text": text,
                "client_id": str(uuid.uuid4()),
                "csrfmiddlewaretoken": token[1],
            },
            headers={"Accept": "application/json", "Referer": self.cluster.url},
        )

    def messages(self) -> list[tuple[str, str, str]]:
        """Role, status and text of every message as the database has it."""
        return self.cluster.rows(
            "SELECT role, status, text FROM chat_message WHERE session_id = %s"
            " AND superseded_at IS NULL ORDER BY seq",
            self.session_id,
        )

    def close(self) -> None:
        """Hangs up."""
        self.http.close()


class OpenPage:
    """What a page shows of the reply that is being written; comes back when its socket is cut."""

    def __init__(self, visitor: Visitor) -> None:
        self.cluster = visitor.cluster
        self.path = f"/ws/session/{visitor.session_id}/"
        page = visitor.http.get(f"/survey/{visitor.session_id}/chat").text
        found = re.search(r'data-after="([^"]*)"', page)
        self.cursor = found[1] if found else ""
        self.cookie = "; ".join(
            f"{cookie.name}={cookie.value}" for cookie in visitor.http.cookies.jar
        )
        self.flow: dict[str, str] = {}
        self.done: dict[str, str] = {}
        self.ended: dict[str, str] = {}  # the HTML of messages that are over
        self.connections = 0
        self.changed = threading.Condition()
        self._ended = False
        self._line = self._connect()
        self._thread = threading.Thread(target=self._follow, name="open page")
        self._thread.start()

    def _connect(self) -> ssl.SSLSocket:
        raw = socket.create_connection(("localhost", self.cluster.tls_port), WAIT_S)
        with ExitStack() as failed:
            failed.callback(raw.close)
            line = self.cluster.trusting().wrap_socket(raw, server_hostname="localhost")
            failed.callback(line.close)
            self._open(line)
            failed.pop_all()
        self.connections += 1
        return line

    def _open(self, line: ssl.SSLSocket) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        head = [
            f"GET {self.path}?view=chat&after={self.cursor} HTTP/1.1",
            f"Host: localhost:{self.cluster.tls_port}",
            f"Origin: {self.cluster.url}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            f"Cookie: {self.cookie}",
        ]
        line.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += _exactly(line, 1)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise ConnectionError(answer.decode())

    def _follow(self) -> None:
        try:
            while not self._ended:
                try:
                    self._take(self._frame())
                except OSError:
                    self._line.close()
                    self._come_back()
        finally:
            # the page may be closed while it takes a frame in, or comes back
            self._line.close()

    def _come_back(self) -> None:
        until = time.monotonic() + WAIT_S
        while not self._ended:
            try:
                self._line = self._connect()
            except OSError:
                assert time.monotonic() < until, "the socket did not come back"
                time.sleep(0.1)
            else:
                return

    def _frame(self) -> str:
        while True:
            first, second = _exactly(self._line, 2)
            size = second & 127
            if size > 125:
                size = int.from_bytes(_exactly(self._line, 2 if size == 126 else 8), "big")
            payload = _exactly(self._line, size)
            if first & 15 == TEXT:
                return payload.decode()
            if first & 15 == CLOSE:
                raise ConnectionError("closed")
            if first & 15 == PING:
                self._line.sendall(bytes([128 | PONG, 128 | size]) + bytes(4) + payload)

    def _take(self, frame: str) -> None:
        with self.changed:
            if found := re.findall(r'id="log-cursor"[^>]*data-after="([^"]+)"', frame):
                self.cursor = found[-1]
            for pk, text in re.findall(
                r'class="message__flow" id="flow-([\w-]+)">(.*?)</span>', frame, re.DOTALL
            ):
                self.flow[pk] = unescape(text)
            for pk, text in re.findall(
                r'<i hx-swap-oob="beforeend:#flow-([\w-]+)">(.*?)</i>', frame, re.DOTALL
            ):
                assert pk in self.flow, "text came before its bubble"
                self.flow[pk] += unescape(text)
            for pk, state, inside in re.findall(
                r'<article[^>]* id="m-([\w-]+)"[^>]*data-state="(\w+)"(.*?)</article>',
                frame,
                re.DOTALL,
            ):
                if state != "streaming":
                    self.done[pk] = state
                    self.ended[pk] = unescape(inside)
            self.changed.notify_all()

    def until_shown(self, word: str) -> None:
        """Waits until a reply shows a word: one that grows, or one that was over before it grew."""
        with self.changed:
            assert self.changed.wait_for(
                lambda: any(word in text for text in (*self.flow.values(), *self.ended.values())),
                WAIT_S,
            ), (self.flow, self.done)

    def until_over(self, state: str = "complete") -> str:
        """Waits until the reply that grew is over; its text as it was shown growing."""
        with self.changed:
            assert self.changed.wait_for(
                lambda: any(self.done.get(pk) == state for pk in self.flow), WAIT_S
            ), (self.flow, self.done)
            return next(text for pk, text in self.flow.items() if self.done.get(pk) == state)

    def close(self) -> None:
        """Hangs up."""
        self._ended = True
        with suppress(OSError):
            socket.socket.shutdown(self._line, socket.SHUT_RDWR)  # wakes the thread that reads
        self._thread.join(WAIT_S)


def _exactly(line: ssl.SSLSocket, size: int) -> bytes:
    """Raises OSError when the line ends before."""
    found = b""
    while len(found) < size:
        piece = line.recv(size - len(found))
        if not piece:
            raise ConnectionError("the line was cut")
        found += piece
    return found


def events_of(stream: Any) -> Any:
    """Name, body and time of arrival of each server-sent event."""
    name = ""
    for text in stream.iter_lines():
        if text.startswith("event: "):
            name = text.removeprefix("event: ")
        elif text.startswith("data: "):
            yield name, json.loads(text.removeprefix("data: ")), time.monotonic()
