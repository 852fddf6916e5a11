"""What a run is, for whoever shows it: series, scores, first and last, comparison, charts, formats.

The terminal, the report and the browser draw what stands here and nothing else of a run's metrics.
"""
