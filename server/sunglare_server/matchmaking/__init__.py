"""Matchmaking: the queue of quick matches, and the rating ladder."""
