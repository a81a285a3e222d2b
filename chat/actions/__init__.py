"""What people do to conversations, one verb each."""

from chat.actions.messages import (
    edit_last,
    edit_queued,
    keep_refused,
    rate_message,
    refuse_other_text,
    remove_queued,
    send_message,
    withdraw_rating,
)
from chat.actions.runs import continue_run, regenerate, retry_run, stop_run
from chat.actions.sessions import (
    archive_session,
    claim,
    delete_session,
    erase,
    erase_session,
    mark_seen,
    purge_sessions,
    rename_session,
    restore_session,
    save_draft,
    start_session,
    unarchive_session,
)

__all__ = [
    "archive_session",
    "claim",
    "continue_run",
    "delete_session",
    "edit_last",
    "edit_queued",
    "erase",
    "erase_session",
    "keep_refused",
    "mark_seen",
    "purge_sessions",
    "rate_message",
    "refuse_other_text",
    "regenerate",
    "remove_queued",
    "rename_session",
    "restore_session",
    "retry_run",
    "save_draft",
    "send_message",
    "start_session",
    "stop_run",
    "unarchive_session",
    "withdraw_rating",
]
