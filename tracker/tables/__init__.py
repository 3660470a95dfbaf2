"""Tables of the site, one file a noun: columns and words; they ask the database nothing."""
