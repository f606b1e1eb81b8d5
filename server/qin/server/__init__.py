"""The gRPC server: tables, events, store, access."""
