"""Learning an evaluation by playing against oneself: self-play, training runs, and duels that measure them."""
