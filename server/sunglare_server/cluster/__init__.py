"""A cluster of NATS servers as journal, store, lease and carrier; only this knows its client."""
