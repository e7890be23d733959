"""Who learns what of an event, one module per system. Nothing here is stored or changed."""
