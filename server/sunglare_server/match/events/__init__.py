"""Events of a match, in the past tense, one module per system; `space` lists all."""
