"""A match in time: ticks and charges, pauses, absent seats, the end."""
