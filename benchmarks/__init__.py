"""Ratio tables against scikit-learn, one file a question; run them with ``python -m benchmarks``."""
