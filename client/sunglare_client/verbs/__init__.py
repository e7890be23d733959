"""The command language: every verb, and how the words after it are read."""
