"""Answers of a given form: asked strictly, read carefully, repaired once, enlarged once."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from futura.characters import clean_json
from futura.llm import calls, ledger
from futura.llm.calls import Plan
from futura.llm.gates import FieldGate, may_be_json
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.protocols.shapes import ChatMessage, Prompt
from futura.llm.schema import format_of
from futura.llm.transport import Exchange

ModelT = TypeVar("ModelT", bound=BaseModel)
LARGER: Final = 4  # times the limit, for the one attempt after a truncated answer
REPAIR: Final = (
    "That answer cannot be used. What is wrong with it: {faults}. "
    "Give the whole answer again, as one JSON object in the required form and nothing else."
)


def ask(
    plan: Plan, messages: Sequence[ChatMessage], schema: type[ModelT], *, is_long: bool = False
) -> ModelT:
    """One validated answer. Raises ModelUnavailable when there is none to be had.

    `is_long`: the stage's limit would cut it, so the larger attempt comes at once.
    """
    attempts = _Attempts(plan, plan.prompt(messages, is_stream=False, format=format_of(schema)))
    if is_long:
        attempts.enlarge()
    while True:
        exchange = calls.whole(plan, attempts.prompt)
        try:
            return _read(exchange, schema)
        except CallFailed as failure:
            attempts.after(exchange, failure)


def stream_field(
    plan: Plan, messages: Sequence[ChatMessage], schema: type[ModelT], field: str
) -> Generator[str | ModelT]:
    """One text field as it comes, then the whole. Tries again only while nothing was given.

    Raises KeyError for a field that the schema does not have, ModelUnavailable.
    """
    info = schema.model_fields[field]
    alias = info.validation_alias if isinstance(info.validation_alias, str) else info.alias
    name = alias or field
    attempts = _Attempts(plan, plan.prompt(messages, is_stream=True, format=format_of(schema)))
    while True:
        exchange = yield from calls.stream(plan, attempts.prompt, gate_for=lambda: FieldGate(name))
        try:
            answer = _read(exchange, schema)
            remaining = _remaining(getattr(answer, field), exchange.released)
        except CallFailed as failure:
            attempts.after(exchange, failure)
            continue
        if remaining:
            yield remaining
        yield answer
        return


class _Attempts:
    """The prompt of the next attempt, and what may still be tried with this model."""

    def __init__(self, plan: Plan, prompt: Prompt) -> None:
        self.plan = plan
        self.first = self.prompt = prompt
        self.may_enlarge = self.may_repair = True

    def enlarge(self) -> None:
        self.may_enlarge = False
        larger = self.plan.stage.max_output_tokens * LARGER
        self.prompt = replace(self.prompt, max_output_tokens=larger)

    def after(self, exchange: Exchange, failure: CallFailed) -> None:
        """Prepares the one larger or the one repair attempt, or the next model's first.

        Raises ModelUnavailable when there is nothing left to try.
        """
        ledger.amend(exchange, failure.outcome, failure.detail)
        if exchange.released:
            raise failure.broken_off from failure
        if failure.outcome is Outcome.TRUNCATED and self.may_enlarge:
            self.enlarge()
        elif failure.outcome is Outcome.WRONG_SCHEMA and self.may_repair:
            self.may_repair = False
            repair: list[ChatMessage] = [
                {"role": "assistant", "content": exchange.answer.text},
                {"role": "user", "content": REPAIR.format(faults=failure.detail)},
            ]
            self.prompt = replace(self.prompt, messages=[*self.prompt.messages, *repair])
        else:
            self.plan.after(failure)  # another model may do better, where there is one
            self.prompt = self.first
            self.may_enlarge = self.may_repair = True


def _remaining(whole: object, released: str) -> str:
    """What was not given yet of the field. Raises CallFailed when what was given is not its start.

    A validator of the schema may have tidied the text: outer blanks make no difference.
    """
    text = whole if isinstance(whole, str) else ""
    if text.strip() and not released and may_be_json(text):
        raise CallFailed(Outcome.WRONG_SCHEMA, "JSON in the place of words")
    if text.startswith(released):
        return text[len(released) :]
    if text.strip() == released.strip():
        return ""
    raise CallFailed(Outcome.WRONG_SCHEMA, "the field is not what was streamed")


def _read(exchange: Exchange, schema: type[ModelT]) -> ModelT:
    answer = exchange.answer
    if answer.refusal or answer.end == "filtered":
        raise CallFailed(Outcome.REFUSED)
    if answer.end == "truncated":
        raise CallFailed(Outcome.TRUNCATED)
    if answer.end != "completed":
        raise CallFailed(Outcome.INCOMPLETE, answer.end)
    text = answer.text.strip()
    if not text:
        raise CallFailed(Outcome.EMPTY)
    start, end = text.find("{"), text.rfind("}")
    if 0 <= start < end:  # the object may stand in a code fence or between other words
        text = text[start : end + 1]
    try:
        return validated(schema, clean_json(text))
    except ValidationError as error:
        raise CallFailed(Outcome.WRONG_SCHEMA, faults_of(error)) from error


def validated(schema: type[ModelT], text: str) -> ModelT:
    """JSON of a model as an object of its form, in numbers that are kept: finite, of 64 bits.

    Raises ValidationError.
    """
    try:
        values = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        fault: Any = {"type": "json_invalid", "input": text, "ctx": {"error": str(error)}}
        raise ValidationError.from_exception_data(schema.__name__, [fault]) from error
    return schema.model_validate_json(orjson.dumps(values))


def faults_of(error: ValidationError) -> str:
    """Where and why validation failed, without quoting the answer."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        f"{_place(fault['loc'], fault['type'])}: {fault['type']}" for fault in faults[:8]
    )


def _place(path: tuple[int | str, ...], kind: str) -> str:
    """Where in the answer; a key that only the answer knows is among the words it made up."""
    existing = path[:-1] if kind == "extra_forbidden" else path
    return ".".join(str(part) for part in existing) or "the whole"
