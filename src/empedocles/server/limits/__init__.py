"""Limits on what one visitor may use, so that nobody starves the others."""
