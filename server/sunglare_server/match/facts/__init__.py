"""Facts: what a grant may tell one audience, field by field; no fact holds a piece of truth."""
