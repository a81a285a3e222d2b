"""A model API on loopback that does what a script says: well-behaved, slow, or broken."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Self, TypeVar

import numpy as np

from tests.scripted.agent import agent_step
from tests.scripted.connection import Connection
from tests.scripted.requests import ScriptedRequest
from tests.scripted.steps import Script, Step
from tests.scripted.survey import survey_answer
from tests.scripted.wires import ChatStream, ResponsesStream, Stream, finish_reason, pieces_of

T = TypeVar("T")
WAIT_S = 60


class ScriptedServer:
    """Runs in a thread of its own; every public method may be called from any thread.

    Unscripted stages answer 501, unless `default_survey()` was called. `waves` has the stages that
    were asked for side by side: a new wave begins when nothing of the one before is under way.
    """

    def __init__(self, *, port: int = 0, chunk_delay_s: float = 0.0) -> None:
        self.port = port
        self.chunk_delay_s = chunk_delay_s
        self.requests: list[ScriptedRequest] = []
        self.waves: list[list[str]] = []
        self.stalled = threading.Event()
        self._scripts: dict[str, Script] = {}
        self._refused: dict[str, Callable[[ScriptedRequest], bool]] = {}
        self._plays_survey = False
        self._plays_agent = False
        self._changed = threading.Condition()
        self._hung_up = 0
        self._under_way = 0
        self._open: set[Connection] = set()
        self._ids = itertools.count(1)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="scripted-model")
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # Running ----------------------------------------------------------------------------------
    def start(self) -> Self:
        """Listens; `base_url` is known afterwards."""
        self._thread.start()
        self._do(self._listen())
        return self

    def stop(self) -> None:
        """Closes every connection and ends the thread."""
        self._do(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(WAIT_S)
        self._loop.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def base_url(self) -> str:
        """The value for OPENAI_BASE_URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def refuse_connections(self) -> None:
        """Stops listening and drops what is open: connects are refused from now on."""
        self._do(self._close())

    # Scripting --------------------------------------------------------------------------------
    def on(self, stage: str = "*") -> Script:
        """A new script for a stage, `*` for every stage without its own."""
        script = self._scripts[stage] = Script()
        return script

    def default_survey(self) -> Self:
        """Plays all nine stages of the survey with answers computed from the request."""
        self._plays_survey = True
        return self

    def default_agent(self) -> Self:
        """Plays the stages of the project agent with answers computed from the request."""
        self._plays_agent = True
        return self

    def refuses_parameter(self, name: str) -> None:
        """Answers 400 to requests that carry `name` (`format`, `json_schema`, or a field)."""
        checks: dict[str, Callable[[ScriptedRequest], bool]] = {
            "format": lambda request: request.format is not None,
            "json_schema": lambda request: (request.format or {}).get("type") == "json_schema",
        }
        self._refused[name] = checks.get(name, lambda request: name in request.body)

    def reset(self) -> None:
        """Forgets scripts and requests."""
        self._scripts.clear()
        self._refused.clear()
        self._plays_survey = self._plays_agent = False
        self.requests.clear()
        self.waves.clear()
        self.stalled.clear()
        self._hung_up = 0

    # Watching ---------------------------------------------------------------------------------
    def of(self, stage: str) -> list[ScriptedRequest]:
        """What was asked for one stage."""
        return [request for request in self.requests if request.stage == stage]

    def wait_for_requests(self, count: int, *, timeout_s: float = WAIT_S) -> bool:
        """Waits until so many requests have come."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.requests) >= count, timeout_s)

    def wait_for_hang_ups(self, count: int = 1, *, timeout_s: float = WAIT_S) -> bool:
        """Waits until so many clients hung up before their answer was complete."""
        with self._changed:
            return self._changed.wait_for(lambda: self._hung_up >= count, timeout_s)

    @property
    def open_connections(self) -> int:
        """Connections that clients keep open now."""
        return len(self._open)

    # Inside the loop --------------------------------------------------------------------------
    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(WAIT_S)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(
            self._serve, "127.0.0.1", self.port, backlog=1024, limit=64 * 1024 * 1024
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
        for connection in list(self._open):
            connection.abort()
        tasks = [task for task in self._tasks if not task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        connection = Connection(reader, writer)
        self._open.add(connection)
        try:
            while (request := await connection.read_request()) is not None:
                self._note(request)
                self._under_way += 1
                try:
                    await self._answer(connection, request)
                finally:
                    self._under_way -= 1
        except ConnectionError:
            self._note_hang_up()
        except asyncio.CancelledError:
            pass
        finally:
            self._open.discard(connection)
            self._tasks.discard(task)
            writer.close()

    def _note(self, request: ScriptedRequest) -> None:
        with self._changed:
            if not self._under_way or not self.waves:
                self.waves.append([])
            self.waves[-1].append(request.stage)
            self.requests.append(request)
            self._changed.notify_all()

    def _note_hang_up(self) -> None:
        with self._changed:
            self._hung_up += 1
            self._changed.notify_all()

    async def _answer(self, connection: Connection, request: ScriptedRequest) -> None:
        for name, carries in self._refused.items():
            if carries(request):
                error = {
                    "message": f"Unsupported parameter: '{name}' is not supported.",
                    "type": "invalid_request_error",
                    "param": _parameter(name, request),
                    "code": "unsupported_parameter",
                }
                await connection.send_json(400, {"error": error})
                return
        if request.wire == "models":
            await connection.send_json(
                200,
                {
                    "object": "list",
                    "data": [
                        {"id": "scripted", "object": "model", "created": 0, "owned_by": "tests"}
                    ],
                },
            )
            return
        step = self._step_for(request)
        if step is None:
            missing: dict[str, Any] = {
                "message": f"Nothing is scripted for {request.stage or request.path!r}.",
                "type": "not_scripted",
                "code": None,
                "param": None,
            }
            await connection.send_json(501, {"error": missing})
        elif not await self._misbehaved(connection, request, step):
            await self._behave(connection, request, step)

    def _step_for(self, request: ScriptedRequest) -> Step | None:
        script = self._scripts.get(request.stage) or self._scripts.get("*")
        if script is not None and script.steps:
            return script.next()
        if request.wire == "embeddings":
            return Step()
        if request.wire == "moderations":
            return Step("{}")
        if request.wire == "transcription":
            return Step("I write reports and answer questions from clients.")
        played = agent_step(request) if self._plays_agent else None
        if played is not None:
            return played
        return Step(survey_answer) if self._plays_survey else None

    async def _misbehaved(
        self, connection: Connection, request: ScriptedRequest, step: Step
    ) -> bool:
        """Faults that come before any answer."""
        if step.fault == "status":
            await connection.send_json(
                step.status, {"error": dict(step.error)}, headers={**step.headers, **self._id()}
            )
            return True
        if step.fault == "silence" or (step.fault == "stall" and not request.is_stream):
            self.stalled.set()
            await connection.wait_closed_by_client()
            raise ConnectionResetError
        if step.fault == "cut" and not request.is_stream:
            connection.abort()
            return True
        return False

    def _id(self) -> dict[str, str]:
        return {"x-request-id": f"req_{next(self._ids)}"}

    async def _behave(self, connection: Connection, request: ScriptedRequest, step: Step) -> None:
        if request.wire == "embeddings":
            vectors = step.answer or _embeddings(request)
            await connection.send_json(200, vectors, headers=self._id())
        elif request.wire == "transcription":
            await connection.send_json(200, {"text": step.text_for(request)}, headers=self._id())
        elif request.wire == "moderations":
            await connection.send_json(200, _moderation(request, step), headers=self._id())
        elif request.is_stream:
            await self._stream(connection, request, step)
        else:
            await self._whole(connection, request, step)

    async def _whole(self, connection: Connection, request: ScriptedRequest, step: Step) -> None:
        if step.fault == "bytes":
            await connection.send(200, b'{"output": "' + step.raw + b'"}', headers=self._id())
            return
        said = step.text_for(request)
        if step.fault == "incomplete":
            said = "".join(pieces_of(said, step)[: step.after])
        if step.first_delay_s:
            await asyncio.sleep(step.first_delay_s)
        await connection.send_json(200, _whole_answer(request, step, said), headers=self._id())

    async def _stream(self, connection: Connection, request: ScriptedRequest, step: Step) -> None:
        stream: Stream = (ChatStream if request.wire == "chat" else ResponsesStream)(request, step)
        said = step.text_for(request)
        await connection.begin_stream(self._id())
        for event in stream.opening():
            await connection.chunk(event)
        if step.first_delay_s:
            await asyncio.sleep(step.first_delay_s)
        pieces = pieces_of(said, step)
        if step.fault in {"cut", "stall", "failed", "incomplete"}:
            pieces = pieces[: step.after]
        await self._say(connection, stream, pieces, step)
        if step.calls:
            events = list(stream.calling())
            for place, event in enumerate(events[: -2 if step.fault == "cut" else None]):
                if step.hurry and place == 2:  # the name and a first piece are on their way
                    await asyncio.to_thread(step.hurry.wait, WAIT_S)
                if step.chunk_delay_s:
                    await asyncio.sleep(step.chunk_delay_s)
                await connection.chunk(event)
        await self._finish(connection, stream, step, "".join(pieces))

    async def _say(
        self, connection: Connection, stream: Stream, pieces: list[str], step: Step
    ) -> None:
        delay_s = self.chunk_delay_s if step.chunk_delay_s is None else step.chunk_delay_s
        for piece in pieces:
            if delay_s and not (step.hurry and step.hurry.is_set()):
                await asyncio.sleep(delay_s)
            if connection.reader.at_eof():
                raise ConnectionResetError
            await connection.chunk(stream.piece(piece))

    async def _finish(self, connection: Connection, stream: Stream, step: Step, said: str) -> None:
        if step.fault == "stall":
            self.stalled.set()
            await connection.wait_closed_by_client()
            raise ConnectionResetError
        if step.fault == "cut" and not step.is_clean:
            half = stream.piece("half of a tok")
            await connection.chunk(half[: len(half) // 2])
            connection.abort()
            return
        if step.fault == "bytes":
            await connection.chunk(stream.piece("@@").replace(b"@@", step.raw))
        endings = {"failed": stream.failing, "incomplete": stream.incomplete}
        if step.fault != "cut":
            for event in endings.get(step.fault, stream.closing)(said):
                await connection.chunk(event)
        await connection.end_stream()


def _parameter(name: str, request: ScriptedRequest) -> str:
    if name in {"format", "json_schema"}:
        return "response_format" if request.wire == "chat" else "text.format"
    return name


def _whole_answer(request: ScriptedRequest, step: Step, said: str) -> dict[str, Any]:
    if request.wire == "chat":
        if step.fault == "failed":
            return {
                "error": {
                    "message": "Scripted failure.",
                    "type": "server_error",
                    "code": step.reason,
                }
            }
        finish = finish_reason(step.reason) if step.fault == "incomplete" else "stop"
        return ChatStream(request, step).whole(said, finish)
    stream = ResponsesStream(request, step)
    if step.fault == "failed":
        error = {"code": step.reason, "message": "Scripted failure."}
        return stream.response(None, "failed", error=error)
    if step.fault == "incomplete":
        details = {"reason": step.reason}
        return stream.response(said, "incomplete", incomplete_details=details)
    return stream.response(said, "completed")


def _moderation(request: ScriptedRequest, step: Step) -> dict[str, Any]:
    """A verdict per text: the words that the script says are flagged, by category.

    A list that the script gives is the verdicts themselves.
    """
    flags = json.loads(step.text_for(request) or "{}")
    if isinstance(flags, list):
        return {"id": "modr-1", "model": request.model, "results": flags}
    given = request.body.get("input", [])
    texts = [given] if isinstance(given, str) else list(given)
    results = []
    for text in texts:
        found = {category: word in text for category, word in flags.items()}
        results.append({"flagged": any(found.values()), "categories": found})
    return {"id": "modr-1", "model": request.model, "results": results}


def _embeddings(request: ScriptedRequest) -> dict[str, Any]:
    """A vector per text, the same for the same words, near for shared words."""
    given = request.body.get("input", [])
    texts = [given] if isinstance(given, str) else list(given)
    size = int(request.body.get("dimensions") or 256)
    return {
        "object": "list",
        "model": request.model,
        "data": [
            {"object": "embedding", "index": index, "embedding": _vector(text, size)}
            for index, text in enumerate(texts)
        ],
        "usage": {
            "prompt_tokens": sum(len(text) // 4 + 1 for text in texts),
            "total_tokens": sum(len(text) // 4 + 1 for text in texts),
        },
    }


def _vector(text: str, size: int) -> list[float]:
    total = np.full(size, 1e-3)
    for word in text.lower().split():
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
        total += np.random.default_rng(seed).standard_normal(size)
    return [round(float(value), 6) for value in total]
