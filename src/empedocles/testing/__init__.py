"""Tests that any game can use: transcripts, perft, playthroughs, random positions, a check of the contract."""
