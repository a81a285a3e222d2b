"""What staff see of everybody's changes: the list with its filters, one batch, undo on behalf."""
