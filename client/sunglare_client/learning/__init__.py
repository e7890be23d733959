"""Learning to play: puzzles with one idea each, on positions of real matches, without a server."""
