"""Capital fire: between ships and ground, its blasts and scatter, and defence against it."""
