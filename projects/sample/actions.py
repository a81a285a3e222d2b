"""Makes a person's sample workspace, and deletes it; every row by a command, through the ledger."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
import uuid
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.db import transaction

from chat.commands.base import Scope, build
from chat.commands.run import command_kind, run
from chat.identity import Identity
from chat.operations.changes import Cause
from futura.errors import NotFound
from futura.rows import only
from projects.sample.models import SampleWorkspace

REASON: Final = "Sample workspace: made-up things to look at"
_CONTENT: Final = Path(__file__).with_name("content.toml")
_DAY: Final = re.compile(r"today([+-]\d+)?")
# what is remembered to be deleted later, by the command that made it
_KINDS: Final = {
    "create_project": "projects",
    "create_todos": "todos",
    "create_portfolio": "portfolios",
}


def create(*, identity: Identity) -> SampleWorkspace:
    """The caller's sample workspace, made now unless there is one already.

    Who has no participant yet gets one (see `Identity.participant`).
    """
    with transaction.atomic():
        participant = identity.participant()
        sample, is_new = SampleWorkspace.objects.get_or_create(participant=participant)
        if is_new:
            _fill(sample, Scope(identity))
            sample.save()
    return sample


def delete(*, identity: Identity) -> None:
    """Deletes the caller's sample; what was deleted already stays so. Raises NotFound."""
    with transaction.atomic():
        samples = SampleWorkspace.objects.select_for_update()
        sample = only(samples.filter(participant__in=identity.participant_ids))
        for name, keys in (
            ("delete_project", sample.projects),
            ("delete_portfolio", sample.portfolios),
        ):
            for key in keys:
                _delete_row(identity, name, {"id": key})
        for key in sample.todos:
            _delete_row(identity, "delete_todos", {"ids": [key]})
        sample.delete()


def _delete_row(identity: Identity, name: str, arguments: Mapping[str, Any]) -> None:
    try:
        with transaction.atomic():
            run(build(command_kind(name), arguments), Scope(identity), cause=Cause(reason=REASON))
    except NotFound:  # deleted before, alone or with its project
        return


def _fill(sample: SampleWorkspace, scope: Scope) -> None:
    """Runs the commands of the content in their order, and notes what they made."""
    created: dict[str, list[uuid.UUID]] = {}
    for step in _steps():
        arguments = _resolved(step["with"], created, scope.today)
        command = build(command_kind(step["name"]), arguments)
        outcome = run(command, scope, cause=Cause(reason=REASON))
        created[step.get("as", "")] = outcome.created
        if field := _KINDS.get(step["name"]):
            getattr(sample, field).extend(str(key) for key in outcome.created)


@cache
def _steps() -> list[dict[str, Any]]:
    return list(tomllib.loads(_CONTENT.read_text(encoding="utf-8"))["command"])


def _resolved(value: Any, created: Mapping[str, list[uuid.UUID]], today: dt.date) -> Any:
    """The arguments with real ids and days in place of names and “today+3”."""
    if isinstance(value, dict):
        return {key: _resolved(item, created, today) for key, item in value.items()}
    if isinstance(value, list):
        return [_resolved(item, created, today) for item in value]
    if not isinstance(value, str):
        return value
    if value.startswith("@"):
        name, _dot, index = value[1:].partition(".")
        return str(created[name][int(index or 0)])
    if day := _DAY.fullmatch(value):
        return (today + dt.timedelta(days=int(day[1] or 0))).isoformat()
    return value
