"""Grants that follow from an event, one module per system. Nothing here is stored or changed."""
