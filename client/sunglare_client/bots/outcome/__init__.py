"""The outcome: what a side has, and when it has lost."""
