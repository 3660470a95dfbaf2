"""The state of tables, and everything that has to be quick or locked when hands are stored.

- The table as it is now: ``table_row`` (its columns), ``table_now`` (what pages show of it)
- Who deals next: ``next_dealer``; who dealt at earlier tables: ``dealing_history``
- Sums after a report or a correction: ``tallies``; hands scored again after a change: ``replay``
- The order of locks: ``locks``
- SQL written by hand: ``sql`` (which reads tables too), ``writing``, ``revisions``, ``failed_lookups``
"""
