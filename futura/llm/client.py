"""The gateway as features see it: one object per session and run, bound to its ledger rows."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from futura.errors import ModelUnavailable
from futura.llm import admission, calls, checks, media, moderation, stages, structured, veils
from futura.llm.cancel import Cancelled, CancelToken
from futura.llm.first_word import FirstWord, current
from futura.llm.ledger import Origin
from futura.llm.moderation import Moderation
from futura.llm.retries import Plan
from futura.llm.tools.events import ToolEvent
from futura.llm.tools.kinds import Policy, Tool, Writer
from futura.llm.tools.loop import ToolLoop
from futura.llm.wires.shapes import ChatMessage, Prompt

__all__ = ["CancelToken", "Cancelled", "ChatMessage", "Llm", "Moderation"]

ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True)
class Llm:
    """Calls to the model for one session and run.

    Every call may raise ModelUnavailable (the rules take over) or Cancelled (nothing takes over).
    A call inside `transaction.atomic` or of an unknown stage is a programming error and raises
    CalledInsideTransaction or KeyError. While a call waits, this thread holds no connection to
    the database. No call outlasts `first_word`, the deadline of the turn it is made for.
    """

    session_id: uuid.UUID | None = None
    run_id: uuid.UUID | None = None
    cancel: CancelToken = field(default_factory=CancelToken, compare=False)
    first_word: FirstWord = field(default_factory=current, compare=False)
    _call_ids: set[str] = field(default_factory=set, compare=False, repr=False)
    _veils: list[veils.Veil | None] = field(default_factory=list, compare=False, repr=False)

    @property
    def is_configured(self) -> bool:
        """Whether a key or an address of a server is set at all."""
        return admission.is_configured()

    def stream_text(
        self, stage: str, messages: Sequence[ChatMessage], *, prompt_version: str = ""
    ) -> Iterator[str]:
        """Text as it comes. A cut stream raises, it never ends as a short answer.

        The call starts with the first `next` and ends early when the iterator is closed.
        """
        plan, veil = self._plan(stage), self._veil()
        said = veils.hidden(veil, messages)

        def prompt_for(model: str) -> Prompt:
            return Prompt(
                model=model,
                messages=said,
                temperature=plan.stage.temperature,
                max_output_tokens=plan.stage.max_output_tokens,
                is_stream=True,
                cache_key=self._cache_key(stage, prompt_version),
            )

        text = calls.stream(plan, prompt_for, self._origin(prompt_version))
        return veils.shown_stream(veil, text)

    def run_tools(
        self,
        stage: str,
        messages: Sequence[ChatMessage],
        tools: Sequence[Tool[Any]],
        policy: Policy,
        *,
        prompt_version: str = "",
        writer: Writer | None = None,
    ) -> Iterator[ToolEvent]:
        """An answer for which the model may call tools; ends in one `Finished`.

        At most 6 answers of the model and 12 calls, one after the other; an answer that reaches
        its limit is gone on with. `writer` takes the calls of tools that are `is_of_round`. What
        the model gets wrong (an unknown tool, bad arguments) is told to it. Nothing is asked again
        once a text was yielded or a tool that writes was begun. Where ModelUnavailable or Cancelled
        ends it, the events so far say what has been done.
        """
        if self._veil() is not None:  # arguments and results would have to pass through it, too
            raise ModelUnavailable(reason="veiled")
        loop = ToolLoop(
            self._plan(stage),
            messages,
            tools,
            policy,
            self._origin(prompt_version),
            used_ids=self._call_ids,
            cache_key=self._cache_key(stage, prompt_version),
            writer=writer,
        )
        return loop.events()

    def structured(
        self,
        stage: str,
        messages: Sequence[ChatMessage],
        schema: type[ModelT],
        *,
        prompt_version: str = "",
        model: str = "",
    ) -> ModelT:
        """One validated answer of the given schema; `model` in place of the stage's own.

        Messages may have pictures. A server that cannot see refuses: ModelUnavailable with the
        reason `bad_request`; where words of the session are hidden, no picture leaves at all.
        """
        plan, veil = self._plan(stage, model), self._veil()
        if veil is not None and any(one.get("images") for one in messages):
            raise ModelUnavailable(reason="veiled")
        found = structured.ask(
            plan,
            veils.hidden(veil, messages),
            schema,
            self._origin(prompt_version),
            cache_key=self._cache_key(stage, prompt_version),
        )
        return veils.shown_model(veil, found)

    def stream_structured(
        self,
        stage: str,
        messages: Sequence[ChatMessage],
        schema: type[ModelT],
        *,
        field: str,
        prompt_version: str = "",
    ) -> Iterator[str | ModelT]:
        """One text field of a structured answer as it comes, then the validated whole, last.

        `field` is its name in the schema. An answer that cannot be used is asked for again only
        while nothing of the field has been yielded; after that ModelUnavailable is raised.
        """
        plan, veil = self._plan(stage), self._veil()
        events = structured.stream_field(
            plan,
            veils.hidden(veil, messages),
            schema,
            field,
            self._origin(prompt_version),
            cache_key=self._cache_key(stage, prompt_version),
        )
        return veils.shown_structured(veil, events)

    def checked(self, stage: str, *, used: int, refused: Mapping[str, int] | None = None) -> None:
        """Counts the items of an answer that were used, and those refused by reason.

        See `futura.llm.checks`, which has the reasons.
        """
        checks.count(stages.stage(stage).name, used=used, refused=refused or {})

    def moderate(self, text: str) -> Moderation:
        """Whether a text breaks the provider's rules; stage `moderation`.

        A server without moderation gives an answer with `is_checked` false and nothing flagged:
        the caller decides what that means. Any other failure raises ModelUnavailable.
        """
        plan, veil = self._plan("moderation"), self._veil()
        return moderation.moderate(plan, veil.hide(text) if veil else text, self._origin(""))

    def embed(
        self,
        texts: Sequence[str],
        *,
        model: str = "",
        dimensions: int | None = None,
        stage: str = "embedding",
    ) -> npt.NDArray[np.float32]:
        """Vectors `(len(texts), d)` float32, unit length, in batches."""
        plan, veil = self._plan(stage, model), self._veil()
        read = [veil.hide(text) for text in texts] if veil else texts
        return media.embed(plan, read, self._origin(""), dimensions=dimensions)

    def transcribe(self, audio: bytes, *, filename: str) -> str:
        """What was said in a recording; its kind is told by the file name."""
        return media.transcribe(self._plan("transcription"), audio, filename, self._origin(""))

    def _veil(self) -> veils.Veil | None:
        """What hides words of this session from the model; asked for with its first call."""
        if not self.is_configured:  # nothing leaves at all
            return None
        if not self._veils:
            self._veils.append(veils.veil_of(self.session_id))
        return self._veils[0]

    def _plan(self, stage: str, model: str = "") -> Plan:
        found = stages.stage(stage)
        admission.refuse_misuse()
        return Plan(found, self.cancel, self.first_word, model=model)

    def _cache_key(self, stage: str, prompt_version: str) -> str:
        """The same for prompts that begin alike: those of one stage in one conversation."""
        place = f"{stage} {self.session_id or ''} {prompt_version}"
        return hashlib.sha256(place.encode()).hexdigest()[:32]

    def _origin(self, prompt_version: str) -> Origin:
        return Origin(self.session_id, self.run_id, prompt_version)
