"""The survey's model, played: answers computed from the request, shaped by its JSON schema."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.scripted.filling import fill
from tests.scripted.requests import ScriptedRequest

QUESTIONS = (
    ("planning ahead", "How does planning the weeks ahead come into your work?"),
    ("working with others", "Who do you coordinate with, and what for?"),
    ("reports and records", "Which records or reports do you keep up to date?"),
    ("solving problems", "What do you do when something breaks or goes wrong?"),
    ("quality", "How do you check that results are good enough?"),
    ("learning", "How do you keep up with what is new in your field?"),
    ("training others", "Do you show newcomers or colleagues how things are done?"),
    ("money", "Do budgets, orders or invoices pass through your hands?"),
    ("tools", "Is there equipment or software that you set up or look after?"),
    ("customers", "What do clients or visitors ask of you?"),
    ("seasonal work", "What comes round only once a month or once a year?"),
    ("safety", "Are there inspections or safety rules that you take care of?"),
)
SUGGESTIONS = (
    ("Research new methods and products in the field", "informationInput"),
    ("Monitor stock levels and delivery dates", "informationInput"),
    ("Inspect finished work for defects", "informationInput"),
    ("Estimate costs and time for upcoming jobs", "mentalProcesses"),
    ("Plan weekly schedules for staff and equipment", "mentalProcesses"),
    ("Investigate complaints to find their causes", "mentalProcesses"),
    ("Prepare monthly summaries for management", "workOutput"),
    ("Update records of completed work", "workOutput"),
    ("Maintain tools and workspaces", "workOutput"),
    ("Train newcomers in daily routines", "interactingWithOthers"),
    ("Negotiate prices and terms with suppliers", "interactingWithOthers"),
    ("Answer enquiries from clients", "interactingWithOthers"),
    ("Present results to colleagues", "interactingWithOthers"),
    ("Order materials and supplies", "workOutput"),
    ("Compare offers from several vendors", "mentalProcesses"),
)
GROUP_WORDS = {
    "informationInput": r"read|research|monitor|gather|inspect|check|collect|watch|observ|track",
    "mentalProcesses": r"analy[sz]|plan|decid|evaluat|schedul|estimat|solv|design|forecast|review",
    "workOutput": r"writ|creat|build|prepar|produc|repair|clean|cook|cod|draft|updat|mak|develop",
    "interactingWithOthers": r"meet|call|train|teach|present|coordinat|negotiat|talk|help|advis"
    r"|client|customer|patient|team",
}
STOP = re.compile(
    r"\b(that'?s (?:all|it|everything)|i'?m (?:done|finished)|nothing else)\b", re.IGNORECASE
)


def survey_answer(request: ScriptedRequest) -> str | dict[str, Any]:
    """The answer of any survey stage; a sentence for plain text."""
    answer = ANSWERS.get(request.stage, _unknown)(request)
    if isinstance(answer, str) or request.schema is None:
        return answer
    filled = fill(request.schema, answer)
    assert isinstance(filled, dict)
    return filled


# The stages -----------------------------------------------------------------------------------
def _analysis(request: ScriptedRequest) -> dict[str, Any]:
    said = latest_words(request)
    found = activities_in(said)
    groups = [group_of(activity) for activity in found]
    levels = {
        name: None if name not in groups else ("medium" if groups.count(name) > 1 else "low")
        for name in GROUP_WORDS
    }
    return {
        "newTaskCount": len(found),
        "newActivities": found,
        "activities": [
            {"text": text, "quote": text, "gwaCategory": group_of(text)} for text in found
        ],
        "underexploredActivities": [a for a in found if len(a.split()) < 3][:1],
        "gwaUpdates": levels,
        "engagement": "high" if len(found) > 1 else "medium" if found else "low",
        "wantsToStop": bool(STOP.search(said)),
    }


def _tool(request: ScriptedRequest) -> dict[str, Any]:
    turn, captured = _turn(request), re.search(r"about (\d+) tasks", request.last_user)
    if turn >= 4 and captured is not None and int(captured.group(1)) >= 10:
        tool = "offer_to_proceed"
    else:
        tool = ("custom_question", "encourage_more", "custom_question", "show_suggestions")[
            turn % 4
        ]
    return {"tool": tool, "reason": f"Chosen for turn {turn}.", "question": _unasked(request)[1]}


def _gap(request: ScriptedRequest) -> dict[str, Any]:
    area, question = _unasked(request)
    return {"gapArea": area, "suggestedQuestion": question}


def _response(request: ScriptedRequest) -> str:
    task = request.last_user.rpartition("\n\n")[2]
    if "no question" in task:
        return "Thank you for telling me all this. You can now look through your tasks."
    given = re.findall(r"[A-Z][^.?!\n\"“”<>]{12,160}\?", task)
    if not given and "pen the interview" in task:
        return "That sounds like varied work. What do you do, from the start of a week to its end?"
    question = given[-1].strip() if given else _unasked(request)[1]
    return f"Thank you, that helps me picture your days. {question}"


def _suggestions(request: ScriptedRequest) -> dict[str, Any]:
    seen = request.text.lower()
    fresh = [pair for pair in SUGGESTIONS if pair[0].lower() not in seen]
    chosen = sorted(fresh, key=lambda pair: _shuffle(pair[0], request))
    varied: dict[str, tuple[str, str]] = {}
    for pair in chosen:
        varied.setdefault(pair[1], pair)
    five = [*varied.values(), *[p for p in chosen if p not in varied.values()]][:5]
    return {"suggestions": [{"statement": text, "gwaCategory": group} for text, group in five]}


def _extraction(request: ScriptedRequest) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    for index, words in person_turns(request):
        found += [
            {
                "task": text,
                "text": text,
                "raw": text,
                "description": text,
                "quote": text,
                "message": index,
                "messageNumber": index,
                "turn": index,
            }
            for text in activities_in(words)
        ]
    plain = [item["task"] for item in found]
    return {"extracted_tasks": _as_asked(request, "extractedtasks", found, plain)}


def _normalisation(request: ScriptedRequest) -> dict[str, Any]:
    return {
        "normalized_tasks": [
            {"index": number, "number": number, "original": raw, "normalized": statement_of(raw)}
            for number, raw in enumerate(listed(request), 1)
        ]
    }


def _deduplication(request: ScriptedRequest) -> dict[str, Any]:
    groups: dict[str, list[tuple[int, str]]] = {}
    for number, text in enumerate(listed(request), 1):
        groups.setdefault(" ".join(re.findall(r"\w+", text.lower())), []).append((number, text))
    return {
        "deduplicated_tasks": [
            {
                "final_statement": same[0][1],
                "merged_from": [number for number, _ in same],
                "reasoning": "The same words." if len(same) > 1 else "Stands on its own.",
            }
            for same in groups.values()
        ]
    }


def _match(request: ScriptedRequest) -> dict[str, Any]:
    return {"bestIndex": 0, "confidence": "high", "reasoning": "The first candidate is nearest."}


def _unknown(request: ScriptedRequest) -> str | dict[str, Any]:
    return "Understood." if request.schema is None else {}


ANSWERS: Mapping[str, Callable[[ScriptedRequest], str | dict[str, Any]]] = {
    "message_analysis": _analysis,
    "tool_selection": _tool,
    "gap_analysis": _gap,
    "response": _response,
    "suggestions": _suggestions,
    "extraction": _extraction,
    "normalisation": _normalisation,
    "deduplication": _deduplication,
    "match_selection": _match,
}


# Reading the request ----------------------------------------------------------------------------
def latest_words(request: ScriptedRequest) -> str:
    """The person's own words of this turn: a tagged or labelled message, else the whole prompt."""
    text = request.last_user
    tagged = re.findall(
        r"<(\w*(?:message|answer|reply|said|words)\w*)[^>]*>(.*?)</\1>", text, re.DOTALL
    )
    if tagged:
        return str(tagged[-1][1]).strip()
    turns = person_turns(request)
    if turns:
        return turns[-1][1]
    labelled = re.findall(
        r"(?:message|said|reply|answer)[^\n:]*:\s*\"?(.+?)\"?\s*(?:\n\n|$)",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    return str(labelled[-1]).strip() if labelled else text


def person_turns(request: ScriptedRequest) -> list[tuple[int, str]]:
    """The person's turns of a transcript with their numbers (as given, else counted from 0)."""
    pattern = re.compile(
        r"^\s*[\[(]?#?(\d+)?[\])]?[.:]?\s*(USER|PERSON|ASSISTANT|INTERVIEWER|THEY|YOU|FUTURA)"
        r"\s*[\[(]?#?(\d+)?[\])]?\s*:\s*(.*)$",
        re.IGNORECASE | re.MULTILINE,
    )
    turns: list[tuple[int, str]] = []
    for count, found in enumerate(pattern.finditer(request.last_user)):
        before, who, after, words = found.groups()
        number = int(before or after or count)
        if who.upper() in {"USER", "PERSON", "THEY"}:
            turns.append((number, words.strip().strip('"')))
    return turns


def listed(request: ScriptedRequest) -> list[str]:
    """The items of the last numbered list (or JSON list) in the prompt."""
    try:
        given = json.loads(request.last_user)
    except json.JSONDecodeError:
        given = None
    if isinstance(given, list):
        return [str(item) for item in given]
    items = re.findall(r"^\s*[\[(]?(\d+)[\]).:]+\s*(.+?)\s*$", request.last_user, re.MULTILINE)
    last: list[str] = []
    for number, text in items:
        if int(number) in {0, 1}:
            last = []
        last.append(text.strip().strip('"“”'))
    return last


def activities_in(text: str) -> list[str]:
    """Clauses of a message that say what somebody does."""
    clauses = re.split(r"[.;!?\n]|,\s*(?:and\s+)?|\s+and\s+(?:then\s+|also\s+)?", text)
    found = []
    for clause in clauses:
        words = re.sub(
            r"^\s*(?:yes|no|well|also|then|so|and)\b[, ]*", "", clause.strip(), flags=re.IGNORECASE
        )
        words = re.sub(
            r"^(?:i|we)\s+(?:also |often |mostly |usually |spend (?:a lot of )?time )?",
            "",
            words,
            flags=re.IGNORECASE,
        )
        if len(words.split()) >= 2 and not STOP.search(clause) and not _denies(clause):
            found.append(words.strip(" \"'“”"))
    return found


def _denies(clause: str) -> bool:
    """Denials, introductions ("I am a baker") and talk about the talk."""
    meta = r"\b(?:don'?t|do not|never|not)\b|^\s*i(?:'?m| am)\b|\bas i\b|\bi (?:said|mentioned)\b"
    return bool(re.search(meta, clause, re.IGNORECASE))


def statement_of(raw: str) -> str:
    """A raw task as a statement: base-form verb first, at most 20 words."""
    words = raw.strip().rstrip(".").split()[:20]
    if not words:
        return "Handle the work"
    first = words[0].lower()
    stem = re.sub(r"(?<=[a-z]{3})ing$", "", first)
    doubled = re.fullmatch(r"(.+)([bdgmnprt])\2", stem)
    words[0] = doubled.group(1) + doubled.group(2) if doubled and stem != first else stem
    return " ".join([words[0].capitalize(), *words[1:]])


def group_of(text: str) -> str:
    """The activity group that a text belongs to, by its words."""
    for name, pattern in GROUP_WORDS.items():
        if re.search(rf"\b(?:{pattern})", text, re.IGNORECASE):
            return name
    return "workOutput"


def _turn(request: ScriptedRequest) -> int:
    found = re.search(r"\bturn(?:Count)?\W{1,4}(\d+)", request.text, re.IGNORECASE)
    return int(found.group(1)) if found else len(person_turns(request))


def _unasked(request: ScriptedRequest) -> tuple[str, str]:
    seen = request.last_user.lower()
    fresh = [
        pair for pair in QUESTIONS if pair[1].lower() not in seen and f"{pair[0]}:" not in seen
    ]
    return (fresh or list(QUESTIONS))[0]


def _shuffle(text: str, request: ScriptedRequest) -> str:
    return hashlib.sha256(f"{text}{len(request.text)}".encode()).hexdigest()


def _as_asked(
    request: ScriptedRequest, name: str, records: list[dict[str, Any]], plain: list[str]
) -> list[Any]:
    """Records or plain strings, whichever the schema has under `name`."""
    for key, part in ((request.schema or {}).get("properties") or {}).items():
        if key.lower().replace("_", "") == name:
            return plain if (part.get("items") or {}).get("type") == "string" else records
    return plain
