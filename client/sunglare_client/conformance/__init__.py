"""Whether a server speaks the protocol: recorded sessions, and a server played through them."""
