"""Addresses of the sample workspace."""

from __future__ import annotations

from django.urls import path

from projects.sample import views

app_name = "sample"

urlpatterns = [
    path("sample/create", views.create, name="create"),
    path("sample/delete", views.delete, name="delete"),
]
