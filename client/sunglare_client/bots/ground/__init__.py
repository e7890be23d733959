"""The ground: troops, agents, and the ships that bring and support them."""
