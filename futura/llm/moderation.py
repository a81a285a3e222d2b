"""Whether a text breaks the provider's rules, asked at its moderation endpoint."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from django.conf import settings

from futura.llm import calls
from futura.llm.ledger import Origin
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.retries import Plan
from futura.llm.transport import Exchange
from futura.llm.wires.parsing import items, mapping, parsed
from futura.llm.wires.shapes import LARGEST_ANSWER_BYTES, Answer

if TYPE_CHECKING:  # the SDK is loaded with the first call (futura/llm/loop.py)
    from openai import AsyncAPIResponse, AsyncOpenAI

log = logging.getLogger(__name__)

PIECE_CHARS: Final = 8_000
# What servers answer that have no such endpoint.
LACKING: Final = frozenset({404, 405, 501})

_lock = threading.Lock()
_without: set[str] = set()


@dataclass(frozen=True)
class Moderation:
    """What the endpoint says; `is_checked` is false where the server has no moderation."""

    is_flagged: bool
    categories: tuple[str, ...] = ()
    is_checked: bool = True


class Moderations:
    """The door for moderation."""

    name = "moderations"
    largest_bytes = LARGEST_ANSWER_BYTES

    def send(
        self, client: AsyncOpenAI, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[AsyncAPIResponse[Any]]:
        """Sends it; the body of the response has not been read yet."""
        create = cast("Any", client.moderations.with_streaming_response.create)
        return cast(
            "AbstractAsyncContextManager[AsyncAPIResponse[Any]]",
            create(**body, extra_headers=headers),
        )

    def read_whole(self, payload: bytes, answer: Answer) -> None:
        """Reads the verdict on each piece. Raises CallFailed."""
        found = parsed(payload)
        results = items(found.get("results"))
        if not results or any(not isinstance(one.get("flagged"), bool) for one in results):
            raise CallFailed(Outcome.MALFORMED, "no verdict")
        answer.model = str(found.get("model") or "")
        answer.verdicts, answer.end = list(results), "completed"


def moderate(plan: Plan, text: str, origin: Origin) -> Moderation:
    """What the endpoint says of a text; a long one is sent in pieces, in one request.

    Raises ModelUnavailable when there is an endpoint that gives no usable answer. That a server
    has none is remembered for this process; nothing is sent to it again.
    """
    if not text.strip():
        return Moderation(is_flagged=False)
    if settings.OPENAI_BASE_URL in _without:
        return Moderation(is_flagged=False, is_checked=False)
    pieces = [text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS)]
    while True:
        body = {"model": plan.model, "input": pieces}
        try:
            kept = calls.send(Exchange(plan.stage, Moderations(), body, plan.ends_at), plan, origin)
        except CallFailed as failure:
            if failure.status in LACKING:
                return _remember_lack()
            plan.after(failure)
        else:
            return _read(kept.answer)


def forget() -> None:
    """Forgets which servers have no moderation."""
    with _lock:
        _without.clear()


def _remember_lack() -> Moderation:
    with _lock:
        _without.add(settings.OPENAI_BASE_URL)
    log.warning("this model server has no moderation: texts pass unchecked")
    return Moderation(is_flagged=False, is_checked=False)


def _read(answer: Answer) -> Moderation:
    flagged = [one for one in answer.verdicts if one.get("flagged")]
    names = {
        name for one in flagged for name, is_so in mapping(one.get("categories")).items() if is_so
    }
    return Moderation(is_flagged=bool(flagged), categories=tuple(sorted(names)))
