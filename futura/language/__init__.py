"""What basic mode reads of natural languages: dates, lines of quick add, exact short commands."""
