"""Plans that a window's orders follow from: what bears, scans and policies again, routes."""
