"""Sends what somebody entered in the form as a message of the conversation."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Literal

from django.utils import timezone
from django.utils.translation import gettext as _

from chat.actions import send_message
from chat.identity import Identity
from chat.models import Session
from futura.errors import BadInput, NotFound
from projects.forecasting.queries import inputs_of
from projects.forecasting.variants import Variant, is_unknown, plain
from projects.forecasting.wording import branch_title, sentence
from projects.modes.forecast.guide import ASSUMED
from projects.modes.starting import agent_session_for
from projects.modes.state import FORECAST
from projects.queries import project_for, tasks_of

Way = Literal["count", "what_if"]


def forecast_talk(identity: Identity, session_id: uuid.UUID) -> Session:
    """The caller's own forecasting conversation. NotFound for others and other kinds."""
    session = agent_session_for(identity, session_id)
    if session.kind != FORECAST:
        raise NotFound
    return session


def assume(
    *, identity: Identity, session_id: uuid.UUID, variants: Sequence[Variant], way: Way
) -> Session:
    """The values as a message with a sentence that says them; the answer computes them.

    Raises NotFound for other people's conversations and to-dos, BadInput for nothing.
    """
    session = forecast_talk(identity, session_id)
    if not variants:
        raise BadInput(_("Enter at least one thing."))
    project = project_for(identity, uuid.UUID(str(session.state.get("project_id"))))
    inputs = inputs_of(project, tasks_of(project), today=timezone.localdate())
    if any(is_unknown(one, inputs) for one in variants):
        raise NotFound
    title = branch_title(variants, inputs)
    text = _("What if %(title)s?") % {"title": title} if way == "what_if" else f"{sentence(title)}."
    part = {"type": ASSUMED, "as": way, "items": plain(variants)}
    send_message(identity=identity, session=session, text=text, parts=[part])
    return session
