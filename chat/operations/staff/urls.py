"""Addresses of the staff's pages of changes, below `/staff/`."""

from __future__ import annotations

from django.urls import path

from chat.operations.staff import views

app_name = "staff_operations"
urlpatterns = [
    path("operations", views.batches, name="batches"),
    path("operations/<uuid:batch_id>", views.batch, name="batch"),
]
