"""A run as one page to keep: HTML, Markdown, and its figures as files."""
