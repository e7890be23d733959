"""Two workers, one gateway and one log, of which any worker may be killed, stopped or cut off."""
