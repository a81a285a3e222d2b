"""The laws of the window, for whatever messages there are."""

import uuid
from typing import Literal

from hypothesis import given, settings, strategies as st

from chat.memory.shapes import Utterance, tool_call, tool_result
from chat.memory.tokens import SMALLEST, clipped, count, count_message, newest, opening
from tests.extent import examples

TEXTS = st.text(
    st.sampled_from("ab cd.é9愛\n{}🎉"), max_size=400
) | st.text(max_size=60)  # fmt: skip


@st.composite
def talks(draw: st.DrawFn) -> list[Utterance]:
    """Messages, some with calls and their results."""
    messages = []
    for seq in range(draw(st.integers(1, 30))):
        parts: list[dict] = []
        if draw(st.booleans()):
            parts.append(tool_call(f"c{seq}", "look", {"at": draw(TEXTS)}))
            parts.append(tool_result(f"c{seq}", "look", {"is": draw(TEXTS)}))
        text = draw(TEXTS) * draw(st.sampled_from([1, 1, 1, 30]))
        tokens = count_message(text, parts)
        role: Literal["user", "assistant"] = "assistant" if seq % 2 else "user"
        messages.append(Utterance(role, text, uuid.uuid4(), parts, seq, tokens))
    return messages


@settings(max_examples=examples(80), deadline=None)
@given(talks(), st.integers(SMALLEST, 3_000), st.integers(0, 20))
def test_a_window_keeps_its_budget_its_order_and_the_newest_message(messages, budget, least):
    kept = newest(messages, budget, least=least)
    assert sum(item.tokens for item in kept) <= budget
    assert sum(count_message(item.text, item.parts) for item in kept) <= budget
    assert [item.seq for item in kept] == list(range(kept[0].seq, len(messages)))


@settings(max_examples=examples(40), deadline=None)
@given(talks(), st.integers(0, 20))
def test_everything_stays_untouched_while_it_fits(messages, least):
    total = sum(message.tokens for message in messages)
    assert newest(messages, total + SMALLEST, least=least) == messages


@settings(max_examples=examples(40), deadline=None)
@given(talks(), st.integers(1, 12))
def test_the_least_number_of_messages_stays_however_long_they_are(messages, least):
    kept = newest(messages, SMALLEST * 12, least=least)
    assert len(kept) >= min(least, len(messages))


@settings(max_examples=examples(50), deadline=None)
@given(TEXTS, st.integers(1, 20), st.integers(0, 200))
def test_a_clipped_text_keeps_its_ends_and_its_room(text, times, tokens):
    whole = text * times
    cut = clipped(whole, tokens)
    assert count_message(cut) <= max(tokens, 0) + 4 or cut == whole == ""
    if cut and cut != whole:
        assert whole.startswith(cut.split(" […] ")[0])


@settings(max_examples=examples(50), deadline=None)
@given(TEXTS, st.integers(1, 20), st.integers(1, 200))
def test_an_opening_keeps_its_room_and_begins_as_the_text(text, times, tokens):
    whole = (text + ". ") * times
    cut = opening(whole, tokens)
    assert count(cut) <= tokens
    assert whole.strip().startswith(cut.split(" […] ")[0])


def test_no_room_gives_nothing():
    message = Utterance("user", "Hello", uuid.uuid4(), seq=1, tokens=6)
    assert newest([message], SMALLEST - 1) == []
    assert newest([], 1_000) == []
