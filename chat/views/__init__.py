"""The engine's doors over HTTP, for forms and scripts alike."""
