"""The reception: the worker's end of the road, where lines of gateways are answered."""
