"""Whose word counts for where a request comes from."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from futura.limits.addresses import client, household, networks
from futura.proxies import BehindProxies
from tests.platform.test_env import PRODUCTION, PROJECT

OURS = networks(["10.0.0.0/8", "2001:db8:ffff::/48", "127.0.0.1"])


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("198.51.100.9", "", "198.51.100.9"),
        ("198.51.100.9", "203.0.113.5", "198.51.100.9"),  # a stranger's own claim
        ("127.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "1.2.3.4, 203.0.113.5", "203.0.113.5"),  # the first was made up before us
        ("127.0.0.1", "1.2.3.4, 203.0.113.5, 10.1.2.3", "203.0.113.5"),  # two proxies of ours
        ("127.0.0.1", "203.0.113.5:4711", "203.0.113.5"),
        ("127.0.0.1", "[2001:db8::5]:4711", "2001:db8::5"),
        ("2001:db8:ffff::1", "2001:db8::5", "2001:db8::5"),
        ("::ffff:127.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "", "127.0.0.1"),  # our own health check
        ("127.0.0.1", "10.9.9.9", "10.9.9.9"),  # from within
        ("127.0.0.1", "unknown", ""),
        ("127.0.0.1", "1.2.3.4, <script>", ""),
        ("", "203.0.113.5", ""),
    ],
)
def test_only_what_our_own_proxies_wrote_counts(peer, forwarded, found):
    assert client(peer, forwarded, OURS) == found


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("nobody", ""),
    ],
)
def test_an_ipv4_address_or_an_ipv6_network_is_a_household(address, found):
    assert household(address) == found


async def _seen(peer, headers, kind="http"):
    """What the application gets to see of a connection."""
    scopes = []

    async def application(scope, _receive, _send):
        scopes.append(scope)

    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "client": (peer, 4711) if peer else None, "headers": named}
    await BehindProxies(application, OURS)(scope, None, None)
    (scope,) = scopes
    return scope["client"], {name.decode(): value.decode() for name, value in scope["headers"]}


@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_the_client_behind_our_proxy_is_put_in_its_place(kind):
    said = {"x-forwarded-for": "203.0.113.5", "x-forwarded-proto": "https", "host": "f.example"}
    assert await _seen("10.0.0.2", said, kind) == (("203.0.113.5", 0), said)


async def test_what_a_stranger_says_about_itself_is_taken_away(caplog):
    said = {"X-Forwarded-For": "1.2.3.4", "x-forwarded-proto": "https", "host": "f.example"}
    assert await _seen("198.51.100.9", said) == (("198.51.100.9", 4711), {"host": "f.example"})
    assert "FUTURA_PROXIES" in caplog.text


async def test_a_connection_without_such_words_stays_as_it_is():
    assert await _seen("10.0.0.2", {"host": "f"}) == (("10.0.0.2", 4711), {"host": "f"})
    assert await _seen("", {"host": "f"}) == (None, {"host": "f"})


def test_a_network_that_is_none_stops_the_start(monkeypatch):
    import runpy

    for name, value in {**PRODUCTION, "FUTURA_PROXIES": "10.0.0.0/8,balancer"}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match="FUTURA_PROXIES"):
        runpy.run_path(str(PROJECT / "futura" / "settings.py"))
