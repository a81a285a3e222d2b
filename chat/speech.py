"""Writes down what was said into a microphone; the recording itself is not kept."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat import rates
from chat.identity import Identity
from futura import limits
from futura.errors import BadInput
from futura.llm.client import Llm
from futura.llm.stages import is_configured


def can_transcribe() -> bool:
    """Whether a model is set up that could hear; browsers may hear by themselves."""
    return is_configured()


def written_down(request: HttpRequest, *, identity: Identity, llm: Llm) -> str:
    """The words of the recording in the field `audio`. Raises BadInput, TooMany, LlmError."""
    recording = request.FILES.get("audio")
    if recording is None or not recording.size:
        raise BadInput(_("This file contains no recording."), field="audio")
    if recording.size > limits.AUDIO_BYTES:
        raise BadInput(_("This recording is too long. Speak in shorter parts."), field="audio")
    rates.check(limits.TRANSCRIBE, identity)
    name = str(recording.name or "speech.webm")[-40:]
    return llm.transcribe(recording.read(), filename=name)
