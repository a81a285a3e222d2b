"""Writes how much of the working time a task takes and how much AI helps with it."""

from __future__ import annotations

import re
import uuid
from decimal import Decimal, InvalidOperation
from typing import Final

from django.utils.translation import gettext as _

from chat.operations.changes import Actor
from futura.errors import BadInput, TooLong
from futura.limits import AI_TOOLS_CHARS
from tasks.actions.editing import editing, living_task
from tasks.apportionment import balanced
from tasks.models import SurveyResponse, WorkTask

UNSAID: Final = object()


def rate(
    *,
    response: SurveyResponse,
    task_id: uuid.UUID,
    percent: object = UNSAID,
    level: object = UNSAID,
    tools: object = None,
    version: int | None = None,
    actor: Actor | None = None,
) -> WorkTask:
    """Time share, AI use and tools of a task as one gesture, whichever are said.

    An empty share or level takes it back; tools are a text with commas or a list. The total need
    not be 100. Raises BadInput, TooLong, Conflict for a stale version.
    """
    share = None if percent is UNSAID else parse_percent(percent)
    if level is not UNSAID and level not in ("", *WorkTask.AiLevel.values):
        raise BadInput(_("Choose none, some or significant."), field="ai_level")
    named = None if tools is None else parse_tools(tools)
    title = _("Set the AI use of a task") if percent is UNSAID else _("Set the time of a task")
    if percent is not UNSAID and level is not UNSAID:
        title = _("Rated a task")
    with editing(response, title, actor) as desk:
        task = living_task(desk.response, task_id, version=version)
        if percent is not UNSAID and task.time_share != share:
            task.time_share = share
            desk.put(task, "time_share")
        wanted = task.ai_tools if named is None else named
        if level is not UNSAID and (task.ai_level, task.ai_tools) != (level, wanted):
            task.ai_level, task.ai_tools = str(level), wanted
            desk.put(task, "ai_level", "ai_tools")
        return task


def parse_percent(value: object) -> Decimal | None:
    """0 to 100 with at most two decimals; BadInput otherwise. Comma and % are understood."""
    text = "" if value is None else str(value).replace("%", "").replace(",", ".").strip()
    if not text:
        return None
    try:
        share = Decimal(text) if len(text) <= 12 and not isinstance(value, bool) else None
    except InvalidOperation:
        share = None
    if share is None or not share.is_finite() or not 0 <= share <= 100:
        raise BadInput(_("A share is a number from 0 to 100."), field="time_share")
    return share.quantize(Decimal("0.01"))


def balance_time(*, response: SurveyResponse, actor: Actor | None = None) -> list[WorkTask]:
    """Makes the shares whole percents that add up to 100 (see `tasks.apportionment`)."""
    with editing(response, _("Balanced the time"), actor) as desk:
        tasks = list(desk.response.tasks.filter(deleted_at=None).order_by("position", "created_at"))
        for task, share in zip(tasks, balanced([t.time_share for t in tasks]), strict=True):
            if task.time_share != share:
                task.time_share = Decimal(share)
                desk.put(task, "time_share")
        return tasks


def parse_tools(tools: object) -> list[str]:
    """Names between commas, semicolons or line ends, each once, in the order given."""
    given = tools if isinstance(tools, list) else [tools]
    said = [one for one in given if isinstance(one, str)]
    if len(said) < len(given):
        raise BadInput(_("Text is expected here."), field="ai_tools")
    text = ", ".join(said).replace("\x00", "")
    if len(text) > AI_TOOLS_CHARS:
        raise TooLong(limit=AI_TOOLS_CHARS, length=len(text), field="ai_tools")
    names = (name.strip() for name in re.split(r"[,;\n]", text))
    return list(dict.fromkeys(name for name in names if name))
