"""The API of the server: sessions, and the handlers that answer client requests."""
