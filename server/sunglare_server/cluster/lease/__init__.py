"""Leases in a bucket of the cluster."""
