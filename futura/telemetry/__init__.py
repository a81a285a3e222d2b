"""What the product tells of itself to machines: metrics to scrape, spans to trace."""
