"""Pages of intake: what is given to be read, and the check of what was read."""
