"""In which order the modules of tests are handed out to the processes of a run."""

from __future__ import annotations

from typing import Final

import pytest

STACK_FIXTURES: Final = {"stack", "model_stack"}
LONG: Final = ("tests/doors/", "tests/breaking/test_fault_table.py", "tests/platform/test_up.py")
LONG_WALKS: Final = ("tests/browser/test_layout.py", "tests/browser/test_accessibility.py")


def rank(item: pytest.Item) -> int:
    """Place of a test: the longest modules first, what drives a stack late, a browser last.

    So no process is left alone with a long one in the end.
    After Playwright has run an event loop in this thread, tests of sockets lose their database.
    """
    if item.get_closest_marker("browser"):
        return 3 if item.nodeid.startswith(LONG_WALKS) else 4
    if STACK_FIXTURES & set(getattr(item, "fixturenames", ())):
        return 2
    return 0 if item.nodeid.startswith(LONG) else 1
