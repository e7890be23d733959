"""The truth as it is shown, late, to the audience `omni` alone."""
