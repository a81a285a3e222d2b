"""Every write of campaigns, one verb each; `tasks.campaigns.queries` has the doors."""

from tasks.campaigns.actions.erasure import (
    erase_participation,
    let_go,
    purge_expired,
)
from tasks.campaigns.actions.inviting import make_codes, revoke_code
from tasks.campaigns.actions.joining import (
    agree,
    answer_questions,
    check_code,
    finish,
    start_talk,
)
from tasks.campaigns.actions.opening import close, open_now, reopen, wrap_up
from tasks.campaigns.actions.setting_up import create, delete, duplicate, update

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
