"""Statements coded a second, from rows that wait to rows that are coded, at 18,800 statements.

Beside them, in the same run: the plain loop that codes one statement after the other and writes
nothing. Whether two workers are worth 1.7 of one is judged only where two cores are to spare.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from futura.embedded import addresses
from tests.bench.product import show
from tests.onet.releases import REAL
from tests.stack import PROJECT, Stack, running_stack

pytestmark = [
    pytest.mark.bench,
    pytest.mark.skipif(not REAL.exists(), reason="needs the O*NET release in ../shared/onet"),
]
STATEMENTS = 18_800
EACH_TIME = 1_100  # people invented by one command: it may take three minutes
SECONDS = 15.0
A_SECOND = 300
TWICE = 1.7
QUIET = 0.5  # load of a machine whose cores are to spare
_BEGIN = """
import json, time, django
django.setup()
from onet.matching import code
from tasks.coding import queue
from tasks.models import WorkTask
code("Bake bread")
wall, cpu = time.perf_counter(), time.process_time()
"""
_END = """
print(json.dumps([done, time.perf_counter() - wall, time.process_time() - cpu]))
"""
WORK = f"{_BEGIN}done = queue.work_off(longest_s={SECONDS}){_END}"
LOOP = f"""{_BEGIN}done = 0
for text, own in WorkTask.objects.values_list("statement", "response__occupation_code")[:400]:
    code(text, occupation_code=own)
    done += 1
{_END}"""


class Lists(Stack):
    """PostgreSQL and Redis with the O*NET release and lists whose tasks wait; no processes."""

    def launch(self) -> None:
        """Makes the tables, loads the release, invents people until enough statements wait."""
        self._programs = {}
        super().launch()
        self.manage("onet_load", str(REAL))
        while self.waiting() < STATEMENTS:
            self.manage("simulate", "--pending", "--people", str(EACH_TIME))
        self.settle()

    def settle(self) -> None:
        """Does now what PostgreSQL would do of the many new rows while the first is measured."""
        with psycopg.connect(addresses.database_url(self.folder), autocommit=True) as connection:
            connection.execute("VACUUM (ANALYZE)")
            connection.execute("CHECKPOINT")

    def await_ready(self) -> None:
        """Nothing serves here."""

    def waiting(self) -> int:
        """Statements that are not coded yet."""
        rows = self.rows("SELECT count(*) FROM tasks_taskmatch WHERE status = 'pending'")
        return int(rows[0][0])

    def begin(self, program: str) -> subprocess.Popen[str]:
        """A process of its own over the same rows."""
        return subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=PROJECT,
            env=self.environment | {"DJANGO_SETTINGS_MODULE": "futura.settings"},
            stdout=subprocess.PIPE,
            text=True,
        )


@pytest.fixture(scope="module")
def lists() -> Iterator[Lists]:
    def make(folder: Path) -> Lists:
        return Lists(folder, None)

    with running_stack(make=make) as running:
        assert isinstance(running, Lists)
        yield running


def rates(*workers: subprocess.Popen[str]) -> dict[str, Any]:
    """What all did a second, by the clock and by their own processor time."""
    told = [json.loads(worker.communicate()[0].splitlines()[-1]) for worker in workers]
    done = sum(item[0] for item in told)
    return {
        "coded": done,
        "a_second": round(done / max(item[1] for item in told)),
        "a_cpu_second": round(done / sum(item[2] for item in told)),
    }


def test_statements_coded_a_second_by_one_and_by_two_workers(lists: Lists) -> None:
    waited = lists.waiting()
    is_quiet = os.getloadavg()[0] < QUIET and (os.cpu_count() or 1) > 1
    loop = rates(lists.begin(LOOP))
    one = rates(lists.begin(WORK))
    two = rates(lists.begin(WORK), lists.begin(WORK))
    ratio = two["a_second"] / one["a_second"]
    show(
        statements=waited,
        loop_without_writing=loop,
        one_worker=one,
        two_workers=two,
        two_by_one=round(ratio, 2),
        judged=is_quiet,
    )
    assert one["coded"] + two["coded"] == waited - lists.waiting()
    assert one["a_cpu_second"] > loop["a_cpu_second"]
    if not is_quiet:
        pytest.skip("the machine has no two cores to spare: figures only")
    assert one["a_second"] >= A_SECOND
    assert ratio >= TWICE
