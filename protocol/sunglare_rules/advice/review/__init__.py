"""A review of orders before they are locked: what they would lose, and what they leave undone."""
