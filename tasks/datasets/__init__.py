"""Datasets: the answers of a campaign as files and as JSON, row by row, with a dictionary."""
