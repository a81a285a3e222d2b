"""What pages need to show the conversation: the concierge's own, and the home page."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest

from chat.models import Session
from chat.render import page_context
from futura.llm.stages import is_configured
from projects.concierge import greeting
from projects.concierge.presenter import MESSAGE_CHARS, ConciergePresenter
from projects.concierge.queries import is_greeted
from projects.concierge.snapshot import Snapshot


def context_for(
    request: HttpRequest, session: Session | None, briefing: Snapshot, *, is_known: bool = True
) -> dict[str, Any]:
    """What the partials of `templates/projects/concierge/` need.

    Without a conversation they show first suggestions by rules and a composer that begins one.
    `is_known` is false for visitors of whom nothing is known: no conversation begins by itself
    for them. Two queries beyond `chat.render.page_context`, fewer without a conversation.
    """
    is_basic = not is_configured()
    # by rules the first suggestions stand on the page already, so nothing has to begin for them
    wants_greeting = is_known and (
        not is_basic if session is None else not is_greeted(session, briefing.today)
    )
    shown = page_context(request, session) if session is not None else {"request": request}
    first = greeting.greet(briefing) if session is None else None
    return {
        **shown,
        "concierge": {
            "session": session,
            "greets": wants_greeting,
            "first": first,
            "offers": first.suggestions if first else (),
            "client_id": uuid.uuid4(),
            "limit": MESSAGE_CHARS,
            "label": ConciergePresenter.composer_label,
            "placeholder": ConciergePresenter.composer_placeholder,
            "is_basic": is_basic,
        },
    }
