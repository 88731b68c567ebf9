"""Many games at once: playouts, perft, and the random numbers behind them, on every back-end."""
