"""Every write of campaigns, one verb each; `tasks.campaigns.queries` has the doors."""

from tasks.campaigns.actions.joining import (
    agree,
    answer_questions,
    check_code,
    erase_participation,
    finish,
    let_go,
    purge_expired,
    start_talk,
)
from tasks.campaigns.actions.setting_up import (
    close,
    create,
    delete,
    duplicate,
    make_codes,
    open_now,
    reopen,
    revoke_code,
    update,
    wrap_up,
)

__all__ = [
    "agree",
    "answer_questions",
    "check_code",
    "close",
    "create",
    "delete",
    "duplicate",
    "erase_participation",
    "finish",
    "let_go",
    "make_codes",
    "open_now",
    "purge_expired",
    "reopen",
    "revoke_code",
    "start_talk",
    "update",
    "wrap_up",
]
