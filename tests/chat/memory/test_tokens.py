"""Counting tokens: the estimate against measured counts, and the tokeniser where its data is."""

import base64
import json
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from chat.memory.shapes import tool_call, tool_result
from chat.memory.tokens import count, count_message, estimate

MEASURED = json.loads((Path(__file__).parent / "measured.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", MEASURED)
def test_the_estimate_errs_on_the_safe_side(kind):
    one = MEASURED[kind]
    assert one["tokens"] <= estimate(one["text"]) <= 2.4 * one["tokens"]


def test_the_estimate_is_a_quarter_too_high_on_average():
    ratios = [estimate(item["text"]) / item["tokens"] for item in MEASURED.values()]
    assert len(ratios) == 36
    assert sum(ratios) / len(ratios) == pytest.approx(1.25, abs=0.02)
    assert estimate(MEASURED["English prose"]["text"]) <= 1.2 * MEASURED["English prose"]["tokens"]


def test_tool_payloads_count():
    call = tool_call("c1", "update_field", {"field": "title", "value": "A stair " * 50})
    result = tool_result("c1", "update_field", {"saved": True})
    bare = count_message("Done.")
    assert count_message("Done.", [call]) > bare + 100
    assert count_message("Done.", [call, result]) > count_message("Done.", [call])
    assert count("") == 0


def test_a_tokeniser_counts_exactly_where_its_data_is(settings, tmp_path):
    pytest.importorskip("tiktoken", reason="the extra 'tokeniser' is not installed")
    ranks = [bytes([byte]) for byte in range(256)] + [b"ab", b" ab", b"abab"]
    lines = [f"{base64.b64encode(token).decode()} {rank}" for rank, token in enumerate(ranks)]
    file = tmp_path / "small.tiktoken"
    file.write_text("\n".join(lines), encoding="ascii")
    settings.TOKENISER = str(file)
    assert count("ab ab abab") == 4
    assert count("愛") == 3


def test_a_tokeniser_without_its_data_is_named_and_nothing_is_fetched(settings, tmp_path):
    pytest.importorskip("tiktoken", reason="the extra 'tokeniser' is not installed")
    settings.TOKENISER = str(tmp_path / "missing.tiktoken")
    with pytest.raises(ImproperlyConfigured, match="FUTURA_TOKENISER"):
        count("anything")
