"""The rule book: pure functions on plain values, one module per subject."""
