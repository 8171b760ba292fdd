"""The engine as tools for chat assistants, over the Model Context Protocol. Needs the extra `mcp`."""
