"""The disclosure ledger: which event may tell whom what; every grant is held against it."""
