"""Playing: matches, and their records on disk."""
