"""Lessons: puzzles with one idea each, on positions of real matches, for clients and servers."""
