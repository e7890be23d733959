"""Hosting matches: the tasks, clocks and journals that carry the pure core through real time."""
