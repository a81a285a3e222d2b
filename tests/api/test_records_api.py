"""Records of a portfolio by commands: what cannot be used is named by its field."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("values", "field"),
    [({"shape": "round"}, "shape"), ({"started": "soon"}, "started"), ({"skills": 3}, "skills")],
)
def test_a_value_that_a_record_cannot_hold_is_named(call, values, field):
    whose = {"owner_name": "Alice", "domain_label": "Joinery"}
    new = {"name": "create_portfolio", "arguments": whose}
    key = call("post", "/commands", new)["created"][0]
    record = {"portfolio": key, "kind": "experience", "values": {"company": "Oak"} | values}
    wish = {"name": "create_record", "arguments": record}
    assert call("post", "/commands", wish, expect=400)["error"]["field"] == field
