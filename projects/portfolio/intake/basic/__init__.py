"""Reading without a model: by layout, headings, dates and the shape of lines."""
