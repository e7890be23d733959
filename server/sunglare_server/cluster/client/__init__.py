"""The client of the NATS cluster: connection, streams, buckets, watches."""
