"""Metrics for Prometheus, and traces."""
