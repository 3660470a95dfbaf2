"""Uploaded files stored for a preview, and the import of tournaments from them."""
