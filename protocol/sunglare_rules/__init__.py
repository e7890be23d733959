"""The rule book: pure functions on plain values, one folder per chapter."""
