"""Puzzles mined from games of the ladder, for developers: `tools/mine_puzzles.py` runs it."""
