"""The nine dimensions of a project (spec 2), and how much is said on each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, create_model

from futura.parameters import OneOf

if TYPE_CHECKING:
    from projects.models import ProjectFields

ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True)
class Dimension:
    """One of the nine: the field that holds it, its name, and what belongs in it.

    `hint` says so to programs, in English.
    """

    field: str
    name: str | Promise
    about: str | Promise
    hint: str
    is_always_asked: bool = False


DIMENSIONS: Final = (
    Dimension(
        "core_integrity_ideals",
        _("Integrity and ideals"),
        _("what success looks like, and the standards that hold"),
        "What success looks like.",
        is_always_asked=True,
    ),
    Dimension(
        "core_people_bonds",
        _("People and bonds"),
        _("who is involved, who has a stake, who must be kept informed"),
        "Who is involved or has a stake.",
    ),
    Dimension(
        "core_goals_momentum",
        _("Goals and momentum"),
        _("milestones, dates and what happens next"),
        "Milestones and what is next.",
        is_always_asked=True,
    ),
    Dimension(
        "core_meaning_identity",
        _("Meaning and identity"),
        _("why it matters and what sets it apart"),
        "Why it matters.",
    ),
    Dimension(
        "core_reality_understanding",
        _("Reality and understanding"),
        _("how things stand today, the problem, the constraints"),
        "How things stand today.",
        is_always_asked=True,
    ),
    Dimension(
        "core_trust_safeguards",
        _("Trust and safeguards"),
        _("what could go wrong and what would then be done"),
        "What could go wrong.",
    ),
    Dimension(
        "core_opportunity_freedom",
        _("Opportunity and freedom"),
        _("options, alternatives and experiments"),
        "Options, experiments.",
    ),
    Dimension(
        "core_power_resources",
        _("Power and resources"),
        _("budget, tools, time and hands"),
        "Budget, tools, time, hands.",
    ),
    Dimension(
        "core_harmony_integration",
        _("Harmony and integration"),
        _("feedback, tracking, and how it fits with everything else"),
        "Feedback and tracking.",
    ),
)
FIELDS: Final = tuple(dimension.field for dimension in DIMENSIONS)
DimensionName = Annotated[str, OneOf(FIELDS)]
BY_FIELD: Final = {dimension.field: dimension for dimension in DIMENSIONS}


def with_dimensions(
    field: Callable[[Dimension], Any],
) -> Callable[[type[ModelT]], type[ModelT]]:
    """Adds the nine to a Pydantic model, each with its type and `Field`."""
    nine = {dimension.field: field(dimension) for dimension in DIMENSIONS}

    def added(model: type[ModelT]) -> type[ModelT]:
        return create_model(
            model.__name__,
            __base__=model,
            __doc__=model.__doc__,
            __module__=model.__module__,
            **nine,
        )

    return added


@dataclass(frozen=True)
class Standing:
    """A dimension of a project or draft, and what is said on it."""

    dimension: Dimension
    text: str

    @property
    def is_described(self) -> bool:
        """Whether there is something to read."""
        return bool(self.text.strip())

    @property
    def word(self) -> str | Promise:
        return _("described") if self.is_described else _("empty")


def completeness(of: ProjectFields) -> list[Standing]:
    """The nine dimensions of a project or draft in their order. No query."""
    return [Standing(dimension, getattr(of, dimension.field)) for dimension in DIMENSIONS]


def covered(of: ProjectFields) -> int:
    """How many of the nine have something to read: the n of "n/9"."""
    return sum(standing.is_described for standing in completeness(of))
