"""One set of weights that samples and learns; torch is imported only here."""
