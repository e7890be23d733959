"""The road between gateways and workers: carriers, envelopes, and the desk at either end."""
