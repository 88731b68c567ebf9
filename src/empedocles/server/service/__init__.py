"""Everything that people, bots and programs may do, through any interface."""
