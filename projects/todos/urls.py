"""Addresses of the pages of to-dos."""

from __future__ import annotations

from django.urls import path

from projects.todos import views

app_name = "todos"

_TODO = "todos/<uuid:todo_id>"

urlpatterns = [
    path("todos", views.todos, name="list"),
    path("todos/quick", views.preview, name="quick"),
    path("todos/add", views.add, name="add"),
    path("todos/bulk", views.bulk, name="bulk"),
    path("todos/export.csv", views.copy, {"ending": "csv"}, name="csv"),
    path("todos/export.json", views.copy, {"ending": "json"}, name="json"),
    path("todos/undo/<uuid:batch_id>", views.undo, name="undo"),
    path(_TODO, views.todo, name="todo"),
    path(f"{_TODO}/status", views.status, name="status"),
    path(f"{_TODO}/when", views.when, name="when"),
    path(f"{_TODO}/place", views.place, name="place"),
    path(f"{_TODO}/delete", views.delete, name="delete"),
]
