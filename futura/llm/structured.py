"""Answers of a given form: asked strictly, read carefully, repaired once, enlarged once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from futura.characters import clean_json
from futura.llm import calls, ledger
from futura.llm.calls import Kept
from futura.llm.field import FieldReader
from futura.llm.ledger import Origin
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.prose import Prose, may_be_json
from futura.llm.retries import Plan
from futura.llm.schema import format_of
from futura.llm.wires.shapes import Answer, ChatMessage, Prompt

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
    cache_key: str = ""
    may_enlarge: bool = True
    may_repair: bool = True

    def __post_init__(self) -> None:
        self.given = len(self.messages)


def ask(
    plan: Plan,
    messages: Sequence[ChatMessage],
    schema: type[ModelT],
    origin: Origin,
    *,
    cache_key: str = "",
) -> ModelT:
    """One validated answer. Raises ModelUnavailable when there is none to be had."""
    asking = Asking(plan, origin, list(messages), plan.stage.max_output_tokens, cache_key)
    while True:
        kept = calls.whole(plan, _prompts(asking, schema, is_stream=False), origin)
        try:
            return _read(kept, schema)
        except CallFailed as failure:
            ledger.amend(kept.row, outcome=failure.outcome, error=failure.detail)
            _change(asking, kept, failure)


def stream_field(
    plan: Plan,
    messages: Sequence[ChatMessage],
    schema: type[ModelT],
    field: str,
    origin: Origin,
    *,
    cache_key: str = "",
) -> Iterator[str | ModelT]:
    """One text field as it comes, then the whole. Tries again only while nothing was given."""
    asking = Asking(plan, origin, list(messages), plan.stage.max_output_tokens, cache_key)
    name = _name_in_json(schema, field)
    while True:
        stream = calls.stream(
            plan,
            _prompts(asking, schema, is_stream=True),
            origin,
            gate_for=lambda: FieldGate(name),
        )
        kept = yield from stream
        try:
            found = _read(kept, schema)
            rest = _rest(getattr(found, field), kept.shown)
        except CallFailed as failure:
            ledger.amend(kept.row, outcome=failure.outcome, error=failure.detail)
            if kept.shown:
                raise failure.broken_off from failure
            _change(asking, kept, failure)
            continue
        if rest:
            yield rest
        yield found
        return


class FieldGate:
    """A gate that lets one text field of a JSON object through; the whole is judged by `_read`."""

    def __init__(self, name: str) -> None:
        self._reader = FieldReader(name)
        self._prose = Prose()

    @property
    def text(self) -> str:
        """What it has let through."""
        return self._prose.text

    def feed(self, delta: str) -> str:
        """What the field has grown by."""
        grown = self._reader.feed(delta)
        return self._prose.feed(grown) if grown else ""

    def close(self, answer: Answer) -> None:
        """Nothing to say before the whole has been read."""


def _rest(whole: object, shown: str) -> str:
    """What was not given yet of the field. Raises CallFailed when what was given is not its start.

    A validator of the schema may have tidied the text: outer blanks make no difference.
    """
    text = whole if isinstance(whole, str) else ""
    if text.strip() and not shown and may_be_json(text):
        raise CallFailed(Outcome.WRONG_SCHEMA, "JSON in the place of words")
    if text.startswith(shown):
        return text[len(shown) :]
    if text.strip() == shown.strip():
        return ""
    raise CallFailed(Outcome.WRONG_SCHEMA, "the field is not what was streamed")


def _name_in_json(schema: type[BaseModel], field: str) -> str:
    """What the field is called in JSON; KeyError for a field that the schema does not have."""
    found = schema.model_fields[field]
    alias = found.validation_alias if isinstance(found.validation_alias, str) else found.alias
    return alias or field


def _prompts(
    asking: Asking, schema: type[BaseModel], *, is_stream: bool
) -> Callable[[str], Prompt]:
    def prompt_for(model: str) -> Prompt:
        return Prompt(
            model=model,
            messages=asking.messages,
            temperature=asking.plan.stage.temperature,
            max_output_tokens=asking.max_output_tokens,
            is_stream=is_stream,
            format=format_of(schema),
            cache_key=asking.cache_key,
        )

    return prompt_for


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
        return schema.model_validate_json(clean_json(json_in(answer.text)))
    except ValidationError as error:
        raise CallFailed(Outcome.WRONG_SCHEMA, faults_of(error)) from error


def _change(asking: Asking, kept: Kept, failure: CallFailed) -> None:
    """Prepares the one larger or the one repair attempt, or the next model's first.

    Raises ModelUnavailable when there is nothing left to try.
    """
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
        asking.plan.after(failure)  # another model may do better, where there is one
        del asking.messages[asking.given :]
        asking.max_output_tokens = asking.plan.stage.max_output_tokens
        asking.may_enlarge = asking.may_repair = True


def json_in(text: str) -> str:
    """The JSON object in an answer that may stand in a code fence or between other words."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def faults_of(error: ValidationError) -> str:
    """Where and why validation failed, without quoting the answer."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        f"{_place(fault['loc'], fault['type'])}: {fault['type']}" for fault in faults[:8]
    )


def _place(path: tuple[int | str, ...], kind: str) -> str:
    """Where in the answer; a key that only the answer knows is among the words it made up."""
    known = path[:-1] if kind == "extra_forbidden" else path
    return ".".join(str(part) for part in known) or "the whole"
