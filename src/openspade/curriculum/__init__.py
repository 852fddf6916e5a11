"""What to ask the Designer for: skills, documents, exemplars, negatives, replays."""
