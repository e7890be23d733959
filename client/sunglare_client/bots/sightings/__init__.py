"""Sightings: where foreign pieces may be, how they fly, and what they may be."""
