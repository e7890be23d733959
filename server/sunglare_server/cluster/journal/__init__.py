"""The journal in streams of the cluster."""
