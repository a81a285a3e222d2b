"""`evaluate agent CASES`: plays the talks of a file, judges the rows they leave, adds it up."""

from __future__ import annotations

import json
import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from django.db.models import Max, Sum

from chat.models import Message as Reply, Run
from futura.errors import BadInput
from futura.evaluation import EvaluationOptions
from futura.llm.client import Llm
from futura.llm.models import AnswerCheck, ModelCall
from projects.commands.wording import LONG
from projects.evaluation import faithful
from projects.evaluation.case_run import OWN_DRAFT, Case, CaseRun, Row, Rows, World, played, read
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.variants import HOURS_A_WEEK

NAMES: Final = {"todo": ("task", "title"), "project": ("project", "name"),
                "note": ("note", "text"), "draft_task": ("draft_task", "title")}  # fmt: skip
LISTS: Final = frozenset({"tags", "depends_on"})
STRICT: Final = {
    "due_date": None, "due_time": None, "start_date": None, "priority": "normal", "repeat": "",
}  # fmt: skip
TEXTS: Final = frozenset(LONG)
OFFERS: Final = ("offers", "ticks", "choices")  # parts of an answer with something to choose
ASKING: Final = ("?", "？", "¿")


@dataclass
class Verdict:
    """What came of a case. `wrong` was changed and not meant; `missed` was meant and is not there.

    `offered` is that part of `missed` which the answer lays before the person: a proposal, rows to
    tick, a choice. `unasked`: it should have asked back.
    """

    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    unasked: bool = False

    @property
    def is_right(self) -> bool:
        """Done or offered, and nothing else."""
        return not (self.wrong or self.missed or self.unasked)


class _Judge:
    """Judges a case that was played. In basic mode an offer will do for a deed, and the person's
    words may stand in the texts of the draft that the conversation makes.
    """

    def __init__(self, case: Case, case_run: CaseRun, world: World, *, is_basic: bool) -> None:
        self.case, self.case_run, self.is_basic = case, case_run, is_basic
        self.rows, self.waiting = case_run.rows(), case_run.waiting()
        self.keys = {pk: key for key, pk in case_run.ids.items()}
        self.result = Verdict()
        drafts = [pk for pk, row in self.rows.items() if row["entity"] == "draft"]
        own = [pk for pk in drafts if pk not in case_run.before]
        self.own_draft = own[0] if own else case_run.ids.get(case.of)
        expected = _with_projects(case, world)
        self.meant = [expected, *([case.waits] if is_basic else [])]

    def verdict(self) -> Verdict:
        """Every row that there was, then every new one, then what waits and was asked."""
        case, result = self.case, self.result
        for pk, before in self.case_run.before.items():
            self._existing(pk, before)
        self._new()
        if not self.is_basic:
            self._proposed(case.waits)
        # basic mode keeps as words what it cannot read
        result.unasked = (
            case.asks and not self._is_asking() and (bool(case.created) or not self.is_basic)
        )
        self._assumed()
        if self.is_basic and case.kept:
            texts = json.dumps(list(self.rows.values()), ensure_ascii=False).casefold()
            lost = [words for words in case.kept if words.casefold() not in texts]
            result.missed += [f"lost: {words}" for words in lost]
        if case.allowed.undone:
            result.missed = [item for item in result.missed if not item.startswith("no ")]
        return result

    # Rows that were there ---------------------------------------------------------------------
    def _existing(self, pk: uuid.UUID, before: Row) -> None:
        key, now = self.keys.get(pk, str(pk)), self.rows.get(pk)
        is_to_go = any(key in rows.deleted for rows in self.meant)
        if now is None:
            if not is_to_go and key not in self.case.allowed.deleted:
                self.result.wrong.append(f"{key}: deleted")
            return
        if is_to_go:
            self._miss(f"{key}: not deleted", pk, {})
        named: dict[str, Any] = {}
        for rows in self.meant:
            named |= self._changes(rows, pk)
        allowed = self._changes(self.case.allowed, pk)
        for name, value in now.items():
            if name in named and self._fits(value, named[name], name):
                continue
            is_allowed = name in allowed and self._fits(value, allowed[name], name)
            if not _same(value, before.get(name)) and not is_allowed:
                if not self._is_derived(pk, name, now, before, named):
                    self.result.wrong.append(f"{key}: {name} is {_short(value)}")
            elif name in named:
                self._miss(f"{key}: {name} stayed {_short(value)}", pk, {name: named[name]})

    def _changes(self, rows: Rows, pk: uuid.UUID | None) -> Mapping[str, Any]:
        own = rows.changed.get(OWN_DRAFT, {}) if pk == self.own_draft else {}
        return {**(rows.changed.get(self.keys.get(pk, ""), {}) if pk else {}), **own}

    def _is_derived(
        self, pk: uuid.UUID, name: str, now: Row, before: Row, named: Mapping[str, Any]
    ) -> bool:
        """What follows from what was meant, and the words of the person in their own draft."""
        if now["entity"] == "draft":
            is_word = name in TEXTS and self.is_basic
            return is_word or (name == "status" and self.keys.get(pk) in self.case.finalised)
        if name == "status":  # out of the inbox, or planned
            quiet = {"inbox", "available", "scheduled"}
            return {now["status"], before["status"]} <= quiet
        return name == "start_date" and "due_date" in named

    # New rows ---------------------------------------------------------------------------------
    def _new(self) -> None:
        new = {pk: row for pk, row in self.rows.items() if pk not in self.case_run.before}
        own = new.pop(self.own_draft, None) if self.own_draft else None
        if OWN_DRAFT in self.case.changed and self.own_draft not in self.case_run.before:
            for name, value in self._changes(self.meant[0], self.own_draft).items():
                is_words = self.is_basic and name not in STRICT
                if not is_words and (own is None or not self._fits(own.get(name), value, name)):
                    text = f"draft: {name} is {_short((own or {}).get(name))}"
                    self._miss(text, None, {name: value})
        for created in (item for rows in self.meant for item in rows.created):
            match = next((pk for pk, row in new.items() if self._is_like(row, created)), None)
            if match is None:
                self._miss(f"no {_short(created)}", None, created)
            else:
                del new[match]
        for created in self.case.allowed.created:
            match = next((pk for pk, row in new.items() if self._is_like(row, created)), None)
            new.pop(match, None) if match else None
        for row in new.values():
            text = _short(row.get("title") or row.get("name") or row.get("text"))
            self.result.wrong.append(f"new {row['entity']}: {text} {_set(row)}".strip())

    def _is_like(self, row: Row, created: Mapping[str, Any]) -> bool:
        entity, title = NAMES[next(iter(created))]
        expected = {name: value for name, value in STRICT.items() if name in row}
        if entity == "task" and self.case.on != "update":
            expected["project"] = None
        expected |= {title: next(iter(created.values())), **dict(list(created.items())[1:])}
        return row["entity"] == entity and all(
            self._fits(row.get(name), value, name) for name, value in expected.items()
        )

    # What waits -------------------------------------------------------------------------------
    def _proposed(self, waits: Rows) -> None:
        """Without an executed deed: each has to wait as a proposal."""
        for key, fields in waits.changed.items():
            pk = self.own_draft if key == OWN_DRAFT else self.case_run.ids.get(key)
            for name, value in fields.items():
                if not self._is_waiting(pk, {name: value}):
                    self.result.missed.append(f"{key}: {name} does not wait")
        for key in waits.deleted:
            pk = self.case_run.ids[key]
            project = self.rows.get(pk, {}).get("project")  # whose deletion takes it along
            keys = [pk, *([uuid.UUID(project)] if project else [])]
            if not any(self._is_waiting(key, {}, kind="delete") for key in keys):
                self.result.missed.append(f"{key}: its deletion does not wait")
        for item in waits.created:
            if not self._is_waiting(None, item, kind="create"):
                self.result.missed.append(f"does not wait: {_short(item)}")

    def _is_waiting(self, pk: uuid.UUID | None, fields: Mapping[str, Any], kind: str = "") -> bool:
        named = {NAMES[name][1] if name in NAMES and kind == "create" and not n else name: value
                 for n, (name, value) in enumerate(fields.items())}  # fmt: skip
        return any(
            (not kind or a_kind == kind)
            and (pk is None or pk == a_pk)
            and all(self._fits(values.get(name), value, name) for name, value in named.items())
            for a_kind, _entity, a_pk, values in self.waiting
        )

    # Forecasts --------------------------------------------------------------------------------
    def _assumed(self) -> None:
        """What the last forecast has to count with; in basic mode its form will do."""
        missing = self._not_assumed() if self.case.assumes else []
        parts = self.case_run.replies[-1].parts if self.case_run.replies else []
        is_offered = self.is_basic and any(part.get("type") == "assume" for part in parts)
        (self.result.offered if is_offered else self.result.missed).extend(missing)

    def _not_assumed(self) -> list[str]:
        own = Forecast.objects.filter(owner_id=self.case_run.person.pk).order_by("created_at")
        stored = own.last()
        if stored is None:
            return ["no forecast"]
        inputs, expected = Inputs.from_json(stored.inputs), self.case.assumes
        ranges = {key: inputs.task(str(self._id(key))) for key in expected.get("estimates", ())}
        absences = [[str(absence.first), str(absence.last)] for absence in inputs.absences]
        values = {
            "estimates": {key: [entry.low, entry.high] for key, entry in ranges.items() if entry},
            "hours_a_week": round(inputs.hands * HOURS_A_WEEK, 2),
            "away": expected.get("away") if expected.get("away") in absences else absences,
            "tried": [kind for variant in stored.variants for kind in variant["kind"].split("+")],
        }
        return [
            f"assumed: {name} is {_short(values[name])}"
            for name, value in expected.items()
            if values[name] != value
        ]

    # Offers -----------------------------------------------------------------------------------
    def _miss(self, text: str, pk: uuid.UUID | None, fields: Mapping[str, Any]) -> None:
        is_offered = self.is_basic and self._is_offered(pk, fields)
        (self.result.offered if is_offered else self.result.missed).append(text)

    def _is_offered(self, pk: uuid.UUID | None, fields: Mapping[str, Any]) -> bool:
        """Whether it waits, or an answer lays it before the person: the row to tick or within an
        open offer, a new one's name in the offer, or the choice where a text shall be kept.
        """
        kind = "create" if pk is None and fields and next(iter(fields)) in NAMES else ""
        if self._is_waiting(pk, fields, kind if fields else "delete"):
            return True
        state = self.case_run.state()
        asked = [question["kind"] for question in state.get("update", {}).get("questions", ())]
        if asked == ["place"] and fields and {*fields} <= {*TEXTS, "text", "note", "project"}:
            return True
        pending = state.get("memory", {}).get("pending") or {}
        if pk is not None:
            ticks = [
                part for reply in self.case_run.replies for part in reply.parts
                if part.get("type") == "ticks"
            ]  # fmt: skip
            return str(pk) in json.dumps([pending, *ticks])
        names = next(iter(fields.values()), "")
        return any(
            self._fits(call.get("title", call.get("name")), names, "title")
            for call in pending.get("calls", ())
        )

    def _is_asking(self) -> bool:
        if not self.case_run.replies:
            return False
        reply = self.case_run.replies[-1]
        kinds = {str(part.get("type")) for part in reply.parts}
        asks = any(sign in reply.text for sign in ASKING)
        return asks or bool(kinds & {*OFFERS, "preview"}) or bool(self.waiting)

    # Values -----------------------------------------------------------------------------------
    def _fits(self, value: Any, expected: Any, name: str) -> bool:
        if isinstance(expected, Mapping):
            text = str(value or "").casefold()
            has, lacks = expected.get("has", ()), expected.get("not", ())
            return all(part.casefold() in text for part in has) and not any(
                part.casefold() in text for part in lacks
            )
        if name in LISTS and isinstance(expected, list):
            return sorted(map(str, value or [])) == sorted(str(self._id(item)) for item in expected)
        if isinstance(expected, list):
            return any(self._fits(value, item, name) for item in expected)
        if expected == "*":
            return bool(str(value or "").strip())
        if name == "project" and isinstance(expected, str):
            named = {
                str(pk) for pk, row in self.rows.items()
                if row["entity"] == "project" and row["name"] == expected
            }  # fmt: skip
            return str(value) in {str(self._id(expected)), *named}
        return _same(value, expected)

    def _id(self, key: str) -> Any:
        return self.case_run.ids.get(key, key)


def _with_projects(case: Case, world: World) -> Rows:
    """What is expected, with the projects that drafts become."""
    created = list(case.created)
    for key, fields in case.finalised.items():
        tasks = world.drafts[key].get("tasks", {}).values()
        remaining = {name: value for name, value in fields.items() if name != "name"}
        created += [{"project": fields["name"], **remaining}]
        created += [{"todo": task["title"], "project": fields["name"]} for task in tasks]
    changed = {**case.finalised, **case.changed}
    return Rows(changed=changed, created=created, deleted=case.deleted)


def _same(value: Any, expected: Any) -> bool:
    """Capitals, white space, a full stop and the kind of emptiness do not count."""
    if isinstance(value, list) or isinstance(expected, list):
        return sorted(map(str, value or [])) == sorted(map(str, expected or []))
    if isinstance(value, float) or isinstance(expected, float | int):
        return (value is None) == (expected is None) and float(value or 0) == float(expected or 0)
    return _text(value) == _text(expected)


def _text(value: Any) -> str:
    return " ".join(str(value or "").casefold().split()).rstrip(".")


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:40]}…{text[-30:]}"


def _set(row: Row) -> str:
    expected = {name: row[name] for name, value in STRICT.items()
             if name in row and not _same(row[name], value)}  # fmt: skip
    return json.dumps(expected) if expected else ""


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
    last_call = ModelCall.objects.aggregate(last=Max("pk"))["last"] or 0
    refused_before = _refused()
    with faithful.model() if options.faithful else nullcontext() as model:
        mode = "faithful" if model else "model" if Llm().is_configured else "basic"
        results = [play(case, worlds[case.world], model) for case in cases]
    figures: dict[str, Any] = {"mode": mode, **_figures(results)}
    for name in ("kind", "on", "lang"):
        figures[f"by_{name}"] = _grouped(results, name)
    figures["tools"] = Counter(name for result in results for name in result.called)
    if mode != "basic":
        absent = sum((result.refused for result in results), Counter[str]())
        figures["refused"] = dict(_refused() - refused_before if mode == "model" else absent)
        figures |= _spent(since=last_call)
    failures = [result for result in results if not result.is_right]
    figures["failures"] = [_result_row(failure) for failure in failures]
    if options.details:
        figures["details"] = [_result_row(result) for result in results]
    return figures


def play(case: Case, world: World, model: faithful.Faithful | None = None) -> Played:
    """One case from its first row to its verdict."""
    is_basic = not Llm().is_configured
    with played(case, world) as case_run:
        case_run.talk(lambda message: model.is_given(case_run, message) if model else None)
        verdict = _Judge(case, case_run, world, is_basic=is_basic).verdict()
        parts = [part for reply in case_run.replies for part in reply.parts]
        called = [str(part["name"]) for part in parts if part.get("type") == "tool_call"]
        return Played(
            case, verdict, called, _failed(case_run), [reply.text for reply in case_run.replies],
            model.refusals() if model else Counter(),
        )  # fmt: skip


def _failed(case_run: CaseRun) -> str:
    for run in case_run.runs:
        if run.status != Run.Status.COMPLETED:
            return run.error_text or run.status
    incomplete = [reply for reply in case_run.replies if reply.status != Reply.Status.COMPLETE]
    return "an answer is not complete" if incomplete else ""


def _figures(results: Sequence[Played]) -> dict[str, Any]:
    n = len(results)
    right = sum(result.is_right for result in results)
    return {
        "n": n,
        "right": round(right / n, 4) if n else 0,
        "done": sum(result.is_right and not result.verdict.offered for result in results),
        "offered": sum(result.is_right and bool(result.verdict.offered) for result in results),
        "missed": sum(not result.is_right and not result.verdict.wrong for result in results),
        "wrong": sum(bool(result.verdict.wrong) for result in results),
    }


def _grouped(results: Sequence[Played], field_name: str) -> dict[str, Any]:
    groups: dict[str, list[Played]] = defaultdict(list)
    for result in results:
        groups[getattr(result.case, field_name)].append(result)
    return {name: _figures(some) for name, some in sorted(groups.items())}


def _spent(since: int) -> dict[str, Any]:
    """What the calls after one have cost; cases have days of their own, so the clock is no help."""
    sums = ModelCall.objects.filter(pk__gt=since).aggregate(
        input=Sum("input_tokens"), output=Sum("output_tokens"), cost=Sum("cost_usd")
    )
    return {"input_tokens": sums["input"] or 0, "output_tokens": sums["output"] or 0,
            "cost_usd": float(sums["cost"] or 0)}  # fmt: skip


def _refused() -> Counter[str]:
    refusals: Counter[str] = Counter()
    for row in AnswerCheck.objects.exclude(reason=AnswerCheck.USED):
        refusals[f"{row.stage}: {row.reason}"] += row.items
    return refusals


def _result_row(result: Played) -> dict[str, Any]:
    return {
        "id": result.case.id, "on": result.case.on, "lang": result.case.lang,
        "talk": [message.say[:200] for message in result.case.talk], **asdict(result.verdict),
        "failed": result.failed, "called": result.called,
        "replies": [reply[:300] for reply in result.replies],
    }  # fmt: skip
