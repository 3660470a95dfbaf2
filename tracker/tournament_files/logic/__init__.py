"""The file format: models of a document, its errors, and packing."""
