"""The staff's reading room: lists of conversations, one conversation with everything behind it."""
