"""The endpoints for programs and our own pages."""
