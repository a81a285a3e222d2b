"""The engine's addresses."""

from __future__ import annotations

from django.urls import include, path

from chat.views import accounts, operations, sessions, turns

_SESSION = "conversations/<uuid:session_id>"
_BATCH = "operations/<uuid:batch_id>"
_ONE = f"{_BATCH}/<uuid:operation_id>"

_CONVERSATIONS = [
    path("account/delete", accounts.delete, name="delete_account"),
    path("account/copy", accounts.copy, name="copy_account"),
    path("account/tokens", accounts.page, name="tokens"),
    path("account/tokens/<uuid:token_id>/revoke", accounts.revoke, name="revoke_token"),
    path("chat/claim", turns.claim, name="claim"),
    path("chat/language", accounts.language, name="language"),
    path("chat/zone/told", accounts.set_zone, name="zone_told"),
    path("chat/sessions/<uuid:session_id>/messages", turns.send, name="send"),
    path("chat/sessions/<uuid:session_id>/stop", turns.stop, name="stop"),
    path("chat/sessions/<uuid:session_id>/draft", turns.draft, name="draft"),
    path("chat/sessions/<uuid:session_id>/transcribe", turns.transcribe, name="transcribe"),
    path("chat/runs/<uuid:run_id>/retry", turns.retry_run, name="retry_run"),
    path("chat/runs/<uuid:run_id>/regenerate", turns.regenerate, name="regenerate"),
    path("chat/runs/<uuid:run_id>/continue", turns.continue_run, name="continue_run"),
    path("chat/messages/<uuid:message_id>/waiting", turns.reword, name="reword"),
    path("chat/messages/<uuid:message_id>/remove", turns.remove, name="remove"),
    path("chat/messages/<uuid:message_id>/edit", turns.edit, name="edit"),
    path("chat/messages/<uuid:message_id>/rating", turns.rate, name="rate"),
    path("chat/sessions/<uuid:session_id>/log", sessions.log, name="log"),
    path("conversations", sessions.sessions, name="sessions"),
    path(f"{_SESSION}/row", sessions.row, name="row"),
    path(f"{_SESSION}/rename", sessions.rename, name="rename"),
    path(f"{_SESSION}/archive", sessions.archive, name="archive"),
    path(f"{_SESSION}/unarchive", sessions.unarchive, name="unarchive"),
    path(f"{_SESSION}/delete", sessions.delete, name="delete"),
    path(f"{_SESSION}/restore", sessions.restore, name="restore"),
    path(f"{_SESSION}/erase", sessions.erase, name="erase"),
    path(
        f"{_SESSION}/export.json",
        sessions.export_one,
        {"ending": "json"},
        name="export_json",
    ),
    path(f"{_SESSION}/export.md", sessions.export_one, {"ending": "md"}, name="export_md"),
]

_OPERATIONS = [
    path("operations/sessions/<uuid:session_id>", operations.panel, name="panel"),
    path("operations/sessions/<uuid:session_id>/policy", operations.choose_policy, name="policy"),
    path("operations", operations.log, name="log"),
    path("operations/of/<slug:entity>/<uuid:entity_id>", operations.history, name="history"),
    path(_BATCH, operations.batch, name="batch"),
    path(f"{_BATCH}/undo", operations.undo_all, name="undo_all"),
    path(f"{_BATCH}/approve", operations.approve, name="approve"),
    path(f"{_BATCH}/reject", operations.reject, name="reject"),
    path(_ONE, operations.operation, name="details"),
    path(f"{_ONE}/undo", operations.undo_one, name="undo"),
    path(f"{_ONE}/revise", operations.revise, name="revise"),
    path(f"{_ONE}/amend", operations.amend, name="amend"),
]

urlpatterns = [
    path("", include((_CONVERSATIONS, "chat"))),
    path("", include((_OPERATIONS, "operations"))),
]
