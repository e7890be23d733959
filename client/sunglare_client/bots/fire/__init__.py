"""Fire: at ships, at maps, and with what is launched."""
