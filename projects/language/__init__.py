"""English of projects, read by rules: dates, changes, dimensions, names, tasks."""
