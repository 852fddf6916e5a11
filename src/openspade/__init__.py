"""OpenSPADE: a language model writes its own training environments and learns by playing them."""
