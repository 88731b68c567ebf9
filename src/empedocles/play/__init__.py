"""Playing: matches, their records on disk, and the arena that rates agents."""
