"""Updating a project in a conversation: what changed is found, done or proposed, and told."""
