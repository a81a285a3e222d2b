"""The ASGI application: pages and API by Django, sockets by Channels."""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")
django.setup(set_prefix=False)

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402

from chat.commands.mcp import McpDoor  # noqa: E402
from futura.handler import PageHandler  # noqa: E402
from futura.proxies import BehindProxies  # noqa: E402
from futura.urls import websocket_urlpatterns  # noqa: E402

application = BehindProxies(
    ProtocolTypeRouter(
        {
            "http": McpDoor(PageHandler()),
            "websocket": AllowedHostsOriginValidator(
                AuthMiddlewareStack(URLRouter(websocket_urlpatterns))
            ),
        }
    ),
    settings.PROXIES,
)
