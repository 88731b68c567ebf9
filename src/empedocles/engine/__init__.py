"""Many games at once: playouts, batches of environments, perft, and the random numbers behind them."""
