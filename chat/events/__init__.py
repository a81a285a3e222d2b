"""The session's ordered log: what is appended, how it is read, how a reader follows it."""

from chat.events.kinds import Cursor, Entry, Event, Reference, Token
from chat.events.log import append, tail

__all__ = ["Cursor", "Entry", "Event", "Reference", "Token", "append", "tail"]
