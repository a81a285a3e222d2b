"""The nine dimensions along which a project is described (spec 2, section on dimensions)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DimensionName = Literal[
    "core_integrity_ideals",
    "core_people_bonds",
    "core_goals_momentum",
    "core_meaning_identity",
    "core_reality_understanding",
    "core_trust_safeguards",
    "core_opportunity_freedom",
    "core_power_resources",
    "core_harmony_integration",
]


@dataclass(frozen=True)
class Dimension:
    """One of the nine: the field that holds it, its name, and what belongs in it."""

    field: str
    name: str | Promise
    about: str | Promise
    is_always_asked: bool = False


DIMENSIONS: Final = (
    Dimension(
        "core_integrity_ideals",
        _("Integrity and ideals"),
        _("what success looks like, and the standards that hold"),
        is_always_asked=True,
    ),
    Dimension(
        "core_people_bonds",
        _("People and bonds"),
        _("who is involved, who has a stake, who must be kept informed"),
    ),
    Dimension(
        "core_goals_momentum",
        _("Goals and momentum"),
        _("milestones, dates and what happens next"),
        is_always_asked=True,
    ),
    Dimension(
        "core_meaning_identity",
        _("Meaning and identity"),
        _("why it matters and what sets it apart"),
    ),
    Dimension(
        "core_reality_understanding",
        _("Reality and understanding"),
        _("how things stand today, the problem, the constraints"),
        is_always_asked=True,
    ),
    Dimension(
        "core_trust_safeguards",
        _("Trust and safeguards"),
        _("what could go wrong and what would then be done"),
    ),
    Dimension(
        "core_opportunity_freedom",
        _("Opportunity and freedom"),
        _("options, alternatives and experiments"),
    ),
    Dimension(
        "core_power_resources",
        _("Power and resources"),
        _("budget, tools, time and hands"),
    ),
    Dimension(
        "core_harmony_integration",
        _("Harmony and integration"),
        _("feedback, tracking, and how it fits with everything else"),
    ),
)
FIELDS: Final = tuple(one.field for one in DIMENSIONS)
BY_FIELD: Final = {one.field: one for one in DIMENSIONS}
