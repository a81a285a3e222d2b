"""What a page may ask over its socket: one action for each kind of frame."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from chat import actions
from chat.identity import Identity
from chat.queries import active_run, session_for
from futura.errors import BadInput

Frame = Mapping[str, Any]


def _rate(*, identity: Identity, message_id: uuid.UUID, rating: str, **why: Any) -> None:
    """Keeps a rating; an empty one forgets what was said."""
    if rating:
        actions.rate_message(identity=identity, message_id=message_id, rating=rating, **why)
    else:
        actions.withdraw_rating(identity=identity, message_id=message_id)


_OF_RUNS: Final[Mapping[str, Callable[..., object]]] = {
    "stop": actions.stop_run,
    "retry": actions.retry_run,
    "regenerate": actions.regenerate,
    "continue": actions.continue_run,
}
_OF_MESSAGES: Final[Mapping[str, Callable[..., object]]] = {
    "reword": actions.edit_queued,
    "edit": actions.edit_last,
    "remove": actions.remove_queued,
    "rate": _rate,
}
_FIELDS: Final = {
    "reword": ("text",),
    "edit": ("text",),
    "remove": (),
    "rate": ("rating", "reasons", "comment"),
}


def frame_of(text: str) -> Frame:
    """The frame that a page sent. Raises BadInput."""
    try:
        frame = json.loads(text)
    except ValueError:
        frame = None
    if not isinstance(frame, dict):
        _refuse()
    return frame


def obey(identity: Identity, session_id: uuid.UUID, frame: Frame) -> None:
    """Does what a frame asks; ownership is checked anew for each. Raises FuturaError.

    `send` (`text`, `client_id`), `seen` (`seq`), `ping`; of a `run` (of the one at work, to stop
    it): `stop`, `retry`, `regenerate`, `continue`; of a `message`: `reword` and `edit` (`text`),
    `remove`, `rate` (`rating`, `reasons`, `comment`).
    """
    kind = frame.get("type", "send" if "text" in frame else "")
    if kind == "ping":
        return
    if not isinstance(kind, str):
        _refuse()
    session = session_for(identity, session_id)
    if kind == "send":
        actions.send_message(
            identity=identity,
            session=session,
            text=frame.get("text", ""),
            client_id=_uuid(frame.get("client_id")),
        )
    elif kind == "seen":
        actions.mark_seen(identity=identity, session=session, seq=_number(frame.get("seq")))
    elif kind in _OF_RUNS:
        run_id = _uuid(frame.get("run"))
        if run_id is None and kind == "stop":
            run_id = getattr(active_run(session.pk), "pk", None)
        if run_id is not None:
            _OF_RUNS[kind](identity=identity, run_id=run_id)
    elif kind in _OF_MESSAGES:
        fields = {name: frame[name] for name in _FIELDS[kind] if name in frame}
        _refuse_strange(fields)
        message_id = _uuid(frame.get("message")) or _refuse()
        _OF_MESSAGES[kind](identity=identity, message_id=message_id, **_complete(kind, fields))
    else:
        _refuse()


def _complete(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    """What an action cannot do without is empty rather than missing."""
    needed = {"reword": "text", "edit": "text", "rate": "rating"}.get(kind)
    return {needed: "", **fields} if needed else fields


def _refuse_strange(fields: Frame) -> None:
    """Raises BadInput for a field that is no text, or no list of texts where one belongs."""
    for name, value in fields.items():
        texts = value if name == "reasons" and isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts):
            _refuse()
        if name == "reasons" and not isinstance(value, list):
            _refuse()


def _uuid(value: object) -> uuid.UUID | None:
    """The id in a frame, None when there is none. Raises BadInput for anything else."""
    if value in (None, ""):
        return None
    try:
        return uuid.UUID(str(value))
    except ValueError:
        _refuse()


def _number(value: object) -> int:
    """A whole number in a frame. Raises BadInput for anything else."""
    if not isinstance(value, int) or not 0 <= value < 2**31:
        _refuse()
    return value


def _refuse() -> NoReturn:
    raise BadInput("This page sent something that is not understood. Load it again.")
