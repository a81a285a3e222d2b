"""The concierge without a model: exact short commands, read or left alone, never guessed."""
