"""What an answered turn costs: processor time of every process, tokens of every model call.

Whole conversations are played through nginx with the page open, against the scripted model; its
own processor time is not counted. Run with `pytest tests/scale/test_cost.py -m bench -s`.
"""

import json
import os
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chat.memory import tokens
from tests.scale.cluster import PROJECT
from tests.scale.visitor import OpenPage, Visitor

pytestmark = pytest.mark.bench
PEOPLE = 6
TURNS = 6
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def _told() -> list[str]:
    """What people say about their work, in order."""
    lines = (PROJECT / "tests/eval/extraction_dev.jsonl").read_text(encoding="utf-8").splitlines()
    turns = [turn for line in lines for turn in json.loads(line)["turns"]]
    return [turn["text"] for turn in turns if turn["role"] == "user" and len(turn["text"]) > 40]


def _processes() -> dict[int, tuple[int, float]]:
    """Parent and processor time (with that of children that have ended) of every process."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            after_name = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        used = sum(int(ticks) for ticks in after_name[11:15]) / TICKS_PER_S
        found[int(entry.name)] = (int(after_name[1]), used)
    return found


def _used(cluster) -> dict[str, float]:
    """Processor seconds by kind of process so far, with all that a process has started."""
    roots = cluster.pids() | {"postgres": cluster.postgres.pid, "redis": cluster.redis.pid}
    kinds = {pid: name.partition("-")[0] for name, pid in roots.items()}
    processes = _processes()
    used: dict[str, float] = defaultdict(float)
    for pid, (parent, seconds) in processes.items():
        kind, above = kinds.get(pid), parent
        while kind is None and above in processes:
            kind, above = kinds.get(above), processes[above][0]
        if kind is not None:
            used[kind] += seconds
    return used


def _converse(cluster, words) -> None:
    visitor = Visitor(cluster)
    assert visitor.start().status_code == 200
    page = OpenPage(visitor)
    try:
        for text in words:
            said = {"action": "message", "sessionId": visitor.session_id, "message": text}
            assert visitor.http.post("/api/chat", json=said).status_code == 200
    finally:
        page.close()
        visitor.close()


def test_processor_time_and_tokens_of_a_turn(cluster):
    told = _told()
    parts = [told[at * TURNS : (at + 1) * TURNS] for at in range(PEOPLE)]
    _converse(cluster, told[-2:])  # what is loaded once is loaded
    cluster.scripted.requests.clear()
    calls_before = _calls(cluster)
    before = _used(cluster)
    with ThreadPoolExecutor(PEOPLE) as pool:
        list(pool.map(lambda words: _converse(cluster, words), parts))
    after = _used(cluster)
    turns = PEOPLE * (TURNS + 1)  # with the opening
    each = {kind: round((after[kind] - before[kind]) / turns, 4) for kind in after}
    asked: dict[str, list[int]] = defaultdict(list)
    for request in cluster.scripted.requests:
        asked[request.stage].append(tokens.count(request.raw.decode()))
    written = {stage: _calls(cluster)[stage] - calls_before[stage] for stage in asked}
    stages = {
        stage: {
            "calls": len(counts),
            "input_tokens": round(sum(counts) / len(counts)),
            "output_tokens": round(written[stage] / len(counts)),
        }
        for stage, counts in asked.items()
    }
    figures = {
        "turns": turns,
        "cpu_s_per_turn": round(sum(each.values()), 3),
        "by_process": each,
        "input_tokens_per_turn": round(sum(map(sum, asked.values())) / turns),
        "output_tokens_per_turn": round(sum(written.values()) / turns),
        "stages": stages,
        "load_average": [round(part, 1) for part in os.getloadavg()],
    }
    print(json.dumps(figures))  # noqa: T201
    assert each["web"] > 0


def _calls(cluster) -> Counter[str]:
    """Output tokens by stage in the ledger."""
    rows = cluster.rows(
        "SELECT stage, coalesce(sum(output_tokens), 0) FROM llm_modelcall GROUP BY stage"
    )
    return Counter({stage: int(count) for stage, count in rows})
