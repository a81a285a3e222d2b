"""The audit as a reading tool for every conversation about a project."""

from __future__ import annotations

from typing import Any

from projects.agent.audit.auditing import audited, subject_of
from projects.agent.readers import plan_of
from projects.agent.toolbox import ToolBox
from projects.agent.tools import Focus
from projects.dimensions import FIELDS


def generate_project_audit(given: Focus, box: ToolBox) -> dict[str, Any]:
    """Strengths and findings by rules, as plain values. Raises ToolRejected when it is gone."""
    focus = [one for one in given.focus_areas or [] if one in FIELDS or len(one) < 30]
    found = audited(subject_of(plan_of(box), box.today, 7), focus)
    return {
        "strengths": [one.text for one in found.strengths],
        "findings": [
            {
                "area": one.area.value,
                "severity": one.severity_name,
                "observation": one.observation,
                "evidence": [e.quote for e in one.evidence],
                "question": one.question,
                "recommendation": one.recommendation,
            }
            for one in found.findings
        ],
    }
