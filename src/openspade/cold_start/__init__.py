"""Makes a small model fit for both roles by showing it environments and how they are won."""
