"""Fog: how intel becomes the view that is sent, one module per system."""
