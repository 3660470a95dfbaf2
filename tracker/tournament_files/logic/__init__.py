"""The file format: schemas, packing, and semantic checks of a document."""
