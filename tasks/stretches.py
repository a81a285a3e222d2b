"""Stretches of a person's messages: what they took out of the tasks noted there, what they added.

Before the list is written they stand in the guide's state; positions are [start, end) characters
of the message. Knows no language: only places, and likeness of letters where a quote holds two
stretches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from tasks.interview.state import LeftOut, Mention, SurveyState

Place = tuple[int, int]

_EDGES = " \t\n.,;:!?…\"'“”„‘’()[]•*–—-。、！？"


def most_tasks(length: int) -> int:
    """How many tasks a stretch of so many characters bears: ten ("all of these"), or more."""
    return max(10, length // 10)


def is_same(left: Place, right: Place) -> bool:
    """Whether two stretches share at least half of the shorter one."""
    shared = min(left[1], right[1]) - max(left[0], right[0])
    return shared > 0 and 2 * shared >= min(left[1] - left[0], right[1] - right[0])


def place_of(record: Mention | LeftOut) -> Place | None:
    """Where it stands in its message; None for what was confirmed by a yes."""
    if record.start is None or record.end is None:
        return None
    return record.start, record.end


def joined(places: Iterable[Place]) -> list[Place]:
    """In order, those that overlap put together."""
    results: list[Place] = []
    for start, end in sorted(places):
        if results and start < results[-1][1]:
            results[-1] = (results[-1][0], max(results[-1][1], end))
        elif end > start:
            results.append((start, end))
    return results


# What a person does -----------------------------------------------------------------------------
def take_out(state: SurveyState, message_id: str, place: Place) -> list[Mention]:
    """Takes the mentions within a stretch out of the tasks; answers them.

    A stretch that the person had added is forgotten, any other is kept to be put back.
    """
    here = _in(state.mentioned_activities, message_id)
    mentions = [m for m in here if (there := place_of(m)) and is_same(there, place)]
    state.mentioned_activities = [m for m in state.mentioned_activities if m not in mentions]
    noted = [m for m in mentions if not m.by_hand]
    if noted or not mentions:
        start, end = place
        record = LeftOut(message_id=message_id, start=start, end=end, mentions=noted)
        state.left_out.append(record)
    return mentions


def put_in(state: SurveyState, message_id: str, place: Place, words: str) -> None:
    """Makes a stretch a task: what was taken out there comes back, else its words are one."""
    back = [r for r in state.left_out if r.message_id == message_id and place_of(r) == place]
    state.left_out = [record for record in state.left_out if record not in back]
    mentions = [mention for record in back for mention in record.mentions]
    if not back and not any(
        place_of(m) == place for m in _in(state.mentioned_activities, message_id)
    ):
        start, end = place
        mentions = [Mention(text=words, message_id=message_id, start=start, end=end, by_hand=True)]
    state.mentioned_activities += mentions


def put_where(message: str, words: str, near: int = 0) -> Place | None:
    """Where selected words stand in a message, the place nearest to `near` characters.

    Blanks may differ; a word that was cut is taken whole, marks at the edges are not. None for
    words that are not there.
    """
    parts = words.split()
    if not parts:
        return None
    pattern = r"\s+".join(map(re.escape, parts))
    matches = [match.span() for match in re.finditer(pattern, message)]
    if not matches:
        return None
    start, end = min(matches, key=lambda span: abs(span[0] - near))
    while start and _is_one_word(message[start - 1 : start + 1]):
        start -= 1
    while end < len(message) and _is_one_word(message[end - 1 : end + 1]):
        end += 1
    inside = message[start:end]
    start += len(inside) - len(inside.lstrip(_EDGES))
    end -= len(inside) - len(inside.rstrip(_EDGES))
    return (start, end) if start < end else None


def _is_one_word(letters: str) -> bool:
    """Whether two neighbours are of one word, in scripts that set words apart by blanks."""
    return all(letter.isdigit() or letter.upper() != letter.lower() for letter in letters)


# What the guide keeps of it ---------------------------------------------------------------------
def carry_over(state: SurveyState, *, before: SurveyState, saved: SurveyState) -> None:
    """Takes over what the person did to stretches since `before`, as it stands in `saved`."""
    had = [m for m in before.mentioned_activities if m.message_id]
    has = [m for m in saved.mentioned_activities if m.message_id]
    state.left_out = saved.left_out
    state.mentioned_activities = [
        m
        for m in state.mentioned_activities
        if (m not in had or m in has) and not is_taken_out(state, m)
    ]
    state.mentioned_activities += [
        m for m in has if m not in had and m not in state.mentioned_activities
    ]


def keep_decisions(state: SurveyState, *, saved: SurveyState) -> None:
    """For a turn that is done anew: stretches stay out, and what was added stays in."""
    state.left_out = saved.left_out
    state.mentioned_activities = [
        m for m in state.mentioned_activities if not is_taken_out(state, m)
    ]
    state.mentioned_activities += [
        m for m in saved.mentioned_activities if m.by_hand and m not in state.mentioned_activities
    ]


def is_taken_out(state: SurveyState, mention: Mention) -> bool:
    """Whether the person took out, or added themselves, the stretch that a mention stands on."""
    place = place_of(mention)
    if place is None or mention.by_hand:
        return False
    decided = [r for r in state.left_out if r.message_id == mention.message_id]
    added = [m for m in _in(state.mentioned_activities, mention.message_id) if m.by_hand]
    places = [*map(place_of, decided), *map(place_of, added)]
    return any(is_same(place, there) for there in places if there)


# What the list is written with ------------------------------------------------------------------
def may_list(state: SurveyState, *, message_id: str, text: str, quote: str, task: str) -> bool:
    """Whether a task found in a message may be listed: its stretch is not the person's to say.

    A quote that also holds a noted stretch is of that one, unless the task is more like what
    the person decided about.
    """
    start = text.find(quote)
    place = (start, start + len(quote))

    def words(records: Iterable[Mention | LeftOut]) -> list[str]:
        return [
            text[slice(*there)]
            for record in records
            if record.message_id == message_id
            if (there := place_of(record)) and is_same(place, there)
        ]

    mentions = state.mentioned_activities
    decided = words([*state.left_out, *(m for m in mentions if m.by_hand)])
    if start < 0 or not decided:
        return True
    noted = words(m for m in mentions if not m.by_hand)
    return bool(noted) and _likeness(task, noted) >= _likeness(task, decided)


def _likeness(task: str, words: Sequence[str]) -> float:
    return max(fuzz.token_set_ratio(task.casefold(), text.casefold()) for text in words)


def _in(mentions: Iterable[Mention], message_id: str) -> list[Mention]:
    return [mention for mention in mentions if mention.message_id == message_id]
