"""The platform's own doors."""

import pytest


@pytest.mark.django_db
def test_a_ready_process_says_so(client):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"database": True, "redis": True}
