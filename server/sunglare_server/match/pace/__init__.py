"""How a match goes on in time: ticks and charges, pauses, absent seats, the end."""
