"""The survey's pages, one module a step."""
