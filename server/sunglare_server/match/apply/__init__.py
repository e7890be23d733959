"""`apply`: the one way in which the truth changes, by one event; one module per system."""
