"""Processes beside the server's own: bots, analyses, and files that take long to make."""
