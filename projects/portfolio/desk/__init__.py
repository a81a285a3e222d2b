"""The owner's desk: what was asked, what found no answer, what it cost, what is public."""
