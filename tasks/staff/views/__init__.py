"""Staff's doors to lists: corrections, and the second coding."""
