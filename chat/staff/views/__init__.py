"""The staff pages of conversations: the queues, one conversation, its replay, the log."""
