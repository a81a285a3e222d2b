"""`manage.py evaluate` prints one JSON object, refuses bad files in a sentence, keeps its level."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from onet.actions import load_starter
from tests.onet.releases import REAL

pytestmark = pytest.mark.django_db
EVAL = REAL.parent / "eval"


def evaluate(*args: object) -> dict[str, Any]:
    out = io.StringIO()
    call_command("evaluate", *map(str, args), stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def table(file: Path, *lines: str) -> Path:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_titles_are_judged_by_code_prefix(starter: None, tmp_path: Path) -> None:
    file = table(
        tmp_path / "titles.tsv", "title\tsoc_codes", "RN\t29-1141", "registered nurse\t11-1;29"
    )
    found = evaluate("titles", file, "--details")
    assert (found["n"], found["hit@5"], found["space"]) == (2, 1.0, "lexical")
    assert len(found["details"]) == 2
    assert found["p50_ms"] <= found["p95_ms"]


@pytest.mark.thorough
def test_titles_left_out_are_drawn_alike_for_one_seed(starter: None) -> None:
    first = evaluate("titles", "--leave-out", 8, "--seed", 3, "--details")
    again = evaluate("titles", "--leave-out", 8, "--seed", 3, "--details")
    assert first["n"] == 8
    assert [detail["title"] for detail in first["details"]] == [
        detail["title"] for detail in again["details"]
    ]


def test_rows_of_a_gone_occupation_are_skipped_within_occupations(
    starter: None, tmp_path: Path
) -> None:
    file = table(
        tmp_path / "tasks.tsv",
        "query\tsoc2010_code\tdwa_ids\tgwa_groups",
        "Care for patients.\t29-1141.00\tx\t4.A.4",
        "Tame dragons.\t99-9999.99\tx\t4.A.4",
    )
    found = evaluate("statements", file, "--within-occupation")
    assert (found["n"], found["skipped"]) == (1, 1)
    assert {"group@1", "activity@1"} <= set(found)
    assert found["mode"] == "basic"


MALFORMED: tuple[tuple[tuple[str, ...], str], ...] = (
    ((), "does not begin with the columns"),
    (("a\tb", "1\t2"), "does not begin with the columns"),
    (("title\tsoc_codes", "only one"), "line 2: other columns"),
    (("title\tsoc_codes",), "no case"),
)


def test_what_is_malformed_or_missing_is_named_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Name a file"):
        evaluate("titles")
    with pytest.raises(CommandError, match="No catalogue"):
        evaluate("titles", table(tmp_path / "titles.tsv", "title\tsoc_codes", "RN\t29"))
    load_starter()
    with pytest.raises(CommandError, match="cannot be read"):
        evaluate("titles", tmp_path / "absent.tsv")
    for lines, complaint in MALFORMED:
        with pytest.raises(CommandError, match=complaint):
            evaluate("titles", table(tmp_path / "bad.tsv", *lines))
