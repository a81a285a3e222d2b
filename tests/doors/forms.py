"""The tables of the access tests: every form's fields, addresses with words in them, exceptions."""

from __future__ import annotations

from typing import Any

IDS = {"session_id", "run_id", "message_id", "task_id"}
STAFF = {"staff:session", "ledger:run"}
# Routes with other parameters, and why no id of a person's thing is behind them.
EXEMPT = {
    "account_confirm_email": "the key in a mail is the secret itself",
    "account_reset_password_from_key": "the key in a mail is the secret itself",
}

OPEN_TEXT = {"text", "comment", "statement", "statements", "title", "initial_tasks", "ai_tools"}
CLOSED = {
    "client_id", "run", "card", "occupation", "others", "to", "version", "time_share", "ai_level",
    "candidate", "match_version", "rating", "reasons",
}  # fmt: skip
MAY_BE_EMPTY = {"client_id", "run", "version", "match_version", "time_share", "ai_level",
                "occupation", "ai_tools", "initial_tasks", "rating", "reasons",
                "comment"}  # fmt: skip
# The fields of every form, as a person would send them.
FORMS: dict[str, dict[str, Any]] = {
    "chat:claim": {"next": "/account"},
    "chat:send": {"text": "I plan the week.", "client_id": "{new}"},
    "chat:stop": {"run": "{run_id}"},
    "chat:draft": {"text": "half a tho"},
    "chat:transcribe": {},
    "chat:stop_run": {},
    "chat:retry_run": {},
    "chat:regenerate": {},
    "chat:continue_run": {},
    "chat:reword": {"text": "I plan the month."},
    "chat:remove": {},
    "chat:edit": {"text": "I plan the month."},
    "chat:rate": {"rating": "bad", "reasons": "missed", "comment": "It was about weeks."},
    "chat:rename": {"title": "My survey", "next": "/account"},
    "chat:archive": {"next": "/account"},
    "chat:unarchive": {"next": "/account"},
    "chat:delete": {"next": "/account"},
    "chat:restore": {"next": "/account"},
    "chat:erase": {"next": "/account"},
    "survey:start": {"title": "Baker", "occupation": "none", "initial_tasks": "I bake bread."},
    "survey:cards": {"card": "c-1", "add": "1"},
    "survey:finish": {},
    "survey:add": {"statement": "Order paper"},
    "survey:balance": {},
    "survey:edit": {"statement": "Clean the data", "version": "1"},
    "survey:split": {"statements": "Clean data\nSort data", "version": "1"},
    "survey:merge": {"statement": "Do both", "others": "{other_task}", "version": "1"},
    "survey:move": {"to": "down"},
    "survey:delete": {},
    "survey:restore": {},
    "survey:rate": {"time_share": "10", "ai_level": "some", "ai_tools": "Excel", "version": "1",
                    "keep": ""},
    "survey:match": {"candidate": "c2", "match_version": "0", "again": ""},
    "survey:submit": {"sure": "yes"},
    "survey:delete_answers": {},
    "account_login": {"login": "alice", "password": "four quiet sheep"},
    "account_signup": {"email": "eve@example.org", "password1": "four quiet sheep on ice",
                       "password2": "four quiet sheep on ice"},
    "account_logout": {},
    "account_reset_password": {"email": "eve@example.org"},
    "account_change_password": {"oldpassword": "x", "password1": "four quiet sheep on ice",
                                "password2": "four quiet sheep on ice"},
    "account_set_password": {"password1": "four quiet sheep on ice",
                             "password2": "four quiet sheep on ice"},
    "account_email": {"email": "new@example.org", "action_add": ""},
    "account_reauthenticate": {"password": "x"},
    "account_confirm_login_code": {"code": "123456"},
    "account_inactive": {},
}  # fmt: skip
ACCOUNTS = {name for name in FORMS if name.startswith("account_")}

QUERIES = {
    "survey:titles": ("title",), "survey:occupations": ("title",), "survey:start": ("title",),
    "survey:tasks": ("edit", "split", "merge"), "chat:events": ("after",),
    "survey:chat": ("before", "after", "at", "edit", "why"), "chat:log": ("before", "after", "at"),
    "chat:sessions": ("tab", "q", "after", "moved"), "chat:marks": ("ids", "have"),
    "chat:rename": ("next",),
    "api:session_context": ("mode",), "api:session_messages": ("before", "limit"),
    "api:titles": ("q", "limit"), "api:match": ("q", "occupation"),
    "staff:sessions": ("q", "kind", "status", "since", "until", "page"),
    "ledger:totals": ("span", "month", "since", "until", "stage", "model", "outcome", "session",
                      "by", "sort", "page"),
    "ledger:calls": ("span", "month", "since", "stage", "outcome", "session", "page"),
    "ledger:export": ("span", "by", "sort", "since"),
    "staff:session": ("show",), "account_login": ("next",), "account_signup": ("next",),
}  # fmt: skip
