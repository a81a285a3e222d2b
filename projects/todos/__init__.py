"""The pages of a person's to-dos across all projects: lists, one to-do, quick add, bulk."""
