"""What Pydantic finds wrong with a value, as a sentence for a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# by the beginning of Pydantic's type of error, the first that fits
_SENTENCES: Final[Mapping[str, Promise]] = {
    "missing": _("This field is required."),
    "extra_forbidden": _("This field is not known here."),
    "string_too_short": _("Too short; the least is %(min_length)d."),
    "string_too_long": _("Too long; the most is %(max_length)d."),
    "string_pattern_mismatch": _("The format is not valid."),
    "string_": _("Enter a text."),
    "too_short": _("Too few entries; the least is %(min_length)d."),
    "too_long": _("Too many entries; the most is %(max_length)d."),
    "greater_than_equal": _("Too small; the least is %(ge)s."),
    "greater_than": _("Too small; it must be more than %(gt)s."),
    "less_than_equal": _("Too large; the most is %(le)s."),
    "less_than": _("Too large; it must be less than %(lt)s."),
    "int_": _("Enter a whole number."),
    "float_": _("Enter a number."),
    "decimal_max_places": _("Enter at most %(decimal_places)d decimal places."),
    "decimal_parsing": _("Enter a number."),
    "decimal_type": _("Enter a number."),
    "finite_number": _("Enter a number."),
    "bool_": _("Enter true or false."),
    "uuid_": _("That is not an ID."),
    "datetime_": _("Enter a date and time such as 2027-04-01T09:00."),
    "date_": _("Enter a date such as 2027-04-01."),
    "time_": _("Enter a time such as 15:00."),
    "literal_error": _("Choose one of these: %(expected)s."),
    "enum": _("Choose one of these: %(expected)s."),
    "list_type": _("A list is expected here."),
    "tuple_type": _("A list is expected here."),
    "dict_type": _("An object is expected here."),
    "model_": _("An object is expected here."),
    "union_tag_not_found": _("This field is required."),
    "union_tag_invalid": _("Choose one of these: %(expected_tags)s."),
}


def sentence(fault: Mapping[str, Any]) -> str:
    """One of `ValidationError.errors()`; what has no sentence here stays as Pydantic says it."""
    kind, context = str(fault.get("type", "")), fault.get("ctx") or {}
    if kind == "value_error":  # raised by a validator of ours
        return str(context.get("error", fault["msg"]))
    first = next((text for start, text in _SENTENCES.items() if kind.startswith(start)), None)
    return str(fault["msg"]) if first is None else str(first) % context
