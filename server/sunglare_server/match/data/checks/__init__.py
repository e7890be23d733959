"""What makes a data file wrong whose values are of their kinds, one module per file."""
