"""What staff read of a talk's stages, tools and levels, in their own language."""

from __future__ import annotations

import pytest
from django.utils import timezone

from chat.models import Message, Run

pytestmark = pytest.mark.django_db


def test_stages_tools_and_levels_are_told_in_the_language_of_who_reads(desk, sent):
    session = sent.response.session
    said = session.messages.get(seq=2)
    reply = Message.objects.create(
        session=session, seq=3, role="assistant", text="And on quiet days?",
        parts=[{"type": "turn", "tool": "custom_question"}],
    )  # fmt: skip
    detail = {"tool": "custom_question", "engagement": "high", "gwaCoverage": {"workOutput": "low"}}
    step = {"name": "tool_selection", "label": "Choosing the next question", "by": "rules"}
    Run.objects.create(
        session=session, message=said, reply=reply, status=Run.Status.COMPLETED,
        finished_at=timezone.now(), trace=[{**step, "took_ms": 12, "detail": detail}],
        state_before={**session.state, "turnCount": -1},
    )  # fmt: skip
    german = {"Accept-Language": "de"}
    page = desk.get(f"/staff/sessions/{session.pk}?show=trace", headers=german).text
    for words in ("Wähle die nächste Frage", "Regeln", "Frage nach einer Lücke", "Mitarbeit",
                  "Arbeitsergebnisse niedrig", "Runden"):  # fmt: skip
        assert words in page, words
    for code in ("custom_question", "Choosing the next", "gwa coverage", "turn count", "rules"):
        assert code not in page, code
