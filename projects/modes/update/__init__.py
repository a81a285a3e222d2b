"""Updating a project in a conversation: what changed is carried out or proposed, and told."""
