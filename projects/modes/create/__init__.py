"""Creating a project in a conversation: brain dump, questions, preview, project."""
