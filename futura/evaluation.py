"""What `manage.py evaluate` can measure, by dotted path; and how files of cases are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from django.utils.module_loading import import_string
from pydantic import BaseModel, ValidationError

from futura.errors import BadInput

Case = TypeVar("Case", bound=BaseModel)


@dataclass(frozen=True)
class EvaluationOptions:
    """What the command line asked for; each evaluation uses what concerns it."""

    details: bool = False
    within_occupation: bool = False
    leave_out: int = 0
    seed: int = 1
    faithful: bool = False


Evaluator = Callable[[Path | None, EvaluationOptions], dict[str, Any]]
"""Measures one development file (None where the cases are made from the catalogue itself).

Returns what is printed as JSON; with `options.details` also `details`, one entry per case.
Raises `futura.errors.BadInput` with one clear sentence when the file cannot be used.
"""

_paths: Final[dict[str, str]] = {}


def register(name: str, dotted_path: str) -> None:
    """Makes `evaluate NAME` call the function; two of one name are a programming error."""
    if _paths.setdefault(name, dotted_path) != dotted_path:
        raise ValueError(f"There already is an evaluation called {name!r}.")


def names() -> list[str]:
    return sorted(_paths)


def evaluator(name: str) -> Evaluator:
    """The function behind a name, imported on first use; KeyError for an unknown name."""
    function: Evaluator = import_string(_paths[name])
    return function


def read_cases(path: Path, kind: type[Case]) -> list[Case]:
    """The cases of a file of JSON lines; BadInput names the line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}.") from error
    cases = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            cases.append(kind.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "line"
            raise BadInput(f"{path}, line {number}: {where}: {first['msg']}.") from error
    if not cases:
        raise BadInput(f"{path} holds no cases.")
    return cases
