"""Results of hands: reporting, checking, correcting and undoing them.

A *report* is one submission of a *sheet*, the answers about one hand. An *issue* waits for a person
to settle it. A *struck* hand was undone or deleted: its row stays, and it counts nowhere.

- ``services`` for reports: ``report_hand`` stores the next hand, ``repeats_and_conflicts`` handles
  a second report of a stored hand; ``submissions`` has what both share
- Other ``services``: ``paper`` stores a table's paper sheets, ``result_only`` just who won each
  hand; ``corrections`` change hands, with a ``preview``; ``issues`` are raised and closed,
  ``settling`` decides them; ``recount`` compares stored sums with the sheets. Tables also use
  ``confirming``, ``calls`` (of the organiser), ``table_actions`` (choose a dealer, undo)
- ``queries``: ``table`` is what all phones at a table see, ``phone`` what one may undo or confirm;
  ``hand_details``, ``issues``; ``snapshot`` and ``effect`` compare before and after a change
- ``forms``: ``sheet`` and its question kinds, ``paper_grid``, ``results_file``; ``pages``: views
"""
