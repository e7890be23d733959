"""Whether orders are allowed, as far as the own view can tell: one module per kind of order."""
