"""What staff do with surveys: read and correct lists, code matches a second time, agree."""
