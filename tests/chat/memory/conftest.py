"""A session written straight into the database, as long as a test wants it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from chat.hot import size_of
from chat.memory.tokens import count_message
from chat.models import Message, Participant, Session

Talk = Callable[[Sequence[tuple[str, str]]], Session]


def write(session: Session, said: Sequence[tuple[str, str]]) -> None:
    """Adds pairs of what a person said and what was answered; counts them as the engine does."""
    last = session.messages.order_by("-seq").values_list("seq", flat=True).first() or 0
    rows = []
    for person, reply in said:
        for role, text in (("user", person), ("assistant", reply)):
            last += 1
            tokens = count_message(text)
            rows.append(
                Message(session=session, seq=last, role=role, text=text, token_count=tokens)
            )
    Message.objects.bulk_create(rows)
    session.token_count = size_of(session).tokens
    session.save(update_fields=["token_count", "updated_at"])


@pytest.fixture
def talk(db) -> Talk:
    """Writes a session with these turns."""

    def write_talk(said: Sequence[tuple[str, str]]) -> Session:
        session = Session.objects.create(participant=Participant.objects.create(), kind="echo")
        write(session, said)
        return session

    return write_talk
