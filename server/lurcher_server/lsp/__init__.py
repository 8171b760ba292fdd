"""The language server: JSON-RPC over pipes or sockets, and what editors ask of the engine."""
