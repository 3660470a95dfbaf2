"""The audit log: what people did in a club, as sentences on a page, most with a button to undo it.

A ``LogEntry`` stores a *verb* ("hand-amended") with the keys of the rows that it was done to; it is
turned into a sentence when it is read. The results that phones sent are ``Report`` rows, and are
listed among the entries.

- ``pages``: the page of a club's log. ``queries.filters``: the entries and reports that it lists.
- ``queries.verbs``, ``verbs_of_play``, ``verbs_of_clubs``: the sentences and undo buttons by verb.
- ``queries.sentences``, ``phrases``: the values of the placeholders in a sentence.
- ``queries.lines``: the lines of the log page and of a hand's history. ``queries.lookup``: the rows
  that the entries name, one query for each kind.
"""
