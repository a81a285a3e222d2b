"""The tree of errors that Futura raises on purpose, and what each tells the person.

    FuturaError
    ├── BadInput            400  what was sent cannot be used; says what to change
    │   ├── TooLong         413  longer than the limit of its field
    │   └── WrongContentType 415 the JSON API takes JSON only
    ├── SignInNeeded        401  an account is needed here and absent
    ├── NotAllowed          403  known to exist, but not for this one
    ├── NotFound            404  does not exist, or is not yours (never told apart)
    ├── WrongMethod         405  the address exists, but not for this method
    ├── Conflict            409  somebody, or another tab, was faster
    │   └── Busy            409  something is under way; succeeds after that
    ├── TooMany             429  a rate limit; carries how long to wait
    ├── Unavailable         503  a part of the service is not there right now
    └── ModelUnavailable    503  the model gave nothing usable; the rules take over

Errors meant for the model (`ToolRejected`) and programming errors are not in this tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class FuturaError(Exception):
    """Base: `code` for programs, `status` for HTTP, `str(error)` for a person in their language.

    `details` are further facts for programs, by their names in JSON.
    """

    code = "error"
    status = 500
    retry_helps = False
    default_message: str | Promise = _("Something went wrong on our side. Nothing is lost.")
    details: Mapping[str, str] = MappingProxyType({})

    def __init__(self, message: str = "", *, field: str | None = None) -> None:
        super().__init__(message or str(self.default_message))
        self.field = field


class BadInput(FuturaError):
    code = "bad_input"
    status = 400
    default_message = _("This cannot be used as it is.")


class TooLong(BadInput):
    """A text longer than its limit (both in characters)."""

    code = "too_long"
    status = 413

    def __init__(self, *, limit: int, length: int, field: str | None = None) -> None:
        counts = {"limit": limit, "length": length}
        super().__init__(
            _(
                "This is %(length)s characters long; at most %(limit)s fit here. "
                "Shorten it a little, or send it in parts."
            )
            % {name: number_format(n, force_grouping=True) for name, n in counts.items()},
            field=field,
        )
        self.limit = limit
        self.length = length


class WrongContentType(BadInput):
    code = "wrong_content_type"
    status = 415
    default_message = _("Send JSON with the content type application/json.")


class SignInNeeded(FuturaError):
    code = "sign_in_needed"
    status = 401
    default_message = _("Please sign in first.")


class NotAllowed(FuturaError):
    code = "not_allowed"
    status = 403
    default_message = _("You do not have access.")


class NotFound(FuturaError):
    """Does not exist, or belongs to somebody else; the two are never told apart."""

    code = "not_found"
    status = 404
    default_message = _("It may have been deleted, or it belongs to someone else.")


class WrongMethod(FuturaError):
    code = "wrong_method"
    status = 405
    default_message = _("This address does not take this method.")


class Conflict(FuturaError):
    """Somebody else, or another tab, was faster: the same request is refused again."""

    code = "conflict"
    status = 409
    default_message = _("This was changed meanwhile. Check the current version and try again.")


class Busy(Conflict):
    """Something is under way; the same request succeeds after that."""

    retry_helps = True


class TooMany(FuturaError):
    """A rate limit was reached; `retry_after_s` says for how long."""

    code = "too_many"
    status = 429
    retry_helps = True

    default_message = _("Too many requests. Please wait a little.")

    def __init__(self, message: str = "", *, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Unavailable(FuturaError):
    code = "unavailable"
    status = 503
    retry_helps = True
    default_message = _("This part is not available right now. Nothing is lost; try again shortly.")


class ModelUnavailable(FuturaError):
    """The model gave nothing usable (no key, refused, failed, over budget): rules take over."""

    code = "model_unavailable"
    status = 503
    retry_helps = True
    default_message = _("The language model is not available.")

    def __init__(self, message: str = "", *, reason: str = "failed") -> None:
        super().__init__(message)
        self.reason = reason
