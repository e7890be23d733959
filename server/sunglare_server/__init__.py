"""The authority: owns the truth of each match and sends every side only what it has learned."""
