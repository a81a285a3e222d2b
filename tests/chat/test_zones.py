"""Where a person's day begins: told by devices, used by pages and workers."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from chat import zones
from chat.models import Participant

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _server_time():
    yield
    timezone.deactivate()


def tell(client, name):
    return client.post(reverse("chat:zone_told"), {"zone": name})


def test_a_device_says_where_it_is_and_workers_know(alice, browser, participant_of):
    own, client = participant_of(alice), browser(alice)
    assert tell(client, "Pacific/Auckland").status_code == 204
    assert client.cookies[zones.COOKIE].value == "Pacific/Auckland"
    assert str(zones.place_of(own.pk)[0]) == "Pacific/Auckland"
    client.get("/projects")
    assert timezone.get_current_timezone_name() == "Pacific/Auckland"


def test_a_device_that_has_said_nothing_yet_gets_what_is_known(alice, browser, participant_of):
    own = participant_of(alice)
    Participant.objects.filter(pk=own.pk).update(time_zone="Asia/Tokyo")
    browser(alice).get("/projects")
    assert timezone.get_current_timezone_name() == "Asia/Tokyo"
    browser().get("/projects")
    assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.parametrize("name", ["", "Mars/Base", "../etc/passwd", "x" * 5000, "\x00"])
def test_a_zone_that_is_none_is_refused_and_a_bad_cookie_is_nothing(browser, name):
    client = browser()
    assert tell(client, name).status_code == 400
    client.cookies[zones.COOKIE] = name.replace("\x00", "")
    assert client.get("/projects").status_code == 200
    assert timezone.get_current_timezone_name() == "UTC"


def test_a_newcomer_leaves_no_row_and_brings_the_zone_along(browser):
    client = browser()
    tell(client, "Asia/Tokyo")
    assert not Participant.objects.exists()
    client.post("/projects/new", {"name": "Mine"})
    assert Participant.objects.get().time_zone == "Asia/Tokyo"


def test_knowing_the_zone_costs_no_query(alice, browser, participant_of):
    participant_of(alice)
    client = browser(alice)
    with CaptureQueriesContext(connection) as without:
        client.get("/projects")
    client.cookies[zones.COOKIE] = "Asia/Tokyo"
    with CaptureQueriesContext(connection) as told:
        client.get("/projects")
    assert len(told) == len(without)


def test_an_unknown_participant_has_the_server_s_zone():
    assert tuple(zones.place_of(uuid.uuid4())) == (None, "en", "")
