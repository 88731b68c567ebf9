"""Why: what a move does and allows, in the concepts of its game, and always true by the rules."""
