"""Remote matches of a gateway: sessions forwarded to workers over RPC."""
