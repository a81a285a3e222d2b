"""The stages of every app: which model answers, how freely, how long, and what stands in for it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from futura.env import env
from futura.llm import server

Seconds = Annotated[float, Field(gt=0)]
_WAITS: Final = ("first_token_s", "idle_s", "total_s")


def _names(value: object) -> object:
    return [name.strip() for name in value.split(",")] if isinstance(value, str) else value


class Stage(BaseModel):
    """How one kind of call is made; `total_s` spans all attempts.

    `reasoning` is how long a model that reasons may think; empty leaves it to the provider.
    `budget` names the monthly budget that pays for it (settings.LLM_BUDGETS). Every value can be
    changed by the environment: FUTURA_STAGE_<NAME>_<FIELD>, names with commas between them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    model: str = Field(min_length=1)
    temperature: float | None = Field(None, ge=0)
    reasoning: Literal["", "minimal", "low", "medium", "high"] = ""
    max_output_tokens: int = Field(1000, gt=0)
    first_token_s: Seconds = 15.0
    idle_s: Seconds = 10.0
    total_s: Seconds = 60.0
    attempts: int = Field(3, gt=0)
    fallbacks: Annotated[tuple[str, ...], BeforeValidator(_names)] = ()
    budget: str = "default"


def is_configured() -> bool:
    return server.current().is_configured


def stage(name: str) -> Stage:
    """The stage of that name; KeyError for an unknown one (a programming error)."""
    used = server.current()
    try:
        return _with(all_stages()[name], used.model, used.patience)
    except KeyError:
        known = ", ".join(sorted(all_stages()))
        raise KeyError(f"No app has a stage {name!r} in its stages.toml. Known: {known}.") from None


def in_use() -> list[Stage]:
    return list(map(stage, all_stages()))


@cache
def _with(stage: Stage, model: str, patience: float) -> Stage:
    """The stage with the model that an administrator saved, and with more time for a slow server.

    What the environment names wins.
    """

    def is_named(field: str) -> bool:
        return bool(env.str(_variable(stage.name, field), ""))

    changes: dict[str, Any] = {
        field: getattr(stage, field) * patience for field in _WAITS if not is_named(field)
    }
    if model and not (
        env.str("FUTURA_MODEL", "") or is_named("model") or stage.name.endswith("embedding")
    ):
        changes |= {"model": model, "fallbacks": ()}
    return stage.model_copy(update=changes)


@cache
def all_stages() -> Mapping[str, Stage]:
    """Every stage of the installed apps, with the environment's changes.

    Raises ImproperlyConfigured with one sentence when a file or a variable cannot be used.
    """
    stages: dict[str, Stage] = {}
    for app in apps.get_app_configs():
        file = Path(app.path) / "stages.toml"
        if not file.is_file():
            continue
        for name, stage in read_stages(file).items():
            if name in stages:
                raise ImproperlyConfigured(f"{file}: the stage {name!r} exists in another app.")
            stages[name] = _overridden(stage)
    return stages


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    defaults: dict[str, Any] = {}
    stages: dict[str, dict[str, Any]] = {}


def read_stages(file: Path) -> dict[str, Stage]:
    """The stages of one file, `[defaults]` applied. Raises ImproperlyConfigured."""
    try:
        content = _File.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (ValueError, OSError) as error:
        raise ImproperlyConfigured(f"{file} cannot be read: {error}") from error
    return {
        name: _stage({**content.defaults, **values, "name": name}, f"{file}, {name}: ".__add__)
        for name, values in content.stages.items()
    }


def _stage(values: Mapping[str, Any], named: Callable[[str], str]) -> Stage:
    """The stage of these values; `named` says where a field stands, for the sentence."""
    try:
        stage = Stage.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = named(".".join(map(str, first["loc"])))
        raise ImproperlyConfigured(f"{place} cannot be used: {first['msg']}.") from error
    if stage.budget not in settings.LLM_BUDGETS:
        raise ImproperlyConfigured(f"{named('budget')}: there is no budget {stage.budget!r}.")
    return stage


def _overridden(stage: Stage) -> Stage:
    """The stage with FUTURA_MODEL and FUTURA_STAGE_<NAME>_<FIELD> applied.

    A model that talks makes no vectors: stages of embeddings are changed by their own names only.
    """
    changes: dict[str, Any] = {}
    everywhere = env.str("FUTURA_MODEL", "")
    if everywhere and not stage.name.endswith("embedding"):
        changes = {"model": everywhere, "fallbacks": ()}
    variables = {field: _variable(stage.name, field) for field in Stage.model_fields}
    for field, variable in variables.items():
        if value := env.str(variable, ""):
            changes[field] = value
    return _stage({**stage.model_dump(), **changes}, variables.__getitem__) if changes else stage


def _variable(stage: str, field: str) -> str:
    return f"FUTURA_STAGE_{stage.upper()}_{field.upper()}"
