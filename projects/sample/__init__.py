"""The sample workspace: made-up things to look at, made by commands and deleted by one tap."""
