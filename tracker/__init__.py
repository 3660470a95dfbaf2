"""The site: one Django app, with one package for each subject."""

# Semantic version. The newest heading of docs/changelog.md is the same; a test compares them.
VERSION = "1.0.0"
