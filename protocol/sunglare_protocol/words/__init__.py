"""The words of the wire that both ends use, one module per subject."""
