"""What staff do with surveys: read and correct lists."""
