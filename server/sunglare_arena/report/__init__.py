"""Reports of the arena: tables, charts and a page of what a series of bots came to."""
