"""Pages of campaigns: those of staff, and those of the people who take part."""
