"""The worker's end of the transport: an RPC server for sessions of gateways."""
