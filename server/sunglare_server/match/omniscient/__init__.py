"""The truth as it is shown, late, to the audience `omni`, and to nobody else."""
