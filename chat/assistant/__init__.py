"""A turn with tools, written once: a guide gives tools and a prompt (docs/concepts/toolset.md)."""
