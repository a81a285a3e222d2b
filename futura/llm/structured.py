"""Answers of a given form: asked strictly, read carefully, repaired once, enlarged once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from futura.llm import calls, ledger
from futura.llm.calls import Kept
from futura.llm.ledger import Origin
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.retries import Plan
from futura.llm.schema import format_of
from futura.llm.wires.shapes import ChatMessage, Prompt

ModelT = TypeVar("ModelT", bound=BaseModel)
REPAIR = (
    "That answer cannot be used. What is wrong with it: {faults}. "
    "Give the whole answer again, as one JSON object in the required form and nothing else."
)


@dataclass
class Asking:
    """One question for a structured answer, with what may still be tried."""

    plan: Plan
    origin: Origin
    messages: list[ChatMessage]
    max_output_tokens: int
    may_enlarge: bool = True
    may_repair: bool = True


def ask(
    plan: Plan, messages: Sequence[ChatMessage], schema: type[ModelT], origin: Origin
) -> ModelT:
    """One validated answer. Raises ModelUnavailable when there is none to be had."""
    asking = Asking(plan, origin, list(messages), plan.stage.max_output_tokens)
    while True:
        kept = _send(asking, schema)
        try:
            return _read(kept, schema)
        except CallFailed as failure:
            ledger.amend(kept.row, outcome=failure.outcome, error=failure.detail)
            _change(asking, kept, failure)


def _send(asking: Asking, schema: type[BaseModel]) -> Kept:
    def prompt_for(model: str) -> Prompt:
        return Prompt(
            model=model,
            messages=asking.messages,
            temperature=asking.plan.stage.temperature,
            max_output_tokens=asking.max_output_tokens,
            is_stream=False,
            format=format_of(schema),
        )

    return calls.whole(asking.plan, prompt_for, asking.origin)


def _read(kept: Kept, schema: type[ModelT]) -> ModelT:
    """The answer as an object. Raises CallFailed."""
    answer = kept.answer
    if answer.refusal or answer.end == "filtered":
        raise CallFailed(Outcome.REFUSED)
    if answer.end == "truncated":
        raise CallFailed(Outcome.TRUNCATED)
    if answer.end != "completed":
        raise CallFailed(Outcome.INCOMPLETE, answer.end)
    if not answer.text.strip():
        raise CallFailed(Outcome.EMPTY)
    try:
        return schema.model_validate_json(json_in(answer.text))
    except ValidationError as error:
        raise CallFailed(Outcome.WRONG_SCHEMA, faults_of(error)) from error


def _change(asking: Asking, kept: Kept, failure: CallFailed) -> None:
    """Prepares the one larger or the one repair attempt; raises ModelUnavailable otherwise."""
    if failure.outcome is Outcome.TRUNCATED and asking.may_enlarge:
        asking.may_enlarge = False
        asking.max_output_tokens = asking.plan.stage.larger_output_tokens
    elif failure.outcome is Outcome.WRONG_SCHEMA and asking.may_repair:
        asking.may_repair = False
        asking.messages += [
            {"role": "assistant", "content": kept.answer.text},
            {"role": "user", "content": REPAIR.format(faults=failure.detail)},
        ]
    else:
        raise failure.unavailable from failure


def json_in(text: str) -> str:
    """The JSON object in an answer that may stand in a code fence or between other words."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def faults_of(error: ValidationError) -> str:
    """Where and why validation failed, without quoting the answer."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or 'the whole'}: {fault['type']}"
        for fault in faults[:8]
    )
