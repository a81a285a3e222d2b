"""Every address of the product, app by app."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from chat.consumers import SessionSocket
from futura import guide_packages, views
from futura.api import api
from futura.people import views as people
from futura.telemetry.metrics import scrape
from projects.concierge import views as home

handler400 = "futura.views.bad_request"
handler404 = "futura.views.not_found"
handler500 = "futura.views.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", scrape, name="metrics"),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
    path("staff", people.index, name="staff"),
    path("staff/", include("chat.staff.urls")),
    path("staff/", include("futura.people.views")),
    path("staff/", include("futura.llm.staff.views")),
    path("staff/", include("projects.staff.urls")),
    path("", include("chat.urls")),
    path("api/", api.urls),
    path("", home.home, name="home"),
    path("home/day", home.day, name="home_day"),
    path("home/waiting", home.waiting, name="home_waiting"),
    path("", include("tasks.urls")),
    path("", include("projects.concierge.urls")),
    path("", include("projects.modes.urls")),
    path("", include("projects.todos.urls")),
    path("", include("projects.portfolio.urls")),
    path("", include("projects.sample.urls")),
    path("", include("projects.urls")),
    *(path(f"guides/{name}/", include(urls)) for name, urls in guide_packages.urlconfs()),
]

websocket_urlpatterns: list[URLPattern] = [
    path("ws/session/<uuid:session_id>/", SessionSocket.as_asgi()),
]
