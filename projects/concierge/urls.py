"""Addresses of the concierge's pages."""

from __future__ import annotations

from django.urls import path

from projects.concierge import views

app_name = "concierge"

urlpatterns = [
    path("concierge", views.concierge, name="page"),
    path("concierge/say", views.say, name="say"),
    path("concierge/new", views.new, name="new"),
    path("concierge/greet", views.greet, name="greet"),
    path("concierge/<uuid:concierge_id>", views.talk, name="talk"),
    path("concierge/<uuid:concierge_id>/tick", views.tick, name="tick"),
]
