"""`evaluate agent CASES`: plays the talks of a file and adds up what came of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from chat.models import Message as Reply
from chat.models import Run
from futura.errors import BadInput
from futura.evaluation import EvaluationOptions
from futura.llm.client import Llm
from futura.llm.models import AnswerCheck, ModelCall
from projects.evaluation import faithful
from projects.evaluation.judge import Verdict, judge
from projects.evaluation.scene import Case, Scene, World, played, read


@dataclass
class Played:
    """A case with its verdict, the tools that were called, and what the person was answered."""

    case: Case
    verdict: Verdict
    called: list[str] = field(default_factory=list)
    failed: str = ""
    replies: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def is_right(self) -> bool:
        """The rows are as they should be, and every answer came."""
        return self.verdict.is_right and not self.failed


def evaluate_agent(path: Path | None, options: EvaluationOptions) -> dict[str, Any]:
    """Cases right, wrong (something changed that was not meant) and missed; JSON.

    Without a model it measures basic mode; `--faithful` plays a model that makes each case's calls.
    """
    if path is None:
        raise BadInput("Name the file with the cases: evaluate agent FILE.")
    cases, worlds = read(path)
    since = timezone.now()
    with faithful.model() if options.faithful else nullcontext() as model:
        mode = "faithful" if model else "model" if Llm().is_configured else "basic"
        results = [play(case, worlds[case.world], model) for case in cases]
    figures: dict[str, Any] = {"mode": mode, **_figures(results)}
    for name in ("kind", "on", "lang"):
        figures[f"by_{name}"] = _grouped(results, name)
    figures["tools"] = Counter(name for one in results for name in one.called)
    if mode != "basic":
        figures["refused"] = _refused(since) if mode == "model" else dict(
            sum((one.refused for one in results), Counter())
        )  # fmt: skip
        figures |= _spent(since)
    failures = [one for one in results if not one.is_right]
    figures["failures"] = [_told(one) for one in failures]
    if options.details:
        figures["details"] = [_told(one) for one in results]
    return figures


def play(case: Case, world: World, model: faithful.Faithful | None = None) -> Played:
    """One case from its first row to its verdict."""
    is_basic = not Llm().is_configured
    with played(case, world, is_kept=not is_basic) as scene:
        scene.talk(lambda message: model.is_given(scene, message) if model else None)
        verdict = judge(case, scene, world, is_basic=is_basic)
        parts = [part for reply in scene.replies for part in reply.parts]
        called = [str(part["name"]) for part in parts if part.get("type") == "tool_call"]
        return Played(
            case, verdict, called, _failed(scene), [one.text for one in scene.replies],
            model.refusals() if model else Counter(),
        )  # fmt: skip


def _failed(scene: Scene) -> str:
    for run in scene.runs:
        if run.status != Run.Status.COMPLETED:
            return run.error_text or run.status
    incomplete = [one for one in scene.replies if one.status != Reply.Status.COMPLETE]
    return "an answer is not complete" if incomplete else ""


def _figures(results: Sequence[Played]) -> dict[str, Any]:
    n = len(results)
    right = sum(one.is_right for one in results)
    return {
        "n": n,
        "right": round(right / n, 4) if n else 0,
        "done": sum(one.is_right and not one.verdict.offered for one in results),
        "offered": sum(one.is_right and bool(one.verdict.offered) for one in results),
        "missed": sum(not one.is_right and not one.verdict.wrong for one in results),
        "wrong": sum(bool(one.verdict.wrong) for one in results),
    }


def _grouped(results: Sequence[Played], field_name: str) -> dict[str, Any]:
    groups: dict[str, list[Played]] = defaultdict(list)
    for one in results:
        groups[getattr(one.case, field_name)].append(one)
    return {name: _figures(some) for name, some in sorted(groups.items())}


def _refused(since: Any) -> Mapping[str, int]:
    rows = AnswerCheck.objects.filter(day__gte=since.date()).exclude(reason=AnswerCheck.USED)
    return {f"{row.stage}: {row.reason}": row.items for row in rows}


def _spent(since: Any) -> dict[str, Any]:
    sums = ModelCall.objects.filter(created_at__gte=since).aggregate(
        input=Sum("input_tokens"), output=Sum("output_tokens"), cost=Sum("cost_usd")
    )
    return {"input_tokens": sums["input"] or 0, "output_tokens": sums["output"] or 0,
            "cost_usd": float(sums["cost"] or 0)}  # fmt: skip


def _told(one: Played) -> dict[str, Any]:
    return {
        "id": one.case.id, "on": one.case.on, "lang": one.case.lang,
        "talk": [message.say[:200] for message in one.case.talk], **asdict(one.verdict),
        "failed": one.failed, "called": one.called,
        "replies": [reply[:300] for reply in one.replies],
    }  # fmt: skip
