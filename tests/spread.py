"""How the tests are spread over processes: modules as a whole, the longest first."""

from __future__ import annotations

from typing import Final

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

STACK_FIXTURES: Final = {"stack", "model_stack"}
DRIVES_A_STACK: Final = ("tests/browser/", "tests/platform/test_stack.py")
LONG: Final = ("tests/doors/", "tests/breaking/test_fault_table.py", "tests/platform/test_up.py")
LONG_WALKS: Final = ("tests/browser/test_layout.py", "tests/browser/test_accessibility.py")
BESIDE_THE_STACK: Final = 150  # tests of the others that take as long as those of the stack


class Spread(LoadScopeScheduling):
    """Hands out modules; every day, one process gets all that drive the product's processes.

    So these are started once. With `-m thorough` there are so many walks that both share them.
    """

    def _split_scope(self, nodeid: str) -> str:
        module = nodeid.split("::", 1)[0]
        is_everyday = "not thorough" in self.config.option.markexpr
        return "stack" if is_everyday and module.startswith(DRIVES_A_STACK) else module

    def _assign_work_unit(self, node: WorkerController) -> None:
        """The stack begins while as much is left for the others; its process does nothing after."""
        others = sum(len(unit) for scope, unit in self.workqueue.items() if scope != "stack")
        has_another = any(item is not node and not item.shutting_down for item in self.nodes)
        is_time = "stack" in self.workqueue and has_another and others <= BESIDE_THE_STACK
        if is_time:
            self.workqueue.move_to_end("stack", last=False)
        super()._assign_work_unit(node)
        if is_time:
            node.shutdown()


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
