"""Addresses of the conversation that makes an entry."""

from __future__ import annotations

from django.urls import path

from projects.portfolio.builder import views

app_name = "builder"
urlpatterns = [
    path("portfolio/<uuid:portfolio_id>/tell", views.tell, name="tell"),
    path("portfolio/story/<uuid:project_id>", views.story, name="story"),
    path("portfolio/talks/<uuid:builder_id>", views.gone, name="gone"),
]
