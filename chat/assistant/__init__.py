"""A turn with tools, written once: a guide gives a toolset and a prompt, this does the rest.

How a guide uses it (docs/concepts/toolset.md has the same with an example):

1. Its state extends `toolset.AssistantState`; `respond` begins with `provenance.careful(turn)`.
2. It binds tools for the turn: `toolset.Writing` builds a command (chat/commands) from what the
   model gave, `toolset.Reading` gives something to read, `toolset.Acting` does what is no change
   of rows (open a conversation, take back). `toolset.writing(CreateTodo)` and
   `toolset.reading(SomeQuery)` offer a command or query as it stands.
3. `AssistantTurn(turn, Toolset(tools, ...), Prompt(...)).events()` yields text as the model says
   it, the calls as parts for later prompts, and in the end the ledger's line.

What it keeps to:

- All writing calls of one answer of the model are tried and judged together before the first
  stands (chat/operations/rounds.py); everything of a turn is one batch for each owner of rows.
- Text is passed on letter by letter. Reaching the output limit is gone on with.
- An unknown tool, a foreign id, bad arguments go back to the model and are counted as refusals of
  the stage (/staff/models).
- Text of others (files, pasted stretches) taints the turn: its round waits for review.
- Stop keeps what was said and done; the ledger's line follows in any case.
"""
