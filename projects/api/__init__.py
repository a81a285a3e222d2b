"""JSON for programs: the doors to to-dos and notes."""
