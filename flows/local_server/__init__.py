"""The server process that all local runs share: its keeper, files, settings and health."""
