"""A conversation of one person, played turn by turn through the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chat import actions
from chat.identity import Identity
from chat.memory.tokens import count_message
from chat.models import Message, Run, Session
from chat.operations.models import Operation, OperationBatch
from chat.queries import session_for


def settle_opening(session: Session, text: str, parts: Sequence[Any] = ()) -> Session:
    """A conversation that has just begun stands as if its opening had been played."""
    tokens = count_message(text)
    reply = Message.objects.create(
        session=session, seq=1, role="assistant", text=text, parts=list(parts), token_count=tokens
    )
    session.runs.update(status=Run.Status.COMPLETED, reply=reply)
    Session.objects.filter(pk=session.pk).update(token_count=tokens)
    return session


class Talk:
    """What every kind of conversation has; kinds add what is theirs."""

    def __init__(self, session: Session, me: Identity, drain: Any) -> None:
        self.me, self.drain, self.id = me, drain, session.pk
        drain()

    @property
    def session(self) -> Session:
        return session_for(self.me, self.id)

    @property
    def state(self) -> dict[str, Any]:
        return self.session.state

    @property
    def run(self) -> Run:
        run = self.session.runs.order_by("created_at").last()
        assert run is not None
        return run

    @property
    def message(self) -> Message:
        """What was answered last."""
        said = self.session.messages.filter(role="assistant").order_by("seq").last()
        assert said is not None
        return said

    @property
    def reply(self) -> str:
        return self.message.text

    def say(self, text: str, *, parts: Any = (), pasted: str = "") -> str:
        """One message, with a pasted stretch below its words; the answer's text.

        The run must complete.
        """
        ranges = [(len(text) + 1, len(text) + 1 + len(pasted))] if pasted else []
        actions.send_message(
            identity=self.me, session=self.session, parts=parts, pasted=ranges,
            text=f"{text}\n{pasted}" if pasted else text,
        )  # fmt: skip
        self.drain()
        run = self.run
        assert run.status == Run.Status.COMPLETED, run.error_text
        return self.reply

    def stages(self) -> dict[str, str]:
        """Who took each step of the last turn."""
        return {step["name"]: step["by"] for step in self.run.trace if "by" in step}

    def parts(self, kind: str) -> list[dict[str, Any]]:
        return [part for part in self.message.parts if part["type"] == kind]

    @property
    def batches(self) -> list[OperationBatch]:
        return list(OperationBatch.objects.filter(session=self.id).order_by("created_at"))

    def operations(self, **narrowed: Any) -> list[Operation]:
        return list(Operation.objects.filter(batch__session=self.id, **narrowed))
