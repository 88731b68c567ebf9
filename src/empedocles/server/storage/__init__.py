"""The database, its versions, and news of what other processes write to it."""
