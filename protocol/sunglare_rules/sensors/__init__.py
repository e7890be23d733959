"""Sensors: scans and the questions they answer, signatures, planet sectors, sunlight."""
