"""Export of a tournament as a document, and preview of a file for the club that may import it."""
