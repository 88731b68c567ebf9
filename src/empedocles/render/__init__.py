"""Drawing without any game inside: what every game's text board and picture is made of."""
