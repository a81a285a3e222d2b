"""What the fields of a portfolio accept: months, lists of texts, blocks, links."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext as _, gettext_lazy

from futura.errors import BadInput
from projects.portfolio import blocks

MONTH: Final = RegexValidator(
    r"^\d{4}(-(0[1-9]|1[0-2]))?$", gettext_lazy("Write a month as 2024-06, or a year as 2024.")
)
TEXTS: Final = 200
TEXT_CHARS: Final = 4_000


def check_texts(value: object) -> None:
    """Raises ValidationError unless it is a list of texts of a bearable length."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValidationError(_("Enter a list of texts."))
    if len(value) > TEXTS or any(len(item) > TEXT_CHARS for item in value):
        raise ValidationError(
            _("At most %(count)d texts of %(size)d characters.")
            % {"count": TEXTS, "size": TEXT_CHARS}
        )


def check_links(value: object) -> None:
    """Raises ValidationError unless it is a list of links to web pages."""
    if not isinstance(value, list) or len(value) > TEXTS:
        raise ValidationError(_("Enter a list of links."))
    for item in value:
        if not isinstance(item, dict) or set(item) - {"platform", "label", "url", "blurb"}:
            raise ValidationError(_("A link has a platform, a label, an address and a note."))
        if not str(item.get("url", "")).startswith(("https://", "http://")):
            raise ValidationError(_("The address of a link must start with https://."))


def check_blocks(value: object) -> None:
    """Raises ValidationError unless every block has one of the known forms."""
    try:
        blocks.stored_blocks(value)
    except BadInput as error:
        raise ValidationError(str(error)) from error


def texts(**more: Any) -> models.JSONField[Any, Any]:
    return models.JSONField(default=list, blank=True, validators=[check_texts], **more)


def month(**more: Any) -> models.CharField[Any, Any]:
    """A month as YYYY-MM, a year as YYYY, or nothing."""
    return models.CharField(max_length=7, blank=True, validators=[MONTH], **more)
