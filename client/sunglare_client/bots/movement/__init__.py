"""Movement: courses of ships, alone and together."""
