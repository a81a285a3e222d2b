"""Counts what was used of the model's answers and what structure refused, by stage and reason.

    llm.checked("extraction", used=4, refused={Reason.QUOTE_NOT_FOUND: 1})

An item is what a stage's answer lists: a task, a merge, an id. Whoever checks an answer counts all
of its items, also when none was refused: the staff page shows the rate.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from typing import Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from futura import statements
from futura.llm import database
from futura.llm.models import AnswerCheck

log = logging.getLogger("futura.llm")


class Reason(models.TextChoices):
    """Why an item was refused. Structure only: no reason here is about the sense of words."""

    QUOTE_NOT_FOUND = "quote_not_found", _("the quote is not in its source")
    NOT_THE_PERSONS_MESSAGE = "not_the_persons_message", _("not a message from the person")
    TOO_LONG = "too_long", _("longer than allowed")
    EMPTY = "empty", _("no text")
    MARKUP = "markup", _("contains markup")
    UNKNOWN_ID = "unknown_id", _("refers to something not shown")
    NAMED_TWICE = "named_twice", _("duplicate")
    TOO_MANY = "too_many", _("too many")
    MISSING = "missing", _("missing from the answer")
    UNKNOWN_TOOL = "unknown_tool", _("unknown tool")
    BAD_ARGUMENTS = "bad_arguments", _("invalid arguments for the tool")
    NOT_ALLOWED = "not_allowed", _("action not possible there")


_ADD: Final = f"""
INSERT INTO {AnswerCheck._meta.db_table} AS stored (day, stage, reason, items)
SELECT %s, %s, * FROM unnest(%s::text[], %s::int[])
ON CONFLICT (day, stage, reason) DO UPDATE SET items = stored.items + excluded.items
RETURNING {statements.SOON}
"""  # noqa: S608 (names of a table and a constant)


def count(stage: str, *, used: int, refused: Mapping[str, int]) -> None:
    """Adds to the sums of today; call it outside of a transaction, it locks them until its end.

    With the database away for long, only the log has it.
    """
    counts = {AnswerCheck.USED: used, **refused}
    counts = {str(reason): counts[reason] for reason in sorted(counts) if counts[reason] > 0}
    if any(reason != AnswerCheck.USED for reason in counts):
        log.warning("model answer refused in part stage=%s used=%d %s", stage, used, counts)
    if not counts:
        return
    values = [timezone.localdate(), stage, list(counts), list(counts.values())]
    try:
        database.outlasting(partial(statements.rows, _ADD, values))
    except database.AWAY as error:
        log.error("a check of an answer is not in the ledger: %s", error)
