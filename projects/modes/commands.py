"""Carries out what a guide has read from a message itself: one round, one ledger line."""

from __future__ import annotations

from collections.abc import Sequence

from chat.assistant.toolset import writing
from chat.assistant.working import Working, Written
from chat.commands.base import Command


def carry_out(working: Working, commands: Sequence[Command]) -> Sequence[Written]:
    """What became of each; nothing of one that failed. Raises LeaseLost."""
    before = len(working.written)
    calls = [
        (f"{working.turn.run_id.hex}-{before + n}", command, writing(type(command)))
        for n, command in enumerate(commands)
    ]
    working.write(calls)
    return working.written[before:]


def error_of(written: Sequence[Written]) -> str:
    """Why the first that failed was not done; empty when all went well."""
    return next((one.error for one in written if one.error), "")
