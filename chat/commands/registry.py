"""Every command by its name and version, with the JSON schema of its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from chat.commands.base import Command
from chat.commands.undo import Undo
from futura.errors import BadInput

_commands: dict[str, type[Command]] = {Undo.name: Undo}


def register(*kinds: type[Command]) -> None:
    """Adds commands; two of one name are a programming error (ValueError)."""
    for kind in kinds:
        if _commands.setdefault(kind.name, kind) is not kind:
            raise ValueError(f"There already is a command called {kind.name!r}.")


def command_kind(name: str) -> type[Command]:
    """The command of that name. Raises BadInput."""
    try:
        return _commands[name]
    except KeyError:
        told = _("There is no command called “%(name)s”.") % {"name": name[:40]}
        raise BadInput(told, field="name") from None


def all_commands() -> Sequence[type[Command]]:
    """Every command, by name."""
    return [_commands[name] for name in sorted(_commands)]


def description(kind: type[Command]) -> Mapping[str, Any]:
    """What programs are told of a command: name, version, meaning, schema of its arguments."""
    return {
        "name": kind.name,
        "version": kind.schema_version,
        "area": kind.area,
        "scope": kind.token_scope(),
        "writes": kind.writes,
        "description": (kind.__doc__ or "").strip(),
        "arguments": kind.model_json_schema(),
    }
