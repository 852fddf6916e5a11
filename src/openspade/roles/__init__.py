"""The two roles one policy plays: prompts in, drafts and moves out."""
