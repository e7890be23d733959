"""Blips: what turns one into an identified piece, eyes, heights, jammers, data scans, hiding."""
