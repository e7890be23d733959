"""Own pieces: the copies of what belongs to a side into its intel, from the pieces alone."""
