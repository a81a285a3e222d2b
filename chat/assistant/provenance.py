"""Other people's words: a turn that reads them lets its changes wait, later ones do not read them.

What somebody else wrote may be made to steer the agent. So a turn with such text in what it reads
lets its changes wait for review (DESIGN section 5). Later turns go without the text and without the
answers that were given from it: what is not read steers nothing. A model that needs it asks with a
tool, and then that turn waits, too. What the rules keep from such a turn (an open question) makes
the turn wait that takes it up.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from django.db.models import Q
from pydantic import BaseModel

from chat import pasted
from chat.assistant.delimiter import Delimiter
from chat.guides import Context, Turn, Utterance
from chat.models import Run
from futura.llm.tools import Tool

StateT = TypeVar("StateT", bound=BaseModel)
OTHERS_PARTS: Final = frozenset({"file", "page", "import", "visitor", "mail"})
"""Types of message parts that carry what somebody else has written (DECISIONS 28)."""
TEXT_CHARS: Final = 12_000
TOOL: Final = "read_left_out_text"
LEFT_OUT: Final = (
    "[Text of somebody else, {n} characters, is left out here. "
    f"{TOOL} shows it if the person asks about it; changes then wait for their review.]"
)
ANSWER_LEFT_OUT: Final = "[What was answered from the text of somebody else is left out here.]"


class Nothing(BaseModel):
    """No arguments."""


def careful(turn: Turn[StateT]) -> Turn[StateT]:
    """The turn as its guide may see it; notes in the state whether it reads others' words.

    The state is an `AssistantState`. One query, where there is any such text.
    """
    state: Any = turn.state
    state.has_untrusted_text = False
    displayed, left_out = _without(turn)
    if _brings_others_words(turn):
        tainted(turn)
        return turn  # it waits anyway: nothing has to be left out
    return replace(turn, context=displayed, history=displayed.messages, left_out=left_out)


def tainted(turn: Turn[Any]) -> None:
    """From here on the turn reads other people's words, and so its changes wait."""
    state = turn.state
    state.has_untrusted_text = True
    if turn.run_id not in state.others:
        state.others.append(turn.run_id)


def tool(turn: Turn[Any], delimiter: Delimiter) -> list[Tool[Any]]:
    """Reads what was left out; nothing to offer where nothing was."""
    if not turn.left_out:
        return []

    def read(_given: Nothing, _call_id: str) -> object:
        tainted(turn)
        named = [
            pair
            for item in turn.left_out
            for pair in (("earlier", item.text[:TEXT_CHARS]), *carried_texts(item))
        ]
        return delimiter.blocks(named)

    about = (
        "Shows the text of somebody else (a mail, a file, a quotation) that was left out of the "
        "conversation. Only when the person asks about it; changes then wait for their review."
    )
    return [Tool(TOOL, about, Nothing, read)]


def has_others_words(utterance: Utterance) -> bool:
    """Files, pages, imports, and stretches that were pasted into one's own message."""
    if utterance.role != "user":
        return False
    kinds = OTHERS_PARTS | {pasted.PART}
    return any(str(part.get("type")) in kinds for part in utterance.parts)


def carried_texts(utterance: Utterance) -> list[tuple[str, str]]:
    """Names and texts of the files (and the like) that came with a message."""
    return [
        (str(part.get("type")), _as_text(part))
        for part in utterance.parts
        if str(part.get("type")) in OTHERS_PARTS
    ]


def _as_text(part: Mapping[str, Any]) -> str:
    name, text = str(part.get("name", "")), str(part.get("text", ""))
    return f"Name: {name}\n{text}" if name else text


def _brings_others_words(turn: Turn[Any]) -> bool:
    if turn.message is None:
        return False
    is_first = not any(item.role == "user" for item in turn.history)
    handed_over = turn.state.is_opened_with_others and is_first
    return handed_over or has_others_words(turn.message)


def _without(turn: Turn[Any]) -> tuple[Context, list[Utterance]]:
    """The past without others' words and what was answered from them; and those words.

    Turns that broke off before they could note what they read are noted here.
    """
    others: list[uuid.UUID] = turn.state.others
    past = turn.context if turn.context.messages else replace(turn.context, messages=turn.history)
    handed = turn.state.is_opened_with_others
    marked = {
        message.message_id
        for message in past.messages
        if has_others_words(message) or (handed and message.role == "user" and message.seq == 1)
    }
    if not others and not marked:
        return past, []
    runs = _runs(turn.session_id, others, marked)
    answers = {reply for _run, _said, _seq, reply in runs}
    others += [
        run for run, message_id, _seq, _reply in runs if message_id in marked and run not in others
    ]
    first_seq = min((seq for _run, _said, seq, _reply in runs if seq), default=0)
    is_summed_up = 0 < first_seq <= past.covered_seq
    left_out = [message for message in past.messages if message.message_id in marked]
    displayed = replace(
        past,
        messages=[_without_others_words(message, marked, answers) for message in past.messages],
        facts=[fact for fact in past.facts if not _is_of(fact.message_id, runs)],
        summary="" if is_summed_up else past.summary,
    )
    return displayed, left_out


_Runs = Sequence[tuple[uuid.UUID, uuid.UUID | None, int | None, uuid.UUID | None]]


def _runs(session_id: uuid.UUID, others: Sequence[uuid.UUID], marked: set[uuid.UUID]) -> _Runs:
    """Runs that read others' words, and those that went on with their answers."""
    noted = Run.objects.filter(session_id=session_id, pk__in=others, message__isnull=False)
    which = Q(pk__in=others) | Q(message_id__in=marked) | Q(message_id__in=noted.values("message"))
    runs = Run.objects.filter(which, session_id=session_id)
    return list(runs.values_list("pk", "message_id", "message__seq", "reply_id"))


def _is_of(message_id: str, runs: _Runs) -> bool:
    return any(str(sent_id) == message_id for _run, sent_id, _seq, _reply in runs)


def _without_others_words(
    utterance: Utterance, marked: set[uuid.UUID], answers: set[uuid.UUID | None]
) -> Utterance:
    """A message without others' words: of one with pasted stretches its own words stay."""
    if utterance.message_id in marked:
        stretches = pasted.ranges_in(utterance.parts) or [(0, len(utterance.text))]
        carried = "".join(text for _name, text in carried_texts(utterance))
        text = pasted.without(utterance.text, stretches, LEFT_OUT)
        text += f"\n{LEFT_OUT.format(n=len(carried))}" if carried else ""
    elif utterance.message_id in answers:
        text = ANSWER_LEFT_OUT
    else:
        return utterance
    return replace(utterance, text=text, parts=(), tokens=0)
