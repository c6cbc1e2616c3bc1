"""The version of candide, for rooms that must not import the classifiers."""

__version__ = "0.1.0"
