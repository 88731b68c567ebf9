"""All that people, bots and programs may do, whichever interface they come through."""
