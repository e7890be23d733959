"""How likely something is, and what others would learn of it, from the view alone."""
