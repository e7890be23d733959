"""Intel: what one audience has learned of a match, its own pieces among it."""
