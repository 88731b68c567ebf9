"""Looking ahead: exact where a game offers it. No game is mentioned here; a Game says what it can."""
