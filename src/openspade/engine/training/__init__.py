"""From trajectories and streams to optimiser steps."""
