"""What people do to conversations, one verb each."""

from chat.actions.messages import send_message
from chat.actions.runs import retry_run, stop_run
from chat.actions.sessions import claim, save_draft, start_session

__all__ = ["claim", "retry_run", "save_draft", "send_message", "start_session", "stop_run"]
