"""Export and erasure of an account's data."""
