"""The conversation that makes and keeps an entry: interview, draft, layout, check, publishing."""
