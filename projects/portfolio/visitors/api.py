"""POST /api/portfolio/chat: visitors' questions by programs, answered as canonical events."""

from __future__ import annotations

import uuid
from typing import Literal

from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from ninja import Query, Router, Schema
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from chat.identity import identity_of
from futura.errors import BadInput, NotAllowed
from projects.portfolio.models import Portfolio
from projects.portfolio.queries import published_portfolio, published_portfolio_by_id
from projects.portfolio.visitors import actions
from projects.portfolio.visitors.streaming import Following, stream

router = Router(tags=["Portfolio"])


class Camel(Schema):
    """Names as JavaScript writes them."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class SaidBefore(Camel):
    """A message of the client's history; only the last one is read (DECISIONS 21)."""

    role: Literal["user", "assistant"]
    content: str


class ChatRequest(Camel):
    """A question to a portfolio.

    `ownerId` is the portfolio's address or id; `conversationId` is made by the client, stays the
    same through a conversation, and should be a UUID, so that nobody guesses it;
    `responseAnchorId` is new with every attempt. `reasoningEnabled` asks for `reasoning` events.
    """

    owner_id: str = Field(min_length=1, max_length=200)
    conversation_id: str = Field(min_length=1, max_length=200)
    messages: list[SaidBefore] = Field(min_length=1, max_length=1_000)
    response_anchor_id: str = Field(min_length=1, max_length=200)
    reasoning_enabled: bool = False


class RefusedOut(Camel):
    """A question that is not answered; nothing is streamed."""

    anchor_id: str
    message: str
    refused: bool = True


class Addressed(Schema):
    """Which portfolio a page belongs to, where its address says so."""

    portfolio: str = ""


@router.post(
    "/portfolio/chat",
    response={200: RefusedOut},
    by_alias=True,
    url_name="portfolio_chat",
    summary="Ask a portfolio",
)
async def post_chat(
    request: HttpRequest, asked: ChatRequest, addressed: Query[Addressed]
) -> HttpResponseBase:
    """Server-sent events: `stage`, `reasoning` (where asked for), `ui`, `token`, `item`,
    `attachment`, `ui_actions`, and in the end one `done` or one `error`.

    404 for a portfolio that is not published, 403 when `?portfolio=` names another one than
    `ownerId`, 413 for a question over 500 tokens, 429 with Retry-After over 5 a minute, 40 an hour
    or 120 a day, 503 when nobody can count or the month's budget is used up. A question that is
    refused gets a plain JSON answer.
    """
    taken = await database_sync_to_async(_take, thread_sensitive=False)(
        request, asked, addressed.portfolio
    )
    if taken.session is None or taken.run is None:
        out = RefusedOut(anchor_id=asked.response_anchor_id, message=taken.refusal)
        return JsonResponse(out.model_dump(by_alias=True))
    seen = Following(asked.response_anchor_id, with_reasoning=asked.reasoning_enabled)
    response = StreamingHttpResponse(
        stream(taken.session.pk, taken.run.pk, seen), content_type="text/event-stream"
    )
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


def _take(request: HttpRequest, asked: ChatRequest, addressed: str) -> actions.Asked:
    """Stores the question. Raises NotFound, NotAllowed, and what asking raises."""
    portfolio = _portfolio(asked.owner_id, addressed)
    last = asked.messages[-1]
    if last.role != "user":
        raise BadInput(_("The last message must be the visitor's."), field="messages")
    return actions.ask(
        portfolio=portfolio,
        conversation_id=asked.conversation_id,
        text=last.content,
        anchor=asked.response_anchor_id,
        address=identity_of(request).address,
        with_reasoning=asked.reasoning_enabled,
    )


def _portfolio(owner_id: str, addressed: str) -> Portfolio:
    """The published portfolio that is meant. Raises NotFound, NotAllowed for two that differ."""
    if not addressed:
        return _published(owner_id)
    found = _published(addressed)
    if owner_id not in {found.slug, str(found.pk)}:
        raise NotAllowed(_("This address belongs to another portfolio."))
    return found


def _published(name: str) -> Portfolio:
    try:
        return published_portfolio_by_id(uuid.UUID(name))
    except ValueError:
        return published_portfolio(name)
