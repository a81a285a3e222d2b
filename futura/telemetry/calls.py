"""Calls of models and of tools as spans, made when they have ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from django.conf import settings
from pydantic import BaseModel

from futura.llm.models import ModelCall
from futura.llm.outcomes import Outcome
from futura.telemetry import names, tracing
from futura.telemetry.tracing import Value

_OPERATIONS: Final = {
    "embeddings": names.EMBEDDINGS,
    "transcriptions": names.TRANSCRIPTION,
    "moderations": names.MODERATION,
}


def traced(call: ModelCall, body: Mapping[str, Any], answer: str) -> None:
    """One attempt that has just been written to the ledger, inside the present turn."""
    if not tracing.is_on():
        return
    operation = _OPERATIONS.get(call.wire, names.CHAT)
    limits = ("max_output_tokens", "max_tokens", "max_completion_tokens")
    attributes: dict[str, Value] = {
        names.OPERATION: operation,
        names.PROVIDER: "openai",  # or a server that speaks as it does
        names.CONVERSATION: str(call.session_id) if call.session_id else None,
        names.RUN: str(call.run_id) if call.run_id else None,
        names.REQUEST_MODEL: call.model_asked,
        names.RESPONSE_MODEL: call.model_returned or None,
        names.RESPONSE_ID: call.request_id or None,
        names.TEMPERATURE: body.get("temperature"),
        names.MAX_TOKENS: next((body[name] for name in limits if name in body), None),
        names.STREAM: bool(body.get("stream")),
        names.INPUT_TOKENS: call.input_tokens,
        names.CACHED_TOKENS: call.cached_input_tokens,
        names.OUTPUT_TOKENS: call.output_tokens,
        names.REASONING_TOKENS: call.reasoning_tokens,
        names.FIRST_CHUNK_S: None if call.ttft_ms is None else call.ttft_ms / 1000,
        names.STAGE_NAME: call.stage,
        names.PROMPT_VERSION: call.prompt_version or None,
        names.ATTEMPT: call.attempt,
        names.OUTCOME: str(call.outcome),
        names.COST_USD: None if call.cost_usd is None else float(call.cost_usd),
    }
    if settings.TELEMETRY_CONTENTS:
        messages = body.get("messages", body.get("input"))
        attributes |= {
            names.INPUT_MESSAGES: orjson.dumps(messages, default=str).decode(),
            names.OUTPUT_MESSAGES: answer,
        }
    tracing.past(
        names.MODEL_CALL.format(operation=operation, model=call.model_asked),
        attributes,
        took_s=call.latency_ms / 1000,
        error="" if call.outcome == Outcome.OK else str(call.outcome),
    )


def tool_called(
    name: str, call_id: str, *, arguments: BaseModel, status: str, result: str, took_ms: int
) -> None:
    """One call of a tool that has just ended; what went in and out only where contents go."""
    if not tracing.is_on():
        return
    attributes: dict[str, Value] = {
        names.OPERATION: names.EXECUTE_TOOL,
        names.TOOL_NAME: name,
        names.TOOL_CALL: call_id,
        names.OUTCOME: status,
        names.TOOL_ARGUMENTS: arguments.model_dump_json(),
        names.TOOL_RESULT: result,
    }
    error = "" if status == "done" else status
    tracing.past(names.TOOL.format(tool=name), attributes, took_s=took_ms / 1000, error=error)
