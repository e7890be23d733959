"""The store in buckets of the cluster."""
