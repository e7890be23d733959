"""Surface play: the plane of a surface map, its terrain, paths, sight and ground attacks."""
