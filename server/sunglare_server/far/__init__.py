"""The far desk: the gateway's end of the road, which asks workers for its lines."""
