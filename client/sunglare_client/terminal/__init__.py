"""The plain terminal: what a player types, the plan it makes, and the lines that are shown."""
