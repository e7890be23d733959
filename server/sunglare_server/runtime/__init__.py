"""The runtime of matches: runners, feeds, the scheduler and recovery."""
