"""The order of a prompt's parts in which a provider finds most of it kept from the call before."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from futura.llm.wires.shapes import ChatMessage


class Changes(IntEnum):
    """How often a part of a prompt changes."""

    NEVER = 0
    """Instructions: the same for every conversation."""
    SELDOM = 1
    """What stays for many turns: who the person is, key facts, the summary so far."""
    GROWS = 2
    """The conversation: what was said stays, something is added at its end."""
    ALWAYS = 3
    """The state of this very turn, and the message it answers."""


def stable_first(parts: Iterable[tuple[Changes, ChatMessage]]) -> list[ChatMessage]:
    """The messages with what changes least in front; parts that change alike keep their order.

    Providers keep the longest beginning that two prompts share, so that one changed word near the
    front costs the price of everything behind it. Empty parts are left out.
    """
    kept = [(changes, message) for changes, message in parts if message["content"].strip()]
    return [message for _, message in sorted(kept, key=lambda part: part[0])]


def shared_share(before: Iterable[ChatMessage], after: Iterable[ChatMessage]) -> float:
    """How much of the later prompt begins as the earlier one did, by characters (0 to 1)."""
    one, two = (_spelled(messages) for messages in (before, after))
    same = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), None)
    length = min(len(one), len(two)) if same is None else same
    return length / len(two) if two else 1.0


def _spelled(messages: Iterable[ChatMessage]) -> str:
    return "\x1e".join(f"{message['role']}\x1f{message['content']}" for message in messages)
