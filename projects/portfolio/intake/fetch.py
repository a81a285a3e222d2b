"""Fetches what lies at a web address, within limits of size, time, redirects and policy.

The policy: a page's visitor reaches public addresses only, the operator at the command line any.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

import httpx2
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from projects.portfolio.intake.failures import Code, PreprocessError

HTTPS_PORT: Final = 443
# what wraps another address: judged by the one inside
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True)
class Place:
    """Where to connect; the address is fixed for public reach: no name changes meanwhile."""

    url: str
    host: str
    address: str = ""

    @property
    def pinned_url(self) -> str:
        """The url with the checked address in place of the name."""
        if not self.address:
            return self.url
        parts = urlsplit(self.url)
        literal = f"[{self.address}]" if ":" in self.address else self.address
        return parts._replace(netloc=literal).geturl()


@dataclass(frozen=True)
class UrlPolicy:
    """`is_public`: only https on its own port, to hosts every address of which is public."""

    is_public: bool = True

    def place(self, url: str) -> Place:
        """Where an address leads. Raises PreprocessError when it may not be asked."""
        parts = _split(url)
        host = parts.hostname or ""
        if not self.is_public:
            return Place(url, host)
        if parts.scheme != "https" or (parts.port or HTTPS_PORT) != HTTPS_PORT:
            raise _refused(url, _("only addresses that begin with https:// are read"))
        return Place(url, host, _public_address(url, host))

    def check_path(self, path: str) -> None:
        """Raises PreprocessError where files of this machine may not be read."""
        if self.is_public:
            raise _refused(path, _("files of the server are not read"))


COMMAND: Final = UrlPolicy(is_public=False)
"""For the operator at the command line."""
PUBLIC: Final = UrlPolicy(is_public=True)
"""For addresses that somebody typed into a page."""


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises for what is no number
    except ValueError as error:
        raise _refused(url, _("it is no address")) from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise _refused(url, _("it is no web address"))
    if parts.username or parts.password:
        raise _refused(parts.hostname, _("an address must not hold a name or a password"))
    if any(ord(letter) <= 32 for letter in url):
        raise _refused(parts.hostname, _("an address holds no blanks"))
    return parts


def _public_address(url: str, host: str) -> str:
    """The first address of a host, when all of them are public."""
    try:
        entries = socket.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise _refused(url, _("its host is not known")) from error
    addresses = [str(entry[4][0]) for entry in entries]
    if not addresses or not all(map(is_public, addresses)):
        raise _refused(url, _("it does not lead to the public internet"))
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet, whatever it is wrapped in."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo or (None, None))[1]
        if inner is None and parsed in _NAT64:
            inner = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


def _refused(url: str, why: str) -> PreprocessError:
    return PreprocessError(Code.ADDRESS_REFUSED, f"{url[:200]}: {why}.")


LARGEST_BYTES: Final = 2_000_000
REDIRECTS: Final = 3
SILENCE_S: Final = 15.0
DEADLINE_S: Final = 60.0
MOVED: Final = frozenset({301, 302, 303, 307, 308})


class CannotFetch(Exception):
    """Nothing usable came; the message is for a person and holds no secret."""


def fetch_text(url: str, policy: UrlPolicy, *, headers: Mapping[str, str] | None = None) -> str:
    """As `fetch`, of what is a text."""
    try:
        return fetch(url, policy, headers=headers).decode("utf-8")
    except UnicodeDecodeError as error:
        raise CannotFetch(
            _("What %(host)s sends is no text.") % {"host": urlsplit(url).hostname}
        ) from error


def fetch(
    url: str,
    policy: UrlPolicy,
    *,
    headers: Mapping[str, str] | None = None,
    largest_bytes: int = LARGEST_BYTES,
) -> bytes:
    """What lies at an address. Raises CannotFetch, and PreprocessError out of policy.

    `headers` go to the host of the address only, never to where it redirects.
    """
    first = _origin(url)
    ends_at = time.monotonic() + DEADLINE_S
    with httpx2.Client(
        timeout=SILENCE_S, follow_redirects=False, trust_env=not policy.is_public
    ) as client:
        for _hop in range(REDIRECTS + 1):
            place = policy.place(url)
            own = headers if headers and _origin(url) == first else {}
            with _asked(client, place, own) as answer:
                if answer.status_code not in MOVED:
                    return _read(answer, place.host, largest_bytes, ends_at)
                url = urljoin(url, answer.headers.get("location", ""))
    raise CannotFetch(_("%(host)s redirects too often.") % {"host": urlsplit(url).hostname})


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


@contextmanager
def _asked(
    client: httpx2.Client, place: Place, headers: Mapping[str, str]
) -> Iterator[httpx2.Response]:
    """The answer of a host while it comes. Raises CannotFetch."""
    more = {"sni_hostname": place.host} if place.address else {}
    sent = {"User-Agent": "futura-portfolio", "Accept-Encoding": "identity", **headers}
    if place.address:
        sent["Host"] = place.host
    try:
        with client.stream("GET", place.pinned_url, headers=sent, extensions=more) as answer:
            yield answer
    except httpx2.TimeoutException as error:
        raise CannotFetch(_("%(host)s did not answer in time.") % {"host": place.host}) from error
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, UnicodeError) as error:
        told = {"host": place.host, "error": type(error).__name__}
        raise CannotFetch(_("%(host)s cannot be reached (%(error)s).") % told) from error


def _read(answer: httpx2.Response, host: str, largest_bytes: int, ends_at: float) -> bytes:
    if answer.status_code != 200:
        raise CannotFetch(
            _("%(host)s answered with %(status)d.") % {"host": host, "status": answer.status_code}
        )
    content = bytearray()
    for chunk in answer.iter_bytes():
        content += chunk
        if len(content) > largest_bytes:
            told = {"host": host, "size": filesizeformat(largest_bytes)}
            raise CannotFetch(_("What %(host)s sends is larger than %(size)s.") % told)
        if time.monotonic() > ends_at:
            raise CannotFetch(_("%(host)s is too slow.") % {"host": host})
    return bytes(content)
