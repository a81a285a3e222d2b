"""Where a request really comes from: whose word counts for it, and who counts as one address."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Final

log = logging.getLogger(__name__)

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
HOUSEHOLD_BITS: Final = 64  # what a provider gives to one home or office (RFC 6177)


def networks(names: Iterable[str]) -> tuple[Network, ...]:
    """Addresses and networks as written (10.0.0.0/8, ::1). Raises ValueError for others."""
    return tuple(ip_network(name.strip()) for name in names if name.strip())


def parsed(text: str) -> Address | None:
    """An address, IPv4 ones in IPv6 clothing undressed, ports and zones cut; None for others."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        result = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = result.ipv4_mapped if isinstance(result, IPv6Address) else None
    return mapped or result


@lru_cache(maxsize=1024)
def household(address: str) -> str:
    """Who shares a limit: one IPv4 address, or the /64 of an IPv6 one; "" for no address."""
    result = parsed(address)
    if isinstance(result, IPv6Address):
        return str(IPv6Network((result, HOUSEHOLD_BITS), strict=False))
    return str(result or "")


def is_trusted(address: Address | None, proxies: Sequence[Network]) -> bool:
    """Whether an address is one of our own proxies."""
    return address is not None and any(address in network for network in proxies)


def client(peer: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """The address of who asked; "" when it cannot be known.

    `peer` is who connected, `forwarded` the X-Forwarded-For header: each proxy appends whom it
    heard from, so only what our own proxies wrote counts, read from the right.
    """
    nearest = parsed(peer)
    hops = [hop for hop in forwarded.split(",") if hop.strip()]
    while is_trusted(nearest, proxies) and hops:
        nearest = parsed(hops.pop())
    return str(nearest or "")
