"""The public Python API; its names are also `openspade.NAME`, and stable by CONTRIBUTING's promise."""
