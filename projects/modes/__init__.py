"""The four conversations about a project: create, update, audit, forecast."""
