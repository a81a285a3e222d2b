"""Addresses of the pages of to-dos."""

from __future__ import annotations

from django.urls import path

from projects.todos.views import adding, gestures, lists, one

app_name = "todos"

_TODO = "todos/<uuid:todo_id>"

urlpatterns = [
    path("todos", lists.todos, name="list"),
    path("todos/quick", adding.preview, name="quick"),
    path("todos/add", adding.add, name="add"),
    path("todos/bulk", gestures.bulk, name="bulk"),
    path("todos/export.csv", lists.copy, {"ending": "csv"}, name="csv"),
    path("todos/export.md", lists.copy, {"ending": "md"}, name="md"),
    path("todos/export.json", lists.copy, {"ending": "json"}, name="json"),
    path("todos/undo/<uuid:batch_id>", gestures.undo, name="undo"),
    path(_TODO, one.todo, name="todo"),
    path(f"{_TODO}/status", gestures.status, name="status"),
    path(f"{_TODO}/when", gestures.when, name="when"),
    path(f"{_TODO}/place", gestures.place, name="place"),
    path(f"{_TODO}/delete", gestures.delete, name="delete"),
]
