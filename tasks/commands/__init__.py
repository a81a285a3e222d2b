"""The commands of a survey's list: what pages, programs and reviewers do to its tasks."""

from __future__ import annotations

from chat.commands.run import register
from tasks.commands import edit, matches, order, rating


def register_all() -> None:
    register(*edit.COMMANDS, *order.COMMANDS, *rating.COMMANDS, *matches.COMMANDS)
