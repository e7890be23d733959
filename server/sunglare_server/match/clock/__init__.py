"""Clocks as pure figures: presets, one seat's clock and presence, the phases of a turn."""
