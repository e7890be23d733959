"""Bugs that the simulation must find, a module for each; its `plant` takes the patch."""
