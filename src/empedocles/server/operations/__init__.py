"""For those who run a server: how it is, what it counts, and what they may do about it."""
