"""The state of tables, and everything that has to be quick or locked when hands are stored.

A *table* is here a sitting: the people around one table in one round. A *place* is a chair at it,
numbered from 0; a *stint* is one player at one place from one hand to another.

- The table as it is now: ``table_row`` (its columns), ``table_now`` (what pages show of it)
- Who deals next: ``next_dealer``; when people dealt at earlier tables: ``dealing_history``
- Sums after a report or a correction: ``tallies``; hands scored again after a change: ``replay``
- The clock of a round: ``clocks``; a replaced entrant in stored JSON: ``entrant_replacement``
- The order of locks: ``locks``; scored hands as fields and JSON: ``stored_hands``
- SQL written by hand: ``sql`` (also reads tables), ``writing``, ``revisions``, ``failed_lookups``
"""
