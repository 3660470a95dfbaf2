"""Import of tournament files: trial, uploads for a preview, storing and undoing."""
