"""The only home of generated code: confined child processes behind an async pool."""
