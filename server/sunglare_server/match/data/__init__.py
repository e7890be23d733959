"""Data files as values: scenarios, classes, options; how they are read, what makes one wrong."""
