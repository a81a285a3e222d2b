"""The sidebar of a talk page: the person's other conversations, last used first."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django import template
from django.http import HttpRequest

from chat import library
from chat.identity import identity_of

SHOWN: Final = 20

register = template.Library()


@register.inclusion_tag("chat/_sidebar.html")
def talks_sidebar(request: HttpRequest, session_id: uuid.UUID | None) -> dict[str, Any]:
    """Active conversations of all kinds; the one that is open is marked. A few queries."""
    identity = identity_of(request)
    rows = library.page_of(identity, "active").rows[:SHOWN] if identity.is_known else []
    return {"rows": rows, "current": session_id}
