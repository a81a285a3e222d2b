"""Invented participants, to try a campaign with before real people come; always marked as such."""
