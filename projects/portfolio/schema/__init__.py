"""What the rows of a portfolio hold, as tables of fields: for commands, forms and words alike."""
