"""Export of a tournament as a document, and who its people are at the club that imports it."""
