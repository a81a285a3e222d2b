"""Money, times and shares as people read them; what is unknown is a dash, never a zero."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _, pgettext

from futura.percent import percent_of

register = template.Library()
UNKNOWN = "–"


@register.filter
def usd(amount: Decimal | float | None) -> str:
    """US dollars: cents from one dollar on, four decimals below, more for crumbs."""
    if amount is None:
        return UNKNOWN
    size = abs(Decimal(amount))
    places = 2 if size >= 1 or size == 0 else 4 if size >= Decimal("0.0001") else 6
    return f"${number_format(Decimal(amount), places, force_grouping=True)}"


@register.filter
def ms(length: float | str | None) -> str:
    """Milliseconds below a second, seconds above; of a pair that is not there comes a text."""
    if length is None or isinstance(length, str):
        return UNKNOWN
    if length < 1000:
        return _("%(number)s ms") % {"number": number_format(length, 0)}
    return _("%(number)s s") % {
        "number": number_format(length / 1000, 1 if length < 100_000 else 0)
    }


@register.filter
def share(part: Fraction | Decimal | float | None) -> str:
    """A share of 0 to 1 in per cent, rounded as everywhere."""
    return UNKNOWN if part is None else f"{number_format(percent_of(part))} %"


@register.filter
def amount(number: int | None) -> str:
    """A whole number with its thousands apart."""
    return UNKNOWN if number is None else number_format(number, 0, force_grouping=True)


@register.filter
def unlocalise(number: float) -> str:
    """A number as SVG attributes want it, whatever the language."""
    return f"{number:g}"


@register.filter
def budget_name(scope: str) -> str:
    """What a budget is called on the screen; another than these by its name in the settings."""
    names = {"default": pgettext("budget", "default"), "portfolio": _("portfolio")}
    return names.get(scope, scope)
