"""Web addresses as people type them, and the text behind them: pages as Markdown, documents.

Limits: size, time, redirects, and a policy: who types into a page reaches public addresses only,
the operator at the command line any.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

import httpx2
from django.template.defaultfilters import filesizeformat
from django.utils.text import slugify
from django.utils.translation import gettext as _

from futura.errors import BadInput
from futura.limits import storable
from projects.portfolio.intake import extract
from projects.portfolio.intake.failures import Code, PreprocessError

HTTPS_PORT: Final = 443
LARGEST_BYTES: Final = 2_000_000
REDIRECTS: Final = 3
SILENCE_S: Final = 15.0
DEADLINE_S: Final = 60.0
ADDRESS_CHARS: Final = 400
_SHORT: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,99}/[A-Za-z0-9_][\w.-]{0,99}")
_PARTS_OF_A_PAGE: Final = re.compile(r"/(?:tree|blob|issues|pulls?|wiki|releases|-)(?:/.*)?$")
_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:/|$)")
_WEB: Final = re.compile(r"https://[\w.-]+(?::\d{1,5})?(?:[/?#]\S*)?")
OLD_CHARSET: Final = "cp1252"
_IS_HTML: Final = re.compile(rb"<(?:html|head|body|p|div)\b", re.IGNORECASE)
# what pages are written in; others that Python knows, such as punycode, take too long to read
_CHARSET: Final = re.compile(
    rb"<meta\b[^>]{1,200}charset=[\"']?((?:iso-8859|windows-|shift_jis|euc-|gb|big5|koi8-)[\w-]{0,20})",
    re.IGNORECASE,
)
# what wraps another address: judged by the one inside
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


class CannotFetch(Exception):
    """Nothing usable came; the message is for a person and holds no secret."""


@dataclass(frozen=True)
class Place:
    """Where to connect; the address is fixed for public reach: no name changes meanwhile."""

    url: str
    host: str
    address: str = ""

    @property
    def literal(self) -> str:
        """The fixed address as it stands in a url."""
        return f"[{self.address}]" if ":" in self.address else self.address

    @property
    def pinned_url(self) -> str:
        """The url with the checked address in place of the name."""
        return (
            urlsplit(self.url)._replace(netloc=self.literal).geturl() if self.address else self.url
        )


@dataclass(frozen=True)
class UrlPolicy:
    """`is_public`: only https on its own port, to hosts every address of which is public."""

    is_public: bool = True

    def place(self, url: str) -> Place:
        """Where an address leads. Raises PreprocessError when it may not be asked."""
        try:
            parts = urlsplit(url)
            port, host = parts.port, parts.hostname or ""
        except ValueError as error:
            raise _refused(url, _("it is no address")) from error
        if parts.scheme not in {"http", "https"} or not host:
            raise _refused(url, _("it is no web address"))
        if parts.username or parts.password:
            raise _refused(host, _("an address must not hold a name or a password"))
        if any(ord(letter) <= 32 for letter in url):
            raise _refused(host, _("an address holds no blanks"))
        if not self.is_public:
            return Place(url, host)
        if parts.scheme != "https":
            raise _refused(url, _("only addresses that begin with https:// are read"))
        if (port or HTTPS_PORT) != HTTPS_PORT:
            raise _refused(url, _("an address with a port of its own is not read"))
        return Place(url, host, _public_address(url, host))

    def check_path(self, path: str) -> None:
        """Raises PreprocessError where files of this machine may not be read."""
        if self.is_public:
            raise _refused(path, _("files of the server are not read"))


COMMAND: Final = UrlPolicy(is_public=False)
"""For the operator at the command line."""
PUBLIC: Final = UrlPolicy(is_public=True)
"""For addresses that somebody typed into a page."""


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


def fetch_text(url: str, policy: UrlPolicy, *, headers: Mapping[str, str] | None = None) -> str:
    """As `fetch`, of what is a text."""
    try:
        return fetch(url, policy, headers=headers).decode("utf-8")
    except UnicodeDecodeError as error:
        host = {"host": urlsplit(url).hostname}
        raise CannotFetch(_("What %(host)s sends is no text.") % host) from error


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
    first = urlsplit(url)
    ends_at = time.monotonic() + DEADLINE_S
    host = {"host": first.hostname}
    try:
        with httpx2.Client(timeout=SILENCE_S, trust_env=not policy.is_public) as client:
            for _hop in range(REDIRECTS + 1):
                place, parts = policy.place(url), urlsplit(url)
                host = {"host": place.host}
                is_same = (parts.scheme, parts.netloc) == (first.scheme, first.netloc)
                sent = {"User-Agent": "futura-portfolio", "Accept-Encoding": "identity"}
                sent |= dict(headers or {}) if is_same else {}
                sent |= {"Host": place.host} if place.address else {}
                pinned = {"sni_hostname": place.host} if place.address else {}
                with client.stream(
                    "GET", place.pinned_url, headers=sent, extensions=pinned
                ) as answer:
                    if not answer.has_redirect_location:
                        return _read(answer, place.host, largest_bytes, ends_at)
                    url = urljoin(url, answer.headers["location"])
    except httpx2.TimeoutException as error:
        raise CannotFetch(_("%(host)s did not answer in time.") % host) from error
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ValueError) as error:
        values = {**host, "error": type(error).__name__}
        raise CannotFetch(_("%(host)s cannot be reached (%(error)s).") % values) from error
    raise CannotFetch(_("%(host)s redirects too often.") % host)


def _read(answer: httpx2.Response, host: str, largest_bytes: int, ends_at: float) -> bytes:
    values = {"host": host, "status": answer.status_code, "size": filesizeformat(largest_bytes)}
    if answer.status_code != 200:
        raise CannotFetch(_("%(host)s answered with %(status)d.") % values)
    content = bytearray()
    for chunk in answer.iter_bytes():
        content += chunk
        if len(content) > largest_bytes:
            raise CannotFetch(_("What %(host)s sends is larger than %(size)s.") % values)
        if time.monotonic() > ends_at:
            raise CannotFetch(_("%(host)s is too slow.") % values)
    return bytes(content)


# What people type --------------------------------------------------------------------------------
def is_address(place: str) -> bool:
    """Whether a place is one of the web; others are files, folders or pasted texts."""
    return place.startswith(("https://", "http://"))


def address_of(typed: str) -> str:
    """Where git finds it, as https. Raises BadInput for what is no address of anything."""
    text = typed.strip().rstrip("/")
    if _SHORT.fullmatch(text):
        return f"https://github.com/{text.removesuffix('.git')}"
    parts = urlsplit(page_address(text))
    if len(parts.path) < 2:
        raise _no_address(
            typed, _("not the address of a repository. Enter https://… or owner/name.")
        )
    normalized = parts._replace(query="", path=_PARTS_OF_A_PAGE.sub("", parts.path))
    return normalized.geturl().removesuffix(".git")


def page_address(typed: str) -> str:
    """A web address as https, without the place on its page. Raises BadInput."""
    text = typed.strip()
    if "://" not in text and _HOST.match(text):
        text = f"https://{text}"
    text = re.sub(r"^http://", "https://", text)
    if not _WEB.fullmatch(text) or len(text) > ADDRESS_CHARS:
        raise _no_address(typed, _("not the address of a repository or a page. Enter https://…"))
    return text.partition("#")[0]


def _no_address(typed: str, why: str) -> BadInput:
    message = _("“%(told)s” is %(why)s") % {"told": typed.strip()[:80], "why": why}
    return BadInput(message, field="address")


def name_of(address: str) -> str:
    """The last part of an address, as an id: `https://…/mara/kiln` is `kiln`."""
    last = urlsplit(address).path.rstrip("/").rpartition("/")[2]
    return slugify(last)[:80].strip("-_") or "project"


# Pages -------------------------------------------------------------------------------------------
def read_address(url: str, policy: UrlPolicy) -> str:
    """The text of what lies there.

    Raises PreprocessError: out of policy, unreachable, unreadable, too large, or without text.
    """
    place = {"place": url}
    try:
        content = fetch(url, policy, largest_bytes=extract.LARGEST_BYTES)
        if extract.is_pdf(content) or extract.is_docx(content):
            return extract.text_apart(content, url.rpartition("/")[2] or url)
        if len(content) > LARGEST_BYTES:
            raise CannotFetch(_("%(place)s is larger than a page of text.") % place)
        text = extract.page_apart(storable(_page_text(content)), url)
        if not re.search(r"\w{2}", text):
            raise CannotFetch(_("%(place)s holds no text to read.") % place)
    except CannotFetch as error:
        raise PreprocessError(Code.PAGE_UNAVAILABLE, str(error), retry_helps=True) from error
    except UnicodeDecodeError as error:
        message = _("What lies at %(place)s is neither a page nor a PDF nor a Word document.")
        raise PreprocessError(Code.PAGE_UNAVAILABLE, message % place) from error
    return text


def _page_text(content: bytes) -> str:
    """A text in UTF-8; another page as it says of itself, else as browsers read old pages.

    Raises UnicodeDecodeError.
    """
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        if b"\0" in content or not _IS_HTML.search(content):
            raise
    charset = _CHARSET.search(content)
    try:
        return content.decode(charset[1].decode() if charset else OLD_CHARSET)
    except LookupError:  # there is none of that name
        return content.decode(OLD_CHARSET)
