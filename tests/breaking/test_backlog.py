"""A worker is killed amid hundreds of lookups: the next does the rest by itself, none twice."""

from __future__ import annotations

import pytest

from tests.breaking.person import until

pytestmark = pytest.mark.breaking
PEOPLE = 32
_PENDING = "SELECT count(*) FROM tasks_taskmatch WHERE status = 'pending'"
_TWICE = """
SELECT operation.entity_id FROM chat_operation AS operation
JOIN tasks_taskmatch AS match ON match.id = operation.entity_id
WHERE operation.type = 'update' AND operation.status = 'completed'
GROUP BY operation.entity_id HAVING count(*) > 1
"""
_FOUND = """
SELECT count(*) FROM chat_operation WHERE entity = 'task_match' AND type = 'update'
"""
_OLDER = """
SELECT set_config('futura.ledger', txid_current()::text, true);
UPDATE tasks_taskmatch SET updated_at = updated_at - interval '1 minute'
"""
_SILENT = "UPDATE tasks_lookup SET seen_at = seen_at - interval '1 minute'"


def test_a_backlog_survives_its_worker(product):
    def number(query: str) -> int:
        return int(product.rows(query)[0][0])

    product.stop("jobs")
    before = number(_FOUND)
    product.manage("simulate", "--people", str(PEOPLE), "--pending", "--title", "Backlog")
    whole = number(_PENDING)
    assert whole > 200
    product.scripted.reset()
    product.scripted.default_survey()
    product.rows(_OLDER)
    product.start("jobs")  # nobody was told of a list: the clock finds them
    until(lambda: number(_PENDING) < whole - 30)
    product.kill("jobs")
    left = number(_PENDING)
    assert 0 < left < whole
    product.rows(_SILENT)
    product.start("jobs")
    product.send_job("tasks.sweep")
    until(lambda: number(_PENDING) == 0)
    assert number(_FOUND) - before == whole
    assert product.rows(_TWICE) == []
