"""One match as a pure fold over its records: no clock, no sockets, no files."""
