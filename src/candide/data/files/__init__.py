"""Labelled tables from files: CSV, TSV, JSON and Parquet as a stream of Arrow record batches."""

from candide.data.files.files import Files

__all__ = ["Files"]
