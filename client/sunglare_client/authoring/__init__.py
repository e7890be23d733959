"""What authors of bots begin with: a bot with a test, and moments of matches to try a bot on."""
