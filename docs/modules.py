"""How long the modules are: `python docs/modules.py` lists lines and modules of each package."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Final

PROJECT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("futura", "chat", "onet", "tasks", "projects")
ROW: Final = "{:<28}{:>8}{:>9}{:>8}{:>9}\n"


def lengths() -> dict[str, list[int]]:
    """Lines of every module, by package and by the folders in it; without migrations."""
    by_room: defaultdict[str, list[int]] = defaultdict(list)
    for package in PACKAGES:
        for path in (PROJECT / package).rglob("*.py"):
            if "migrations" not in path.parts:
                lines = len(path.read_text(encoding="utf-8").splitlines())
                folders = path.relative_to(PROJECT).parts[:-1]
                for room in ("all", package, *(["/".join(folders[:2])] if folders[1:] else [])):
                    by_room[room].append(lines)
    return by_room


def main() -> None:
    sys.stdout.write(ROW.format("package", "lines", "modules", "median", "longest"))
    for room, lines in sorted(lengths().items()):
        written = [n for n in lines if n]  # an empty `__init__` is no module to read
        if written:
            sys.stdout.write(
                ROW.format(room, sum(lines), len(written), int(median(written)), max(lines))
            )


if __name__ == "__main__":
    main()
