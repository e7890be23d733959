"""The archivist's storage in a cluster."""
