"""What may happen at a table: no database, no network, no HTTP."""
