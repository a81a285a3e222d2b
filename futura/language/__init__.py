"""What basic mode reads of natural languages: tasks in English, dates, quick add, commands."""
