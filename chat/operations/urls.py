"""Addresses of the changes: the panel of a conversation, batches, single operations."""

from __future__ import annotations

from django.urls import path

from chat.views import operations as views

app_name = "operations"

_BATCH = "operations/<uuid:batch_id>"
_ONE = f"{_BATCH}/<uuid:operation_id>"

urlpatterns = [
    path("operations/sessions/<uuid:session_id>", views.panel, name="panel"),
    path("operations/sessions/<uuid:session_id>/policy", views.choose_policy, name="policy"),
    path("operations/of/<slug:entity>/<uuid:entity_id>", views.history, name="history"),
    path(_BATCH, views.batch, name="batch"),
    path(f"{_BATCH}/undo", views.undo_all, name="undo_all"),
    path(f"{_BATCH}/approve", views.approve, name="approve"),
    path(f"{_BATCH}/reject", views.reject, name="reject"),
    path(f"{_BATCH}/again", views.again, name="again"),
    path(_ONE, views.operation, name="details"),
    path(f"{_ONE}/undo", views.undo_one, name="undo"),
    path(f"{_ONE}/revise", views.revise, name="revise"),
    path(f"{_ONE}/amend", views.amend, name="amend"),
]
