"""How a turn can fail, each with the code of the spec's `error` event (3, section 6.5)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from futura.errors import FuturaError


class BrokenOff(FuturaError):
    """The model failed after the first words; what was shown stays, and a retry helps."""

    code = "stream_interrupted"
    status = 503
    retry_helps = True
    default_message = _("The answer was interrupted. Try again.")


class ModelFailed(FuturaError):
    """The model failed before the first word, and rules may not take over."""

    code = "llm_error"
    status = 503
    retry_helps = True
    default_message = _("The language model is not reachable. Please try again.")

    def __init__(self, reason: str = "") -> None:
        super().__init__()
        if "timeout" in reason:
            self.code = "llm_timeout"
        elif "budget" in reason:
            self.code, self.retry_helps = "budget_exceeded", False


class RetrievalFailed(FuturaError):
    """The index of a portfolio cannot be read."""

    code = "retrieval_error"
    status = 503
    retry_helps = True
    default_message = _("The portfolio could not be searched. Please try again.")
