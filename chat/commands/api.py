"""JSON for programs: every command by name, and what all commands' doors answer alike."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any, Literal

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Field, Router, Schema
from pydantic import ConfigDict

from chat.commands.base import Scope
from chat.commands.run import all_commands, answer, command_kind, description
from chat.commands.tokens import require
from chat.identity import identity_of
from chat.operations.changes import Kind
from futura.errors import BadInput

router = Router(tags=["Commands"])


class ErrorBody(Schema):
    """What went wrong; `field` names the value, `retry` says whether trying again may help."""

    model_config = ConfigDict(extra="allow")

    code: str
    message: str
    retry: bool
    field: str | None = None


class ErrorOut(Schema):
    """Every refusal has this shape."""

    error: ErrorBody


class CommandKindOut(Schema):
    """A command: what it does, and the JSON schema of its arguments."""

    name: str
    version: int
    area: str
    scope: str = Field(description="What an access token needs for it.")
    writes: bool
    description: str
    arguments: dict[str, Any]


class CommandsOut(Schema):
    """All commands, by name."""

    commands: list[CommandKindOut]


class RunIn(Schema):
    """A command to carry out; `version` is the one that the arguments were written for."""

    model_config = ConfigDict(extra="forbid")

    name: str
    version: int = 1
    arguments: dict[str, Any] = Field(default_factory=dict)


class CommandOutcomeOut(Schema):
    """What became of a command. Undo the batch under `/api/operations/{batch_id}/undo`.

    A command that only reads, or opens a conversation, has a `result` and no batch.
    """

    status: Literal["done", "waiting"]
    title: str = ""
    sentence: str = ""
    batch_id: uuid.UUID | None = Field(None, description="Null where nothing had to change.")
    created: list[uuid.UUID] = Field(default=[], description="Ids of new rows, in order.")
    result: Any = None


@router.get("/commands", response=CommandsOut, url_name="commands", summary="All commands")
def get_commands(request: HttpRequest) -> dict[str, Any]:  # noqa: ARG001
    """What can be done, with the arguments of each."""
    return {"commands": [description(kind) for kind in all_commands()]}


@router.post(
    "/commands",
    response=CommandOutcomeOut,
    url_name="commands",
    summary="Carry out a command",
)
def post_command(request: HttpRequest, sent: RunIn) -> dict[str, Any]:
    """Whole or not at all, as one batch that can be undone."""
    kind = command_kind(sent.name)
    if sent.version != kind.schema_version:
        raise BadInput(_("This is version %(n)d.") % {"n": kind.schema_version}, field="version")
    reply = answer(kind, sent.arguments, scope_of(request), partial(require, request))
    body: dict[str, Any] = {
        "status": "done",
        "sentence": reply.sentence,
        "result": reply.result,
    }
    if (outcome := reply.outcome) is not None:
        body["status"] = "waiting" if outcome.is_waiting else "done"
        body |= {"title": outcome.batch.title, "batch_id": outcome.batch_id}
        body |= {"created": outcome.created}
    return body


def scope_of(request: HttpRequest) -> Scope:
    """The caller's own rows; the ledger is told of the token that a program came with."""
    key = request.headers.get("Idempotency-Key", "")
    return Scope(identity_of(request), Kind.PROGRAM, key=key)
