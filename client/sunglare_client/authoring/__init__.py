"""Tools for authors of bots: a bot with a test, and moments of matches to try a bot on."""
