"""The ASGI application: pages and API by Django, sockets by Channels."""

from __future__ import annotations

import asyncio
import importlib
import os
from typing import Any, Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")
django.setup(set_prefix=False)

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402

from futura.handler import PageHandler  # noqa: E402
from futura.proxies import BehindProxies  # noqa: E402
from futura.urls import websocket_urlpatterns  # noqa: E402

MCP_PATH: Final = "/mcp"
_pages = PageHandler()


async def _http(scope: Any, receive: Any, send: Any) -> None:
    """Pages, API and `/mcp`, whose protocol takes 0.4 s to load: few ask for it."""
    if scope["path"] == MCP_PATH:
        door = await asyncio.to_thread(importlib.import_module, "chat.commands.mcp")
        await door.serve(scope, receive, send)
    else:
        await _pages(scope, receive, send)


application = BehindProxies(
    ProtocolTypeRouter(
        {
            "http": _http,
            "websocket": AllowedHostsOriginValidator(
                AuthMiddlewareStack(URLRouter(websocket_urlpatterns))
            ),
        }
    ),
    settings.PROXIES,
)
