"""A policy's weights: found, made, grown, adapted, kept."""
