"""A stored run as others read it, beside the writer."""
