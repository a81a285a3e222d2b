"""Pydantic's faults are told by sentences that say what would be right."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import translation
from pydantic import BaseModel, Field, ValidationError

from futura.faults import sentence


class Share(BaseModel):
    share: Decimal = Field(ge=0, le=100, decimal_places=2)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("much", "Enter a number."),
        ("12.345", "Enter at most 2 decimal places."),
        ("101", "Too large; the most is 100."),
    ],
)
def test_a_fault_of_a_number_says_what_would_be_right(given, told):
    with pytest.raises(ValidationError) as caught:
        Share(share=given)
    fault = caught.value.errors(include_url=False)[0]
    assert sentence(fault) == told
    with translation.override("de"):
        assert sentence(fault) != told
