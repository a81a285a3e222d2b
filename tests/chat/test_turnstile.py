"""Answers begin and end few at a time in one process, and none is kept out for good."""

from __future__ import annotations

import threading

from chat.runs import perform


def test_no_more_are_inside_than_there_are_places():
    inside, most = 0, 0
    count = threading.Lock()
    together = threading.Barrier(perform.PLACES)

    def work() -> None:
        nonlocal inside, most
        with perform.turnstile():
            with count:
                inside += 1
                most = max(most, inside)
            together.wait(10)  # leaves only with as many as may be inside
            with count:
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4 * perform.PLACES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert (inside, most) == (0, perform.PLACES)


def test_whoever_waited_long_goes_in_all_the_same(monkeypatch):
    monkeypatch.setattr(perform, "LONGEST_WAIT_S", 0.01)
    opened = threading.Event()

    def stay() -> None:
        with perform.turnstile():
            opened.wait(10)

    threads = [threading.Thread(target=stay) for _ in range(perform.PLACES)]
    for thread in threads:
        thread.start()
    with perform.turnstile():
        opened.set()
    for thread in threads:
        thread.join(10)
    with perform.turnstile():  # the one without a place gave none back
        assert perform._places._value == perform.PLACES - 1
