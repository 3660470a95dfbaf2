"""Results of hands: reporting, checking, correcting and undoing them.

- ``services`` store: ``report_hand`` (the next hand) and ``repeats_and_conflicts`` (a hand that is
  recorded already), with what they share in ``submissions``; ``corrections``, ``paper``,
  ``result_only``
- ``forms`` ask: ``sheet`` and its question kinds, ``paper_grid``, ``results_file``
- ``queries`` show: ``table`` and ``phone``, ``hand_details``, ``issues``; ``snapshot`` and
  ``effect`` compare a tournament before and after a change
- ``pages``: the views

A *report* is one submission of a *sheet*, the answers about one hand. An *issue* waits for a person
to settle it. A *struck* hand was undone or deleted: its row stays, and it counts nowhere.
"""
