"""What stops a load: one error whose text says what is wrong with the source and what to do."""

from __future__ import annotations

from futura.errors import BadInput


class CannotLoad(BadInput):
    """The source cannot become a release; nothing was changed."""

    code = "cannot_load"
