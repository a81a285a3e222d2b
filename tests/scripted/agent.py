"""The project agent's model, played: answers computed from the request, for all seven stages."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from tests.scripted.filling import fill
from tests.scripted.requests import ScriptedRequest
from tests.scripted.steps import ScriptedCall, Step

FIRST_TASKS = (
    "Sketch how it should look",
    "Ask three people what they think",
    "List what it will cost",
    "Fix the first date",
    "Decide what is left out",
)
CUES = {
    "core_integrity_ideals": r"success|goal|users|quality|good|done",
    "core_people_bonds": r"team|friend|neighbour|client|alone|just me|with ",
    "core_goals_momentum": r"launch|month|week|deadline|\bq[1-4]\b|by ",
    "core_meaning_identity": r"because|matter|why|love",
    "core_reality_understanding": r"today|currently|problem|now",
    "core_trust_safeguards": r"risk|fail|wrong|worr",
    "core_opportunity_freedom": r"option|alternativ|could|idea",
    "core_power_resources": r"budget|money|euro|dollar|tool|hours",
    "core_harmony_integration": r"track|feedback|review|weekly",
}
NEED = re.compile(r"\b(?:need to|have to|must) ([^.,;!?\n]{4,80})", re.IGNORECASE)
ADD = re.compile(r"\badd (?:a |an )?(?:task (?:to |called )?)?([^.,;!?\n]{3,80})", re.IGNORECASE)
QUARTER = re.compile(r"\bq([1-4])\b", re.IGNORECASE)
DONE = re.compile(r"\b(?:the )?([\w -]{3,60}?) (?:is|are) (?:done|finished)\b", re.IGNORECASE)
FLAGS = re.MULTILINE | re.IGNORECASE
ENDS = {"1": "03-31", "2": "06-30", "3": "09-30", "4": "12-31"}


def agent_step(request: ScriptedRequest) -> Step | None:
    """What the model does at a stage of the agent; None for a stage of something else."""
    if request.stage == "agent_tools":
        return _tools(request)
    answer = ANSWERS.get(request.stage)
    if answer is None:
        return None
    told = answer(request)
    return Step(told if isinstance(told, str) else fill(request.schema or {}, told))


def block(request: ScriptedRequest, name: str) -> str:
    """The last material of that name between its marks; empty without."""
    found = re.findall(
        rf"«(\w+):{re.escape(name)}»\n(.*?)\n«/\1:{re.escape(name)}»", request.text, re.DOTALL
    )
    return str(found[-1][1]).strip() if found else ""


def _scores(request: ScriptedRequest) -> dict[str, Any]:
    told = block(request, "told").lower()
    return {name: 8 if re.search(cues, told) else 3 for name, cues in CUES.items()}


def _reading(request: ScriptedRequest) -> dict[str, Any]:
    said, question = block(request, "message"), block(request, "question")
    asked = re.search(r"\((core_\w+):", question)
    is_unknown = bool(re.match(r"\W*i (?:don.?t|do not) know", said, re.IGNORECASE))
    dimension = asked.group(1) if asked else "core_reality_understanding"
    return {
        "dimensions": [] if is_unknown else [{"dimension": dimension, "content": said}],
        "tasks": [
            {"title": _capital(item), "due_date": None}
            for item in NEED.findall(said)
            if item.strip()
        ],
        "corrections": [],
        "name": _capital(" ".join(said.split()[:4]).strip(" .,;!?")) if not asked else None,
        "description": said[:200] if not asked else None,
        "summary": None,
        "is_vague": False,
        "does_not_know": is_unknown,
        "wants_draft": bool(
            re.search(r"\b(?:create it|look it over|review the draft)\b", said, re.IGNORECASE)
        ),
    }


def _reply(request: ScriptedRequest) -> str:
    words = " ".join(_wish(request).split()[:6]).strip(" .,;!?")
    return f"I have written down “{words}”. {block(request, 'question')}".strip()


def _first(request: ScriptedRequest) -> dict[str, Any]:
    return {"tasks": [{"title": first_task} for first_task in FIRST_TASKS]}


def _audit(request: ScriptedRequest) -> dict[str, Any]:
    names = [name for name in CUES if len(block(request, name).split()) > 2]
    findings = [
        {
            "area": "risks",
            "dimension": name,
            "severity": "serious",
            "observation": "This rests on one thing alone.",
            "quotes": [{"source": name, "words": block(request, name).splitlines()[0]}],
            "question": "What if it falls away?",
            "recommendation": "name what would take its place",
            "task": "Name a second way",
        }
        for name in names[:2]
    ]
    strengths = [
        {"text": "You have said it plainly.", "quote": finding["quotes"][0]}
        for finding in findings[:1]
    ]
    return {"overall": "It holds. Some of it is thin.", "strengths": strengths,
            "findings": findings}  # fmt: skip


def _situation(_request: ScriptedRequest) -> dict[str, Any]:
    return {"assumptions": [], "what_ifs": []}


def _tools(request: ScriptedRequest) -> Step:
    said, results = _wish(request), request.tool_results
    if results:
        return Step("That is all of it.")
    calls = [
        *_task_calls(request, said), *_project_calls(request, said), *_ask_calls(said),
        *_agreed_calls(request, said),
    ]  # fmt: skip
    offered = [call for call in calls if call.name in request.tools]
    return Step(calls=tuple(offered)) if offered else Step("What exactly shall be different?")


def _wish(request: ScriptedRequest) -> str:
    return block(request, "message") or request.last_user


def _task_calls(request: ScriptedRequest, said: str) -> list[ScriptedCall]:
    calls = [
        ScriptedCall("create_todos", {"todos": [{"title": _capital(item.strip())}]})
        for item in ADD.findall(said)
    ]
    for name in DONE.findall(said):
        last = name.split()[-1]
        task = re.search(rf"^- .*{re.escape(last)}.* id=(\S+)$", request.text, FLAGS)
        if task:
            calls.append(ScriptedCall("complete_todos", {"ids": [task.group(1)]}))
    return calls


def _project_calls(request: ScriptedRequest, said: str) -> list[ScriptedCall]:
    quarter = QUARTER.search(said)
    today = re.search(r"\b(20\d\d)-(\d\d)-\d\d", request.text)
    if quarter is None or today is None:
        return []
    year, end = int(today.group(1)), ENDS[quarter.group(1)]
    year += end[:2] < today.group(2)
    return [ScriptedCall("change_project", {"id": _own_id(request), "end_date": f"{year}-{end}"})]


def _agreed_calls(request: ScriptedRequest, said: str) -> list[ScriptedCall]:
    """A yes makes the project of the draft that was shown, or does what was offered."""
    if not re.match(r"\W*yes\b", said, re.IGNORECASE):
        return []
    if "finalise_draft" in request.tools:
        return [ScriptedCall("finalise_draft", {"id": _own_id(request)})]
    return [
        ScriptedCall("change_todos", {"ids": [row], **ast.literal_eval(values)})
        for values, row in re.findall(r"^(\{.*\}) id=(\S+)$", request.text, re.MULTILINE)
    ]


def _own_id(request: ScriptedRequest) -> str:
    """Of the project or draft that the prompt shows."""
    return re.findall(r"^Id: (\S+)$", request.text, re.MULTILINE)[-1]


def _ask_calls(said: str) -> list[ScriptedCall]:
    asked = re.search(r"\bask me about the (\w+)", said, re.IGNORECASE)
    names = [name for name in CUES if asked and asked[1].lower() in name]
    return [ScriptedCall("ask_about", {"dimension": name}) for name in names]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


ANSWERS: dict[str, Callable[[ScriptedRequest], dict[str, Any] | str]] = {
    "dimension_detection": _scores,
    "answer_reading": _reading,
    "agent_response": _reply,
    "initial_tasks": _first,
    "audit_findings": _audit,
    "forecast_reading": _situation,
}
