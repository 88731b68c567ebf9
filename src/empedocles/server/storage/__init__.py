"""What is kept: the database, its versions, and news of what others write to it."""
