"""The stages of every app: which model answers, how freely, how long, and what stands in for it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from environs import EnvError

from futura.env import env


@dataclass(frozen=True)
class Stage:
    """How one kind of call is made. Times in seconds; `total_s` spans all attempts.

    `budget` names the monthly budget that pays for it (settings.LLM_BUDGETS).
    """

    name: str
    model: str
    temperature: float | None = None
    max_output_tokens: int = 1000
    first_token_s: float = 15.0
    idle_s: float = 10.0
    total_s: float = 60.0
    attempts: int = 3
    fallbacks: tuple[str, ...] = ()
    budget: str = "default"

    @property
    def larger_output_tokens(self) -> int:
        """The limit of the one larger attempt after a truncated answer."""
        return self.max_output_tokens * 4


FIELDS = {field.name for field in fields(Stage)} - {"name"}
NUMBERS = {
    "temperature": float,
    "max_output_tokens": int,
    "first_token_s": float,
    "idle_s": float,
    "total_s": float,
    "attempts": int,
}


def stage(name: str) -> Stage:
    """The stage of that name; KeyError for an unknown one (a programming error)."""
    try:
        return all_stages()[name]
    except KeyError:
        known = ", ".join(sorted(all_stages()))
        raise KeyError(f"No app has a stage {name!r} in its stages.toml. Known: {known}.") from None


@cache
def all_stages() -> Mapping[str, Stage]:
    """Every stage of the installed apps, with the environment's changes.

    Raises ImproperlyConfigured with one sentence when a file or a variable cannot be used.
    """
    found: dict[str, Stage] = {}
    for app in apps.get_app_configs():
        file = Path(app.path) / "stages.toml"
        if not file.is_file():
            continue
        for name, given in read_stages(file).items():
            if name in found:
                raise ImproperlyConfigured(f"{file}: the stage {name!r} exists in another app.")
            found[name] = overridden(given)
    return found


def read_stages(file: Path) -> dict[str, Stage]:
    """The stages of one file, `[defaults]` applied."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ImproperlyConfigured(f"{file} cannot be read: {error}.") from error
    if strange := set(content) - {"defaults", "stages"}:
        raise ImproperlyConfigured(f"{file}: unknown table {min(strange)!r}.")
    defaults, stages = content.get("defaults", {}), content.get("stages", {})
    if not isinstance(defaults, dict) or not isinstance(stages, dict):
        raise ImproperlyConfigured(f"{file}: 'defaults' and 'stages' must be tables.")
    return {name: _stage(file, name, defaults, given) for name, given in stages.items()}


def _stage(file: Path, name: str, defaults: Mapping[str, Any], given: object) -> Stage:
    if not isinstance(given, dict):
        raise ImproperlyConfigured(f"{file}: the stage {name!r} must be a table.")
    values = {**defaults, **given}
    if strange := set(values) - FIELDS:
        raise ImproperlyConfigured(f"{file}: {name!r} has an unknown key {min(strange)!r}.")
    if not isinstance(values.get("model"), str) or not values["model"]:
        raise ImproperlyConfigured(f"{file}: {name!r} names no model.")
    for key, kind in NUMBERS.items():
        if key in values:
            values[key] = _number(f"{file}: {key!r} of {name!r}", values[key], kind)
    fallbacks = values.get("fallbacks", [])
    if not isinstance(fallbacks, list) or not all(isinstance(item, str) for item in fallbacks):
        raise ImproperlyConfigured(f"{file}: 'fallbacks' of {name!r} must list model names.")
    if values.get("budget", "default") not in settings.LLM_BUDGETS:
        raise ImproperlyConfigured(f"{file}: {name!r} names an unknown budget.")
    return Stage(**{**values, "name": name, "fallbacks": tuple(fallbacks)})


def _number(place: str, value: object, kind: type[int] | type[float]) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int if kind is int else (int, float)):
        raise ImproperlyConfigured(f"{place} must be a number, not {value!r}.")
    number = kind(value)
    if number < 0 or (number == 0 and kind is int):
        raise ImproperlyConfigured(f"{place} must be above zero.")
    return number


def overridden(given: Stage) -> Stage:
    """The stage with FUTURA_MODEL and FUTURA_STAGE_<NAME>_<FIELD> applied.

    A model that talks makes no vectors: stages of embeddings are changed by their own names only.
    """
    prefix = f"FUTURA_STAGE_{given.name.upper()}_"
    changes: dict[str, Any] = {}
    everywhere = env.str("FUTURA_MODEL", "")
    if everywhere and not given.name.endswith("embedding"):
        changes = {"model": everywhere, "fallbacks": ()}
    if model := env.str(f"{prefix}MODEL", ""):
        changes["model"] = model
    if env.str(f"{prefix}FALLBACKS", ""):
        changes["fallbacks"] = tuple(env.list(f"{prefix}FALLBACKS"))
    for key, kind in NUMBERS.items():
        name = f"{prefix}{key.upper()}"
        if env.str(name, ""):
            try:
                value = env.int(name) if kind is int else env.float(name)
            except EnvError as error:
                raise ImproperlyConfigured(f"{name} must be a number.") from error
            changes[key] = _number(name, value, kind)
    return replace(given, **changes)
