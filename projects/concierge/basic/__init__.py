"""The concierge's command line without a model: exact short commands, read or left alone.

    understand(text, *, now, briefing, earlier, language) -> Understanding

Nothing here but `turn` reads the database: `briefing` is a `Known`, `earlier` the conversation's
`Memory`. What is not read exactly is shown, asked or offered, and never done.
"""
