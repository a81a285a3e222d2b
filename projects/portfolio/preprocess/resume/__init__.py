"""A resume: PDF to text, text to sections, sections to records."""
