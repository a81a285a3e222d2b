"""How an attempt at a model call can end, and what that means for the next one."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from futura.errors import ModelUnavailable


class Outcome(models.TextChoices):
    """The end of one attempt, as the ledger keeps it."""

    OK = "ok", _("answered")
    UNSUPPORTED = "unsupported", _("a parameter was refused; asked again without it")
    REFUSED = "refused", _("the model refused")
    EMPTY = "empty", _("empty answer")
    TRUNCATED = "truncated", _("answer longer than its limit")
    WRONG_SCHEMA = "wrong_schema", _("answer not of the asked form")
    MALFORMED = "malformed", _("unreadable answer")
    TOO_LARGE = "too_large", _("answer far too large")
    CUT = "cut", _("stream ended before the answer did")
    FAILED = "failed", _("the server reported a failure")
    INCOMPLETE = "incomplete", _("the server broke the answer off")
    FIRST_TOKEN_TIMEOUT = "first_token_timeout", _("nothing came in time")
    IDLE_TIMEOUT = "idle_timeout", _("the stream stalled")
    TOTAL_TIMEOUT = "total_timeout", _("the answer took too long")
    UNREACHABLE = "unreachable", _("no connection")
    RATE_LIMITED = "rate_limited", _("rate limit of the provider")
    OUT_OF_QUOTA = "out_of_quota", _("the provider's quota is used up")
    UNAUTHORISED = "unauthorised", _("the key was refused")
    NOT_FOUND = "not_found", _("no such model or address")
    BAD_REQUEST = "bad_request", _("the request was refused")
    SERVER_ERROR = "server_error", _("error of the server")
    CANCELLED = "cancelled", _("stopped on request")
    BAD_CALL = "bad_call", _("called a tool in a way that cannot be done")
    OVER_BUDGET = "over_budget", _("not sent: the month's budget is used up")
    CIRCUIT_OPEN = "circuit_open", _("not sent: the server has failed repeatedly")


# Trying the same again may help: the cause lies outside the request.
PASSING = frozenset(
    {
        Outcome.MALFORMED,
        Outcome.CUT,
        Outcome.FAILED,
        Outcome.FIRST_TOKEN_TIMEOUT,
        Outcome.IDLE_TIMEOUT,
        Outcome.UNREACHABLE,
        Outcome.RATE_LIMITED,
        Outcome.SERVER_ERROR,
    }
)
# Another model may answer what this one did not.
MODEL_RELATED = PASSING | {
    Outcome.NOT_FOUND,
    Outcome.REFUSED,
    Outcome.EMPTY,
    Outcome.INCOMPLETE,
    Outcome.TRUNCATED,
    Outcome.WRONG_SCHEMA,
    Outcome.CIRCUIT_OPEN,
}


class CallFailed(Exception):
    """One attempt gave nothing usable. Never leaves the gateway.

    `detail` is safe to keep and log: codes and places, never text of a prompt or an answer.
    `server_says` may quote the prompt: for learning from a refusal, never logged above DEBUG.
    """

    def __init__(
        self,
        outcome: Outcome,
        detail: str = "",
        *,
        status: int | None = None,
        param: str = "",
        server_says: str = "",
        retry_after_s: float | None = None,
        took_long: bool = False,
    ) -> None:
        super().__init__(f"{outcome.value} {detail}".strip())
        self.outcome = outcome
        self.detail = detail
        self.status = status
        self.param = param
        self.server_says = server_says
        self.retry_after_s = retry_after_s
        self.took_long = took_long

    @property
    def broken_off(self) -> ModelUnavailable:
        """The same where words have been shown already: that is what the person is told."""
        return ModelUnavailable(
            gettext("The answer broke off. What came of it is kept; you can try again."),
            reason=self.outcome.value,
        )

    @property
    def unavailable(self) -> ModelUnavailable:
        """The error that the caller of the gateway sees."""
        return ModelUnavailable(reason=self.outcome.value)
