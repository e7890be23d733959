"""Operator requests that go to all workers of a cluster."""
