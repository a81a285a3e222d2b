"""Pages of projects, drafts, to-dos and notes."""
