"""For operators of a server: health, metrics, logs and administration."""
