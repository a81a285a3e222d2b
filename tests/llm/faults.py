"""The fault table: every way in which a model can fail, and what becomes of the conversation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tests.scripted import ScriptedCall, ScriptedServer

Play = Callable[[ScriptedServer], object]
BOTH = ("responses", "chat")
EITHER = ("responses",)  # the wire makes no difference: the fault comes before anything is read
WORDS = "I see. What happens in the harvest months?"
TOOL = {"tool": "custom_question", "reason": "gaps", "question": "Who reads your diary?"}
FAILED = "failed"
COMPLETED = "completed"

BROKEN_OFF = "The reply was interrupted. What was written is saved; you can try again."


@dataclass(frozen=True)
class Fault:
    """One row: what the server does, what the ledger keeps, what the person sees.

    `by` says who did the stage in the end: the model, the rules, or (empty) nobody, when words had
    been shown already. `shows` is the reply: the model's text, a beginning of it, or None for the
    rules' own words. `stage` tells where the fault strikes; all other stages answer well.
    """

    name: str
    play: Play
    ledger: Sequence[str]
    by: Literal["model", "rules", ""]
    shows: str | None = None
    status: str = COMPLETED
    notice: str = ""
    stage: str = "response"
    times: Mapping[str, float] = field(default_factory=dict)
    wires: Sequence[str] = EITHER
    calls: Sequence[str] = ()


def repeated(call: ScriptedCall) -> Play:
    """A model that never stops calling."""
    return lambda server: server.on("response").calls(call)


FIND = ScriptedCall("find", {"words": "bread"})

BEFORE_THE_ANSWER = (
    Fault(
        "401",
        lambda s: s.on("response").status(401),
        ["unauthorised"],
        by="rules",
    ),
    Fault(
        "429 without Retry-After",
        lambda s: s.on("response").status(429).text(WORDS),
        ["rate_limited", "ok"],
        by="model",
        shows=WORDS,
    ),
    Fault(
        "429 for good",
        lambda s: s.on("response").status(429),
        ["rate_limited"] * 3,
        by="rules",
    ),
    Fault(
        "429 with a short Retry-After",
        lambda s: s.on("response").status(429, retry_after=0.1).text(WORDS),
        ["rate_limited", "ok"],
        by="model",
        shows=WORDS,
    ),
    Fault(
        "429 with a long Retry-After",
        lambda s: s.on("response").status(429, retry_after=120).text(WORDS),
        ["rate_limited"],
        by="rules",
    ),
    Fault(
        "500",
        lambda s: s.on("response").status(500),
        ["server_error"] * 3,
        by="rules",
    ),
    Fault(
        "503 once",
        lambda s: s.on("response").status(503).text(WORDS),
        ["server_error", "ok"],
        by="model",
        shows=WORDS,
    ),
    Fault(
        "connect refused",
        lambda s: s.refuse_connections(),
        [],  # the calls of the first wave have found it out; no more is tried
        by="rules",
    ),
    Fault(
        "no first byte",
        lambda s: s.on("response").silence(),
        ["first_token_timeout"] * 2,
        by="rules",
        times={"first_token_s": 0.3, "attempts": 2},
    ),
    Fault(
        "no first byte of a structured answer",
        lambda s: s.on("tool_selection").silence(),
        ["total_timeout"],
        by="rules",
        stage="tool_selection",
        times={"total_s": 0.3},
    ),
    Fault(
        "unsupported temperature",
        lambda s: s.refuses_parameter("temperature"),
        ["ok"],  # the first wave has learned it
        by="model",
        shows=WORDS,
    ),
    Fault(
        "unsupported temperature, found out by this stage",
        lambda s: (
            s.on("response")
            .status(400, code="unsupported_parameter", param="temperature")
            .text(WORDS)
        ),
        ["unsupported", "ok"],
        by="model",
        shows=WORDS,
    ),
)
IN_THE_STREAM = (
    Fault(
        "stalled stream",
        lambda s: s.on("response").stall(after=4, text="I see. What happens in the harvest?"),
        ["idle_timeout"],
        by="",
        shows="I see. What happens",
        status=FAILED,
        notice=BROKEN_OFF,
        times={"idle_s": 0.4},
        wires=BOTH,
    ),
    Fault(
        "stream cut mid-token",
        lambda s: s.on("response").cut(after=4, text="I see. What happens in the harvest?"),
        ["cut"],
        by="",
        shows="I see. What happens",
        status=FAILED,
        notice=BROKEN_OFF,
        wires=BOTH,
    ),
    Fault(
        "stream cut before the first word",
        lambda s: s.on("response").cut(after=0).text(WORDS),
        ["cut", "ok"],
        by="model",
        shows=WORDS,
        wires=BOTH,
    ),
    Fault(
        "response.failed before the first word",
        lambda s: s.on("response").failed(after=0),
        ["failed"] * 3,
        by="rules",
        wires=BOTH,
    ),
    Fault(
        "response.failed after words",
        lambda s: s.on("response").failed(after=4, text="I see. What happens in the harvest?"),
        ["failed"],
        by="",
        shows="I see. What happens",
        status=FAILED,
        notice=BROKEN_OFF,
        wires=BOTH,
    ),
    Fault(
        "response.incomplete",
        lambda s: s.on("response").incomplete(after=4, text="I see. What happens in the harvest?"),
        ["incomplete"],
        by="",
        shows="I see. What happens",
        status=FAILED,
        notice=BROKEN_OFF,
        wires=BOTH,
    ),
    Fault(
        "response.incomplete by the content filter, before words",
        lambda s: s.on("response").incomplete(after=0, reason="content_filter"),
        ["refused"],
        by="rules",
        wires=BOTH,
    ),
    Fault(
        "refusal",
        lambda s: s.on("response").refuse(),
        ["refused"],
        by="rules",
        wires=BOTH,
    ),
    Fault(
        "empty answer",
        lambda s: s.on("response").empty(),
        ["empty"],
        by="rules",
        wires=BOTH,
    ),
    Fault(
        "marks without width in the place of words",
        lambda s: s.on("response").text("\u200b \u2060\u202e"),
        ["empty"],
        by="rules",
        wires=BOTH,
    ),
    Fault(
        "JSON in the place of words",
        lambda s: s.on("response").json({"unexpected": True}),
        ["wrong_schema"],
        by="rules",
        wires=BOTH,
    ),
    Fault(
        "the beginning of a list in the place of words",
        lambda s: s.on("response").text('[{"role": "assistant", "content": "I s'),
        ["wrong_schema"],
        by="rules",
    ),
    Fault(
        "brackets within brackets in the place of words",
        lambda s: s.on("response").text("[" * 1_500),
        ["wrong_schema"],
        by="rules",
        wires=BOTH,
    ),
    Fault(
        "more tokens than any model reads",
        lambda s: s.on("response").text(WORDS, usage={"input": 10**12, "output": -5}),
        ["ok"],
        by="model",
        shows=WORDS,
        wires=BOTH,
    ),
    Fault(
        "2 MB answer",
        lambda s: s.on("response").huge(),
        ["too_large"],
        by="",  # words were shown; how many is bounded
        status=FAILED,
        notice=BROKEN_OFF,
        wires=BOTH,
    ),
    Fault(
        "invalid UTF-8",
        lambda s: s.on("response").invalid_utf8(),
        ["malformed"] * 3,
        by="rules",
        wires=BOTH,
    ),
)
IN_A_FORM = (
    Fault(
        "truncated JSON",
        lambda s: s.on("tool_selection").truncated_json(TOOL),
        ["wrong_schema"] * 2,
        by="rules",
        stage="tool_selection",
        wires=BOTH,
    ),
    Fault(
        "truncated JSON, repaired",
        lambda s: s.on("tool_selection").truncated_json(TOOL).json(TOOL),
        ["wrong_schema", "ok"],
        by="model",
        shows=WORDS,
        stage="tool_selection",
    ),
    Fault(
        "answer over its limit, enlarged",
        lambda s: s.on("tool_selection").incomplete(after=1, text=json.dumps(TOOL)).json(TOOL),
        ["truncated", "ok"],
        by="model",
        shows=WORDS,
        stage="tool_selection",
        wires=BOTH,
    ),
    Fault(
        "wrong schema",
        lambda s: s.on("tool_selection").json({"tool": 7}),
        ["wrong_schema"] * 2,
        by="rules",
        stage="tool_selection",
    ),
    Fault(
        "refusal in a form",
        lambda s: s.on("tool_selection").refuse(),
        ["refused"],
        by="rules",
        stage="tool_selection",
        wires=BOTH,
    ),
    Fault(
        "2 MB in a form",
        lambda s: s.on("tool_selection").huge(),
        ["too_large"],
        by="rules",
        stage="tool_selection",
    ),
    Fault(
        "NUL and half a character in a form",
        lambda s: s.on("tool_selection").json(TOOL | {"reason": "ga\x00ps\ud800"}),
        ["ok"],
        by="model",
        shows=WORDS,
        stage="tool_selection",
        wires=BOTH,
    ),
    Fault(
        "structured format refused",
        lambda s: (
            s.on("tool_selection")
            .status(400, code="unsupported_parameter", param="response_format")
            .text(f"```json\n{json.dumps(TOOL)}\n```")
        ),
        ["unsupported", "ok"],
        by="model",
        shows=WORDS,
        stage="tool_selection",
        wires=BOTH,
    ),
)
WITH_TOOLS = (
    Fault(
        "unknown tool",
        lambda s: s.on("response").call("fly", {"to": "moon"}).text("I cannot fly."),
        ["bad_call", "ok"],
        by="model",
        shows="I cannot fly.",
        calls=["unknown_tool"],
        wires=BOTH,
    ),
    Fault(
        "bad tool arguments",
        lambda s: s.on("response").call("find", '{"wor').calls(FIND).text("There it is."),
        ["bad_call", "ok", "ok"],
        by="model",
        shows="There it is.",
        calls=["bad_arguments", "done"],
        wires=BOTH,
    ),
    Fault(
        "brackets within brackets in an argument",
        lambda s: s.on("response").call("find", '["\\u0000",' + "[" * 1_500).text("No."),
        ["bad_call", "ok"],
        by="model",
        shows="No.",
        calls=["bad_arguments"],
        wires=BOTH,
    ),
    Fault(
        "NUL and half a character in an argument",
        lambda s: s.on("response").call("find", {"words": "br\x00ead\ud800"}).text("Th\x00ere."),
        ["ok", "ok"],
        by="model",
        shows="There.",
        calls=["done"],
        wires=BOTH,
    ),
    Fault(
        "tool raising",
        lambda s: (
            s.on("response")
            .call("broken", {"words": "a"})
            .call("broken", {"words": "b"})
            .text("That does not work today.")
        ),
        ["ok"] * 3,
        by="model",
        shows="That does not work today.",
        calls=["failed", "latched"],
        wires=BOTH,
    ),
    Fault(
        "endless tool loop",
        repeated(FIND),
        ["ok"] * 5 + ["bad_call"],
        by="rules",
        calls=["done"] * 5,
        wires=BOTH,
    ),
    Fault(
        "503 after a tool has written",
        lambda s: (
            s.on("response").call("note", {"words": "bread"}).status(503).text("Never asked.")
        ),
        ["ok", "server_error"],
        by="rules",
        calls=["done"],
        wires=BOTH,
    ),
    Fault(
        "stream cut within a tool call",
        lambda s: s.on("response").calls(FIND, cut=True).calls(FIND).text("There it is."),
        ["cut", "ok", "ok"],
        by="model",
        shows="There it is.",
        calls=["done"],
        wires=BOTH,
    ),
)
